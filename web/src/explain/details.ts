/** What there is to know about one word, link or jump, in words. */

import { el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { ContextRelation, Edit, Explanation, Jump, Link, Phrase } from "../data/explanation.ts";
import { counted, fixed } from "../base/numbers.ts";
import { FATE_NAMES, worth } from "./layers.ts";
import type { Fate, Layer } from "./layers.ts";
import { digitsFor, short, signed } from "./numbers.ts";
import { SIDES, cut, phrase, wordsOf } from "./words.ts";
import type { SideName } from "./words.ts";

/** The kind of a match that is made of several pieces, each alike or synonyms. */
export const COMPOSED = "composed";
const PIECES: readonly string[] = ["identical", "synonym"];

/** A word's fate, its links, and what is known of it. */
export function wordDetails(explanation: Explanation, layer: Layer, side: SideName, at: number, fate: Fate): Child[] {
  const word = wordsOf(explanation, side)[at];
  if (word === undefined) return [];
  const facts = [`word ${at + 1} of the ${side}`, FATE_NAMES[fate]];
  if (word.lemma !== null && word.lemma !== word.form) facts.push(`lemma ${cut(word.lemma, 40)}`);
  if (word.tag !== null) facts.push(`tag ${cut(word.tag, 40)}`);
  if (word.weight !== null) facts.push(`weight ${short(word.weight)}`);
  facts.push(...explanation.phrases.filter((one) => one.side === side && one.words.includes(at)).map(phraseText));
  const links = layer.links.filter((link) => link[side].includes(at));
  const lines = links.slice(0, 6).map((link) => el("li", {}, linkLine(explanation, link)));
  if (links.length > 6) lines.push(el("li", {}, `and ${counted(links.length - 6, "more link")}`));
  return [
    heading(phrase([word], [0])),
    el("p", {}, facts.join(" · ")),
    lines.length > 0 ? el("ul", {}, ...lines) : null,
  ];
}

/** `in NP of weight 2.62 (tf.idf 2.62 × topic 1.00)`. */
function phraseText(one: Phrase): string {
  const factors = Object.entries(one.factors).map(([name, value]) => `${cut(name, 40)} ${short(value)}`);
  const reason = factors.length > 0 ? ` (${factors.join(" × ")})` : "";
  return `in ${cut(one.kind, 20) || "a phrase"} of weight ${short(one.weight)}${reason}`;
}

/** What a link joins and why, its numbers, the relations and the word pairs behind them. */
export function linkDetails(explanation: Explanation, link: Link): Child[] {
  const facts = [link.kind, arithmetic(link)];
  if (link.weight !== null) facts.push(`weight ${short(link.weight)}`);
  if (link.stage !== "") facts.push(`found as: ${cut(link.stage)}`);
  if (link.block > 0) facts.push(`block ${link.block}`);
  for (const [name, value] of Object.entries(link.factors)) facts.push(`${cut(name, 40)} ${fixed(value, 2)}`);
  const pairs = link.kind === COMPOSED ? pieces(explanation, link) : wordPairs(explanation, link);
  return [
    heading(pairText(explanation, link)),
    el("p", {}, facts.map((fact) => cut(fact)).join(" · ")),
    ...relationLists(explanation, link),
    pairs.length > 0 ? el("p", {}, el("span", { class: "explain-term" }, "Words: "), pairs.join(", ")) : null,
  ];
}

/** Where a jump or a shift goes, and what it adds. */
export function jumpDetails(explanation: Explanation, edit: Edit): Child[] {
  return [
    heading(editName(edit)),
    el("p", {}, `${jumpText(explanation, edit)} · adds ${signed(edit.contribution, digitsFor(edit.contribution))}`),
  ];
}

export function pairText(explanation: Explanation, link: Link): string {
  const reference = phrase(explanation.reference, link.reference) || "(nothing)";
  return `${reference} ↔ ${phrase(explanation.hypothesis, link.hypothesis) || "(nothing)"}`;
}

function linkLine(explanation: Explanation, link: Link): string {
  return `${pairText(explanation, link)}: ${cut(link.kind)}, ${arithmetic(link)}`;
}

/** `similarity 1.00 − penalty 0.43 = 0.57`. */
function arithmetic(link: Link): string {
  const similarity = `similarity ${fixed(link.similarity, 2)}`;
  return link.penalty ? `${similarity} − penalty ${fixed(link.penalty, 2)} = ${fixed(worth(link), 2)}` : similarity;
}

/** The relations that only one side has, the reference's first. */
export function changes(link: Link): ContextRelation[] {
  const lost = link.context.filter((one) => !one.matched);
  return [...lost.filter((one) => one.side === "reference"), ...lost.filter((one) => one.side !== "reference")];
}

/** A relation in plain words, its label small behind them. */
export function relationText(explanation: Explanation, one: ContextRelation): HTMLElement {
  const label = el("small", { class: "explain-relation" }, cut(one.label, 40));
  return el("span", {}, el("bdi", {}, plainWords(explanation, one)), " ", label);
}

/** As the metric says it; explanations of earlier versions have only the label. */
export function plainWords(explanation: Explanation, one: ContextRelation): string {
  if (one.in_words) return cut(one.in_words, 160);
  const words = wordsOf(explanation, one.side);
  const form = (at: number) => (at < 0 ? "ROOT" : phrase(words, [at], 40));
  return `${form(one.governor)} → ${form(one.dependent)}`;
}

function relationLists(explanation: Explanation, link: Link): Child[] {
  const lists = [
    ["Changed", changes(link)],
    ["Kept", link.context.filter((one) => one.matched && one.side === "reference")],
  ] as const;
  return lists
    .filter(([, found]) => found.length > 0)
    .flatMap(([title, found]) => [
      el("p", { class: "explain-term" }, title),
      el("ul", {}, ...found.map((one) => el("li", {}, relationText(explanation, one)))),
    ]);
}

/** `plan = plan`, `town ≈ village 0.67 (WordNet)`, `new –`. */
export function wordPairs(explanation: Explanation, link: Link): string[] {
  return link.word_pairs.map((pair) => {
    const reference = phrase(explanation.reference, [pair.reference], 40);
    const hypothesis = phrase(explanation.hypothesis, [pair.hypothesis], 40);
    if (pair.hypothesis < 0) return `${reference} –`;
    if (pair.reference < 0) return `– ${hypothesis}`;
    if (pair.kind === "word") return `${reference} = ${hypothesis}`;
    return `${reference} ≈ ${hypothesis} ${fixed(pair.similarity, 2)} (${cut(pair.kind, 40)})`;
  });
}

/** The matches that a composed one is made of: the longest ones inside it, one after the other. */
function pieces(explanation: Explanation, link: Link): string[] {
  const inside = explanation.links
    .filter(
      (one) =>
        PIECES.includes(one.kind) &&
        SIDES.every((side) => one[side].length > 0 && one[side].every((at) => link[side].includes(at))),
    )
    .sort((a, b) => b.reference.length + b.hypothesis.length - a.reference.length - a.hypothesis.length);
  const chosen: Link[] = [];
  for (const one of inside) {
    if (!chosen.some((other) => SIDES.some((side) => other[side].some((at) => one[side].includes(at)))))
      chosen.push(one);
  }
  chosen.sort((a, b) => (a.reference[0] ?? 0) - (b.reference[0] ?? 0));
  return chosen.map((one) =>
    one.kind === "identical"
      ? phrase(explanation.reference, one.reference)
      : `${pairText(explanation, one)} (${cut(one.kind, 40)})`,
  );
}

/** `word`, `word + subject`, `jump back`. */
export function editName(edit: Edit): string {
  return [edit.state.replace(/_/g, " "), ...edit.dependencies].map((name) => cut(name, 60)).join(" + ");
}

/** `← 11 words`, or the words that are moved: `three ←`. */
export function jumpDistance(explanation: Explanation, jump: Jump): string {
  const moved = phrase(wordsOf(explanation, jump.side), jump.moved, 60);
  if (moved !== "") return `${moved} ${jump.target < jump.start ? "←" : "→"}`;
  const distance = jump.target - jump.start;
  return `${distance < 0 ? "←" : "→"} ${counted(Math.abs(distance), "word")}`;
}

/** `to before “in”`. */
export function jumpLanding(explanation: Explanation, jump: Jump): string {
  const words = wordsOf(explanation, jump.side);
  return jump.target < words.length ? `to before “${phrase(words, [jump.target], 40)}”` : "to the end";
}

/** `hypothesis: ← 11 words to before “in”`. */
export function jumpText(explanation: Explanation, edit: Edit): string {
  const { jump } = edit;
  return jump === null
    ? ""
    : `${cut(jump.side, 20)}: ${jumpDistance(explanation, jump)} ${jumpLanding(explanation, jump)}`;
}

function heading(text: string): HTMLElement {
  return el("p", { class: "explain-subject", dir: "auto" }, text);
}
