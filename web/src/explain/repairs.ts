/** What would have to be repaired in a translation, what gains most first: marked in both texts, and as a table. */

import { el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { Explanation, Repair, Span } from "../data/explanation.ts";
import { fixed } from "../base/numbers.ts";
import { visible } from "../base/text.ts";
import { greatest, least, signed } from "./numbers.ts";
import { bar, each, table } from "./table.ts";
import type { Column } from "./table.ts";
import { SIDES, isolated, cut } from "./words.ts";
import type { SideName } from "./words.ts";

/** Where fewer of the words match, nothing can be told apart. */
export const MATCHED = 0.2;
const LONGEST = 80;
const LONGEST_PIECE = 1000;

export function repairsView(explanation: Explanation, higherIsBetter: boolean): HTMLElement | null {
  const { maximum, score } = explanation;
  if (maximum === null || score === null) return null;
  const digits = Math.max(Math.abs(maximum), Math.abs(score)) > 2 ? 1 : 3;
  const all = explanation.repairs;
  const moving = all.filter((one) => Number(fixed(one.points, digits).replace("−", "-")) !== 0);
  const parts: Child[] = [texts(explanation, moving)];
  if (all.length === 0)
    parts.push(el("p", {}, score === maximum ? "Nothing to repair." : "No difference that can be named."));
  else if (explanation.hypothesis_text.trim() === "")
    parts.push(el("p", {}, "The hypothesis is empty: everything is missing."));
  else if ((explanation.matched ?? 1) < MATCHED) {
    const share = `${Math.round(100 * (explanation.matched ?? 0))}%`;
    parts.push(el("p", {}, `${share} of the words match, so nothing can be told apart.`));
  } else parts.push(waterfall(explanation, moving, all.length - moving.length, digits, higherIsBetter));
  return el("section", { class: "explain-repairs" }, el("h5", {}, "What to repair"), ...parts);
}

/** From the score to that of the reference, one repair after the other. */
function waterfall(
  explanation: Explanation,
  moving: readonly Repair[],
  idle: number,
  digits: number,
  higherIsBetter: boolean,
): HTMLElement {
  const score = explanation.score ?? 0;
  const maximum = explanation.maximum ?? score;
  const steps = [score];
  for (const one of moving) steps.push((steps.at(-1) ?? 0) + (one.points ?? 0));
  const low = least([...steps, maximum], Math.min(score, maximum));
  const high = greatest([...steps, maximum], Math.max(score, maximum));
  const columns: Column[] = [
    { title: "", number: true },
    { title: "repair" },
    { title: "kind" },
    { title: "points", number: true },
    { title: "" },
  ];
  const rows = each(moving, (one, at) => {
    const good = (one.points ?? 0) > 0 === higherIsBetter;
    const [from, to] = [steps[at] ?? 0, steps[at + 1] ?? 0];
    return [
      String(at + 1),
      repairWords(one),
      cut(one.kind, 40),
      signed(one.points, digits),
      bar(from - low, to - low, 0, high - low, good ? "explain-good" : "explain-bad"),
    ];
  });
  const about = [
    `The points add up to ${signed(maximum - score, digits)}, from ${fixed(score, digits)} to ${fixed(maximum, digits)}, the score of the reference itself.`,
    ...(!explanation.exact_points ? ["Of so many edits each has its mean over a few orders."] : []),
    ...(idle > 0 ? [`${idle === 1 ? "One more edit is" : `${idle} more edits are`} without effect.`] : []),
  ];
  return el(
    "div",
    {},
    table("Repairs, by what they gain", columns, rows),
    el("p", { class: "explain-dim" }, about.join(" ")),
  );
}

/** What is to be done, as one would tell somebody. */
export function repairWords(one: Pick<Repair, "kind" | "before" | "after">): string {
  const [before, after] = [isolated(cut(one.before, LONGEST)), isolated(cut(one.after, LONGEST))];
  if (one.kind === "word order" && one.before === one.after) return `move ${before}`;
  if (one.before === "") return `add ${after}`;
  if (one.after === "") return `remove ${before}`;
  return `${before} → ${after}`;
}

function texts(explanation: Explanation, repairs: readonly Repair[]): HTMLElement {
  const lines = SIDES.map((side) => [
    el("dt", {}, side),
    el("dd", { dir: "auto" }, ...marked(textOf(explanation, side), repairs, side)),
  ]);
  return el("dl", { class: "explain-text" }, ...lines.flat());
}

/** Both ends of what is longer than anybody reads here; the whole text stands above. */
function shortened(text: string): string {
  if (text.length <= LONGEST_PIECE) return visible(text);
  const end = [...text.slice(-LONGEST_PIECE / 2)].slice(1).join("");
  return `${cut(text, LONGEST_PIECE / 2)}${visible(end)}`;
}

function textOf(explanation: Explanation, side: SideName): string {
  return side === "reference" ? explanation.reference_text : explanation.hypothesis_text;
}

/** The text in pieces, those of a repair marked with its number; places count characters, not UTF-16 units. */
function marked(text: string, repairs: readonly Repair[], side: SideName): Child[] {
  const characters = [...text];
  const marks = repairs.flatMap((one, number) => marksOf(one, side).map((span) => ({ span, number })));
  const cuts = new Set([0, characters.length, ...marks.flatMap(({ span }) => [span.start, span.end])]);
  const places = [...cuts].filter((place) => place >= 0 && place <= characters.length).sort((a, b) => a - b);
  return places.flatMap((start, at) => {
    const end = places[at + 1] ?? start;
    const within = marks.some(({ span }) => span.start <= start && end <= span.end && start < end);
    const piece = shortened(characters.slice(start, end).join(""));
    // The number of a mark that ends here comes before that of words that are missing here.
    const closing = marks.filter(({ span }) => span.start < span.end);
    const missing = marks.filter(({ span }) => span.start >= span.end);
    const numbers = [...closing, ...missing].flatMap(({ span, number }) => {
      const { start: from, end: to } = span;
      if (from === to) return from === end && (start < end || start === 0) ? [`␣${number + 1}\u2005`] : [];
      return to === end && start < end ? [String(number + 1)] : [];
    });
    return [
      ...(piece === "" ? [] : [within ? el("mark", {}, piece) : piece]),
      ...numbers.map((number) => el("sup", { class: "explain-number-mark" }, number)),
    ];
  });
}

function marksOf(one: Repair, side: SideName): readonly Span[] {
  const marks = one[`${side}_marks`] ?? [];
  return marks.length === 0 ? [one[side]] : marks;
}
