/** Why the score is not better, in a few lines: what was missing, what was too much, what was held against matches. */

import { el } from "../base/dom.ts";
import type { Explanation, Leftover } from "../data/explanation.ts";
import { counted, fixed } from "../base/numbers.ts";
import { changes, plainWords } from "./details.ts";
import { natures } from "./edit_path.ts";
import { layersOf } from "./layers.ts";
import type { Layer } from "./layers.ts";
import { digitsFor, signed } from "./numbers.ts";
import { cut, phrase, wordsOf } from "./words.ts";

export interface Cause {
  name: string;
  /** Words or names, the worst first. */
  items: string[];
  amount: string;
}

const MOST_ITEMS = 6;
/** Links with the context that cost them something, which takes room. */
const MOST_PENALISED = 4;

export function causes(explanation: Explanation, higherIsBetter: boolean): Cause[] {
  const [layer] = layersOf(explanation);
  const found =
    explanation.edits.length > 0
      ? fromEdits(explanation, higherIsBetter)
      : layer === undefined
        ? []
        : fromLayer(explanation, layer);
  return [
    ...found,
    ...fromFeatures(explanation),
    ...fromModels(explanation),
  ];
}

export function causesView(explanation: Explanation, higherIsBetter: boolean): HTMLElement | null {
  const found = causes(explanation, higherIsBetter);
  if (found.length === 0) return null;
  const lines = found.flatMap((cause) => {
    const shown = cause.items.slice(0, MOST_ITEMS).map((item) => el("bdi", {}, item));
    const listed = shown.flatMap((item, at) => (at > 0 ? [" · ", item] : [item]));
    const rest = cause.items.length - shown.length;
    return [
      el("dt", {}, cause.name),
      el(
        "dd",
        {},
        ...listed,
        rest > 0 ? ` and ${rest} more` : null,
        // The space parts them where the style sheet's does not count: read aloud, or copied.
        ...(cause.amount === "" ? [] : [" ", el("span", { class: "explain-amount" }, cause.amount)]),
      ),
    ];
  });
  return el("section", { class: "explain-causes" }, el("h5", {}, "What cost most"), el("dl", {}, ...lines));
}

function fromLayer(explanation: Explanation, layer: Layer): Cause[] {
  const found: Cause[] = [];
  const sides = [
    ["Missing", "reference"],
    ["Extra", "hypothesis"],
  ] as const;
  for (const [name, side] of sides) {
    const rest = layer.leftovers.filter((one: Leftover) => one.side === side && one.words.length > 0);
    if (rest.length === 0) continue;
    const weight = rest.reduce((sum, one) => sum + (one.weight ?? 0), 0);
    const whole = wordsOf(explanation, side).reduce((sum, word) => sum + (word.weight ?? 0), 0);
    const single = rest.every((one) => one.words.length === 1) && whole > 0;
    found.push({
      name,
      items: rest.map((one) => phrase(wordsOf(explanation, side), one.words, 40)),
      amount: single ? `${Math.round((100 * weight) / whole)} % of the ${side}’s weight` : "",
    });
  }
  found.push(...penalisedLinks(explanation, layer), ...weakLinks(explanation, layer));
  found.push(...lostPhrases(explanation));
  const blocks = new Set(layer.links.map((link) => link.block).filter((block) => block > 0)).size;
  if (blocks > 1)
    found.push({
      name: "Word order",
      items: [`matches lie in ${blocks} separate blocks`],
      amount: orderPenalty(explanation),
    });
  return found;
}

/** Words that were found, but in another syntactic context. */
function penalisedLinks(explanation: Explanation, layer: Layer): Cause[] {
  const penalised = layer.links
    .filter((link) => (link.penalty ?? 0) >= 0.05)
    .sort((a, b) => (b.penalty ?? 0) * (b.weight ?? 1) - (a.penalty ?? 0) * (a.weight ?? 1));
  if (penalised.length === 0) return [];
  const items = penalised.slice(0, MOST_PENALISED).map((link) => {
    const [first, ...others] = changes(link).sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0));
    const why = first === undefined ? "" : ` (${plainWords(explanation, first)}${others.length > 0 ? " …" : ""})`;
    return `${phrase(explanation.reference, link.reference, 40)} −${fixed(link.penalty, 2)}${why}`;
  });
  return [{ name: "Other context", items, amount: counted(penalised.length, "penalised link") }];
}

