/** The path of edits from the reference to the hypothesis: a row for each step, what it adds, and the sum so far. */

import { el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { Edit, Explanation } from "../data/explanation.ts";
import { counted } from "../base/numbers.ts";
import { editName, jumpDistance, jumpLanding, jumpText } from "./details.ts";
import { digitsFor, greatest, least, signed } from "./numbers.ts";
import { bar, each, table } from "./table.ts";
import { phrase, wordsOf } from "./words.ts";

/** `higherIsBetter` says whether what an edit adds is good news. */
export function editPath(explanation: Explanation, higherIsBetter: boolean): HTMLElement | null {
  const { edits } = explanation;
  if (edits.length === 0) return null;
  const sums = runningSums(edits);
  const low = least(sums);
  const high = greatest(sums);
  const digits = digitsFor(high - low);
  const jumps = new Map(edits.filter((edit) => edit.jump !== null).map((edit, at) => [edit, at + 1]));
  const row = (edit: Edit, at: number): Child[] => {
    const before = sums[at] ?? 0;
    const after = sums[at + 1] ?? 0;
    const good = after >= before === higherIsBetter;
    return [
      String(at + 1),
      el(
        "span",
        { class: `explain-state explain-state-${nature(edit)}` },
        editName(edit) + (edit.jump === null ? "" : ` (${jumps.get(edit)})`),
      ),
      cell(explanation, edit, "reference"),
      cell(explanation, edit, "hypothesis"),
      el(
        "span",
        { class: edit.contribution === 0 ? null : good ? "explain-gain" : "explain-cost" },
        signed(edit.contribution, digits),
      ),
      bar(before, after, low, high, after === before ? "explain-none" : good ? "explain-good" : "explain-bad"),
      signed(after, digits),
    ];
  };
  const columns = [
    { title: "step", number: true },
    { title: "edit" },
    { title: "reference" },
    { title: "hypothesis" },
    { title: "adds", number: true },
    { title: "running sum" },
    { title: "", number: true },
  ];
  return el(
    "div",
    { class: "explain-edits" },
    table(`Edit path: ${counted(edits.length, "step")}`, columns, each(edits, row), brackets(edits)),
  );
}

/** The sum before the first edit and after each; what is not known adds nothing. */
export function runningSums(edits: readonly Edit[]): number[] {
  const sums = [0];
  for (const edit of edits) sums.push((sums[sums.length - 1] ?? 0) + (edit.contribution ?? 0));
  return sums;
}

/** What an edit does, whatever the metric calls it. */
export function nature(edit: Edit): "jump" | "insert" | "delete" | "keep" | "change" {
  if (edit.jump !== null) return "jump";
  if (edit.reference.length === 0 && edit.hypothesis.length > 0) return "insert";
  if (edit.hypothesis.length === 0 && edit.reference.length > 0) return "delete";
  return ["word", "punctuation", "match", "keep", "identical", "exact"].includes(edit.state) ? "keep" : "change";
}

function cell(explanation: Explanation, edit: Edit, side: "reference" | "hypothesis"): Child {
  const words = phrase(wordsOf(explanation, side), edit[side], 60);
  if (edit.jump?.side !== side) return words;
  return el(
    "span",
    { class: "explain-way" },
    words === "" ? "" : `${words} `,
    jumpDistance(explanation, edit.jump),
    el("span", { class: "explain-landing" }, ` ${jumpLanding(explanation, edit.jump)}`),
  );
}

/** A bracket around each stretch from a jump ahead to the jump that ends it. */
function brackets(edits: readonly Edit[]): string[] {
  let inside = false;
  return edits.map((edit) => {
    if (edit.state === "jump_forward") inside = true;
    const classes = inside ? `explain-within${edit.jump === null ? "" : " explain-turn"}` : "";
    if (edit.state === "jump_end") inside = false;
    return classes;
  });
}

/** How many edits of each nature there are, with what they add: `8 deletions −0.62`. */
export function natures(explanation: Explanation): { name: string; count: number; adds: number; words: string[] }[] {
  const names = {
    insert: "extra word",
    delete: "missing word",
    change: "changed word",
    jump: "jump",
    keep: "kept word",
  };
  const groups = new Map<string, { name: string; count: number; adds: number; words: string[] }>();
  for (const edit of explanation.edits) {
    const name = (edit.jump?.moved ?? []).length > 0 ? "shift" : names[nature(edit)];
    const group = groups.get(name) ?? { name, count: 0, adds: 0, words: [] };
    groups.set(name, group);
    group.count += 1;
    group.adds += edit.contribution ?? 0;
    const moved = phrase(wordsOf(explanation, edit.jump?.side ?? ""), edit.jump?.moved ?? [], 40);
    const parts = [
      moved,
      phrase(explanation.reference, edit.reference, 40),
      phrase(explanation.hypothesis, edit.hypothesis, 40),
    ];
    const shown = parts.filter(Boolean).join(" → ") || jumpText(explanation, edit);
    if (shown !== "") group.words.push(shown);
  }
  return [...groups.values()];
}
