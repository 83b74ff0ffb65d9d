/** Words of a sentence as text that is safe to look at. */

import type { Explanation, Word } from "../data/explanation.ts";
import { visible } from "../base/text.ts";

export const SIDES = ["reference", "hypothesis"] as const;
export type SideName = (typeof SIDES)[number];

const LONGEST = 120;

export function wordsOf(explanation: Explanation, side: string): readonly Word[] {
  return side === "reference" ? explanation.reference : explanation.hypothesis;
}

/** The text, cut if it is longer than anybody reads; characters stay whole. */
export function cut(text: string, longest = LONGEST): string {
  if (text.length <= longest) return visible(text);
  const kept = text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "");
  return `${visible(kept)}…`;
}

/** Whether the text has a space between two words that follow each other. */
export function apart(words: readonly Word[], left: number, right: number): boolean {
  const before = words[left];
  const after = words[right];
  return before === undefined || after === undefined || before.end < after.start || before.end === 0;
}

/** The words at these places as they stand in the text; `…` where some between them are left out. */
export function phrase(words: readonly Word[], places: readonly number[], longest = LONGEST): string {
  let text = "";
  let last = -1;
  for (const at of places) {
    const word = words[at];
    if (word === undefined) continue;
    if (last >= 0) text += at === last + 1 ? (apart(words, last, at) ? " " : "") : " … ";
    text += word.form;
    last = at;
    if (text.length > longest) break;
  }
  return isolated(cut(text, longest));
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Text that runs from right to left, kept from reordering what is written around it. */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Whether a sentence runs from right to left: its first letter with a direction says so. */
export function rightToLeft(words: readonly Word[]): boolean {
  for (const word of words) {
    const letter = /\p{L}/u.exec(word.form)?.[0];
    if (letter !== undefined) return RIGHT_TO_LEFT.test(letter);
  }
  return false;
}