/** Words that stand for each other without being the same. */
function weakLinks(explanation: Explanation, layer: Layer): Cause[] {
  const weak = layer.links
    .filter((link) => (link.similarity ?? 1) < 0.99)
    .sort((a, b) => (a.similarity ?? 1) - (b.similarity ?? 1));
  if (weak.length === 0) return [];
  const items = weak.map((link) => {
    const other = phrase(explanation.hypothesis, link.hypothesis, 40);
    return `${phrase(explanation.reference, link.reference, 40)} ≈ ${other} ${fixed(link.similarity, 2)}`;
  });
  return [{ name: "Only similar", items, amount: counted(weak.length, "link") }];
}

/** What the metric takes off for the order of blocks, if it says so. */
function orderPenalty(explanation: Explanation): string {
  const feature = explanation.features.find((one) => one.name === "penalty");
  const value = feature === undefined ? explanation.features[0]?.details["penalty"] : feature.value;
  return value === undefined || value === null ? "" : `penalty ${fixed(value, 2)}`;
}

/** The heaviest sequences of the reference's words that no layer has found in the hypothesis. */
function lostPhrases(explanation: Explanation): Cause[] {
  if (explanation.phrases.length > 0) return [];
  const key = (words: readonly number[]) => words.join(" ");
  const matched = new Set(explanation.links.map((link) => key(link.reference)));
  const lost = new Map<string, Leftover>();
  for (const rest of explanation.leftovers) {
    if (rest.side !== "reference" || rest.words.length < 2 || matched.has(key(rest.words))) continue;
    const other = lost.get(key(rest.words));
    if (other === undefined || (rest.weight ?? 0) > (other.weight ?? 0)) lost.set(key(rest.words), rest);
  }
  const heaviest = [...lost.values()].sort(
    (a, b) => (b.weight ?? 0) - (a.weight ?? 0) || b.words.length - a.words.length,
  );
  if (heaviest.length === 0) return [];
  const items = heaviest.slice(0, MOST_ITEMS).map((rest) => phrase(explanation.reference, rest.words, 40));
  return [{ name: "Phrases not found", items, amount: counted(heaviest.length, "sequence") }];
}

function fromEdits(explanation: Explanation, higherIsBetter: boolean): Cause[] {
  const sign = higherIsBetter ? 1 : -1;
  return natures(explanation)
    .filter((group) => sign * group.adds < 0)
    .sort((a, b) => sign * (a.adds - b.adds))
    .map((group) => ({
      name: capital(counted(group.count, group.name)),
      items: group.words,
      amount: signed(group.adds, digitsFor(group.adds) - 1),
    }));
}

/** The layers whose features lie lowest, if there are several on one scale. */
function fromFeatures(explanation: Explanation): Cause[] {
  const layers = new Set(layersOf(explanation).map((layer) => layer.name));
  const shares = explanation.features.filter(
    (one) => layers.has(one.name) && one.value !== null && one.value >= 0 && one.value <= 1,
  );
  if (shares.length < 3 || explanation.edits.length > 0 || shares.some((one) => one.contribution !== null)) return [];
  const imperfect = shares.filter((one) => (one.value ?? 0) < 1 - 1e-9);
  if (imperfect.length === 0) return [];
  const lowest = imperfect.sort((a, b) => (a.value ?? 0) - (b.value ?? 0)).slice(0, 3);
  return [
    {
      name: "Lowest features",
      items: lowest.map((one) => `${cut(one.description, 60)} ${fixed(one.value, 2)}`),
      amount: "",
    },
  ];
}

function fromModels(explanation: Explanation): Cause[] {
  const words = [...explanation.improbable_words].sort((a, b) => (a.log10 ?? 0) - (b.log10 ?? 0));
  const forms = new Set(
    words.map((one) => (one.word < 0 ? "end of the sentence" : phrase(explanation.hypothesis, [one.word], 40))),
  );
  return forms.size === 0 ? [] : [{ name: "Improbable", items: [...forms].slice(0, 3), amount: "" }];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
