/** Two explained translations of a segment: which scores higher, by how much, and for which words. */

import { bdi, el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { Explanation, Num } from "../data/explanation.ts";
import type { Preferences } from "../data/overview.ts";
import { fixed } from "../base/numbers.ts";
import "./explain.css";
import { contrast } from "./contrast.ts";
import type { Contrast, Rendering, UnmatchedWord } from "./contrast.ts";
import { digitsFor, greatest, least, signed } from "./numbers.ts";
import { ratersWould } from "./raters.ts";
import { bar, table } from "./table.ts";
import type { Column } from "./table.ts";
import { wellFormed } from "./well_formed.ts";
import { cut } from "./words.ts";

const NAME = 24;

/** The names are those of the systems, in the order of the explanations. */
export function renderContrast(
  one: Explanation,
  other: Explanation,
  names: readonly [string, string],
  preferences?: Preferences | null,
): HTMLElement {
  const found = contrast(wellFormed(one), wellFormed(other));
  const [better, worse] = found.swapped ? [names[1], names[0]] : names;
  const wordRows = rowsOfWords(found);
  const headed = (title: string): Column[] => [{ title }, { title: cut(better, NAME) }, { title: cut(worse, NAME) }];
  const verdict =
    found.difference === 0
      ? [bdi(better), " and ", bdi(worse), " have the same score"]
      : [bdi(better), ` scores ${found.difference > 0 ? "higher" : "lower"} than `, bdi(worse), ` by ${amount(found)}`];
  if (found.difference < 0) verdict.push(", and lower is better");
  return el(
    "details",
    { class: "explain explain-contrast", open: true },
    el("summary", {}, ...verdict),
    preferences && found.difference !== 0 ? raters(found, better, preferences) : null,
    el(
      "div",
      { class: "explain-beside" },
      found.parts.length > 0 ? numberTable(found, headed) : null,
      wordRows.length > 0 ? table("Words that are not rendered alike", headed("word of the reference"), wordRows) : null,
    ),
    found.sameReference
      ? null
      : el("p", { class: "explain-note" }, "Each is measured against another reference, so that words cannot be compared."),
  );
}

function raters(found: Contrast, better: string, preferences: Preferences): HTMLElement {
  const [before, after] = ratersWould(preferences, found.difference);
  return el("p", {}, before, bdi(better), after);
}

function amount({ better, worse, difference }: Contrast): string {
  return fixed(Math.abs(difference), digitsFor(Math.max(Math.abs(better.score ?? 0), Math.abs(worse.score ?? 0))));
}

function numberTable(found: Contrast, headed: (title: string) => Column[]): HTMLElement {
  const { better, worse, difference } = found;
  const differences = [...found.parts.map((one) => one.difference), difference];
  const [low, high] = [least(differences), greatest(differences)];
  const all = found.parts.flatMap((one) => [one.better, one.worse]);
  const digits = digitsFor(greatest(all.map(Math.abs)));
  const higherIsBetter = better.higher_is_better;
  const line = (name: Child, one: Num, other: Num, by: number): Child[] => {
    const look = by === 0 ? "explain-none" : by > 0 === higherIsBetter ? "explain-good" : "explain-bad";
    return [name, fixed(one, digits), fixed(other, digits), signed(by, digits), bar(0, by, low, high, look)];
  };
  const columns = headed("part of the score");
  const rows = found.parts.map((one) => line(cut(one.name), one.better, one.worse, one.difference));
  const last = line(el("strong", {}, "score"), better.score, worse.score, difference);
  return table(
    "What each part adds to the difference",
    [
      ...columns.map((column, at) => (at > 0 ? { ...column, number: true } : column)),
      { title: "difference", number: true },
      { title: "" },
    ],
    [...rows, last],
  );
}

function rowsOfWords(found: Contrast): Child[][] {
  return [
    ...found.words.map((word) => [
      cut(word.form, 40),
      rendered(word.form, word.better),
      rendered(word.form, word.worse),
    ]),
    ...found.betterExtra.map((word) => ["–", tooMany(word), ""]),
    ...found.worseExtra.map((word) => ["–", "", tooMany(word)]),
  ];
}

/** `remember`, `reminds (paraphrase 0.60, context −0.04)`, `missing`. */
function rendered(word: string, found: Rendering | null): Child {
  if (found === null) return el("span", { class: "explain-cost" }, "missing");
  const { kind, similarity, penalty } = found.link;
  const notes = [
    ...((similarity ?? 1) < 1 ? [`${cut(kind, 40)} ${fixed(similarity, 2)}`] : found.forms === word ? [] : [cut(kind, 40)]),
    ...(penalty ? [`context −${fixed(penalty, 2)}`] : []),
  ];
  return notes.length > 0 ? `${cut(found.forms, 60)} (${notes.join(", ")})` : cut(found.forms, 60);
}

function tooMany(word: UnmatchedWord): Child {
  return el("span", { class: "explain-cost" }, `${cut(word.form, 40)}: too many`);
}
