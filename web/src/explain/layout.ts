/**
 * Where things stand in the drawing of two sentences.
 *
 * The sentences lie in two rows one above the other where they fit, and else in two columns side by side. Both
 * are one geometry with two axes: `along` the sentence, and `across` from the reference to the hypothesis.
 */

import type { Word } from "../data/explanation.ts";
import { greatest, least } from "./numbers.ts";
import { apart, cut, rightToLeft } from "./words.ts";
import type { SideName } from "./words.ts";

export type Orientation = "rows" | "columns";

/** A stretch of the axis along the sentence. */
export interface Stretch {
  from: number;
  to: number;
}

/** A word: its stretch along the sentence, its text as shown and the width of its box. */
export interface Box extends Stretch {
  text: string;
  width: number;
}

export interface Layout {
  orientation: Orientation;
  boxes: Record<SideName, Box[]>;
  /** Across: the outer and the inner edge of the words of each side. */
  edges: Record<SideName, { outer: number; inner: number }>;
  /** Whether the words of a side run backwards along the axis. */
  reversed: Record<SideName, boolean>;
  width: number;
  height: number;
}

/** Room that a layer needs beside the words: outside for phrases and jumps, inside for brackets of spans. */
export interface Room {
  outside: Record<SideName, number>;
  inside: Record<SideName, number>;
}

/** The font of words at its widest: that of those without a partner. */
const FONT = "600 14px system-ui, sans-serif";
export const HEIGHT = 26;
const PADDING = 7;
const GAP = 7;
const NARROW_GAP = 2;
const BETWEEN_ROWS = 96;
const BETWEEN_COLUMNS = 110;
const LEAST_COLUMN = 60;
const MARGIN = 6;
const WIDE = 900;
const BESIDE = 360;
const ROW_STEP = 30;
const LONGEST_FORM = 32;

let context: CanvasRenderingContext2D | null | undefined;

/** The width of a text in pixels; guessed from its characters where nothing can be measured. */
export function textWidth(text: string): number {
  if (context === undefined) context = document.createElement("canvas").getContext?.("2d") ?? null;
  if (context !== null) {
    context.font = FONT;
    const width = context.measureText(text).width;
    if (width > 0) return width;
  }
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) >= 0x1100 ? 14 : 7.6;
  return width;
}

/** The place of every word in a space that is `available` pixels wide. */
export function layout(words: Record<SideName, readonly Word[]>, room: Room, available: number): Layout {
  const rows = inRows(words, room);
  if (rows.width <= available) return rows;
  // Beside columns in a wide space there is room for what is known of a word.
  return inColumns(words, room, available >= WIDE ? available - BESIDE : available);
}

function inRows(words: Record<SideName, readonly Word[]>, room: Room): Layout {
  const boxes = { reference: row(words.reference), hypothesis: row(words.hypothesis) };
  const reversed = { reference: rightToLeft(words.reference), hypothesis: rightToLeft(words.hypothesis) };
  const length = Math.max(end(boxes.reference), end(boxes.hypothesis)) + MARGIN;
  for (const side of ["reference", "hypothesis"] as const) {
    if (reversed[side])
      boxes[side] = boxes[side].map((box) => ({ ...box, from: length - box.to, to: length - box.from }));
  }
  const top = MARGIN + room.outside.reference;
  const inner = top + HEIGHT;
  const lower = inner + room.inside.reference + BETWEEN_ROWS + room.inside.hypothesis;
  return {
    orientation: "rows",
    boxes,
    edges: {
      reference: { outer: top, inner },
      hypothesis: { outer: lower + HEIGHT, inner: lower },
    },
    reversed,
    width: length,
    height: lower + HEIGHT + room.outside.hypothesis + MARGIN,
  };
}

function row(words: readonly Word[]): Box[] {
  let from = MARGIN;
  return words.map((word, at) => {
    const text = cut(word.form, LONGEST_FORM);
    const width = Math.max(textWidth(text), 8) + 2 * PADDING;
    const box = { from, to: from + width, text, width };
    from = box.to + (apart(words, at, at + 1) ? GAP : NARROW_GAP);
    return box;
  });
}

function end(boxes: readonly Box[]): number {
  return boxes[boxes.length - 1]?.to ?? 0;
}

function inColumns(words: Record<SideName, readonly Word[]>, room: Room, available: number): Layout {
  const inside = room.inside.reference + room.inside.hypothesis;
  const outside = room.outside.reference + room.outside.hypothesis;
  const widest = Math.max((available - 2 * MARGIN - BETWEEN_COLUMNS - inside - outside) / 2, LEAST_COLUMN);
  const boxes = { reference: column(words.reference, widest), hypothesis: column(words.hypothesis, widest) };
  const own = (side: SideName) =>
    greatest(
      boxes[side].map((box) => box.width),
      LEAST_COLUMN,
    );
  const start = MARGIN + room.outside.reference;
  const inner = start + own("reference");
  // What columns leave over goes to the links, up to a width that the eye can still follow.
  const needed = inner + inside + own("hypothesis") + room.outside.hypothesis + MARGIN;
  const between = Math.min(Math.max(available - needed, BETWEEN_COLUMNS), 260);
  const second = inner + inside + between;
  return {
    orientation: "columns",
    boxes,
    edges: {
      reference: { outer: start, inner },
      hypothesis: { outer: second + own("hypothesis"), inner: second },
    },
    reversed: { reference: false, hypothesis: false },
    width: needed + between,
    height: Math.max(end(boxes.reference), end(boxes.hypothesis)) + MARGIN,
  };
}

function column(words: readonly Word[], widest: number): Box[] {
  return words.map((word, at) => {
    let text = cut(word.form, LONGEST_FORM);
    for (let length = text.length - 1; length > 1 && textWidth(text) + 2 * PADDING > widest; length--) {
      text = cut(word.form, length);
    }
    const from = MARGIN + at * ROW_STEP;
    return { from, to: from + HEIGHT, text, width: Math.min(textWidth(text) + 2 * PADDING, widest) };
  });
}

/** The stretch that words at these places take. */
export function stretch(boxes: readonly Box[], places: readonly number[]): Stretch | null {
  const found = places.flatMap((at) => boxes[at] ?? []);
  if (found.length === 0) return null;
  return {
    from: least(
      found.map((box) => box.from),
      Infinity,
    ),
    to: greatest(found.map((box) => box.to)),
  };
}

/** The gap before the word at a place, or behind the last one. */
export function gapBefore(plan: Layout, side: SideName, place: number): number {
  const boxes = plan.boxes[side];
  const backwards = plan.reversed[side];
  const next = boxes[place];
  if (next !== undefined) return backwards ? next.to + GAP / 2 : next.from - GAP / 2;
  const last = boxes[boxes.length - 1];
  if (last === undefined) return MARGIN;
  return backwards ? last.from - GAP / 2 : last.to + GAP / 2;
}

/** A lane for each stretch, so that those in one lane do not overlap; there are at most `most` lanes. */
export function lanes(stretches: readonly Stretch[], most: number): number[] {
  const ends: number[] = [];
  const result = new Array<number>(stretches.length).fill(0);
  const order = stretches.map((_, at) => at);
  order.sort((a, b) => (stretches[a]?.from ?? 0) - (stretches[b]?.from ?? 0));
  for (const at of order) {
    const one = stretches[at];
    if (one === undefined) continue;
    let lane = ends.findIndex((occupied) => occupied <= one.from);
    if (lane < 0) lane = ends.length < most ? ends.length : at % most;
    ends[lane] = Math.max(ends[lane] ?? 0, one.to);
    result[at] = lane;
  }
  return result;
}
