/** Which word, link or jump an arrow key leads to: along a sentence, or across over a link to the other one. */

import type { Edit, Explanation } from "../data/explanation.ts";
import type { Target } from "./drawing.ts";
import type { Layer } from "./layers.ts";
import type { Orientation } from "./layout.ts";
import { wordsOf } from "./words.ts";
import type { SideName } from "./words.ts";

/** A direction in the drawing: towards the start or end of a sentence, towards reference or hypothesis. */
export type Direction = "back" | "on" | "up" | "down" | "first" | "last";

/** The direction of a key; in columns the axes are exchanged, in sentences from right to left one is turned. */
export function direction(key: string, orientation: Orientation, reversed: boolean): Direction | null {
  if (key === "Home") return "first";
  if (key === "End") return "last";
  const keys: Readonly<Record<string, Direction>> =
    orientation === "rows"
      ? { ArrowLeft: reversed ? "on" : "back", ArrowRight: reversed ? "back" : "on", ArrowUp: "up", ArrowDown: "down" }
      : { ArrowUp: "back", ArrowDown: "on", ArrowLeft: "up", ArrowRight: "down" };
  return keys[key] ?? null;
}

/** The target next to one, or the same if there is none. */
export function step(explanation: Explanation, layer: Layer, from: Target, to: Direction): Target {
  const jumps = explanation.edits.filter((edit) => edit.jump !== null);
  if (from.type === "word") return fromWord(explanation, layer, jumps, from, to);
  if (from.type === "link") return fromLink(layer, from.at, to);
  return fromJump(explanation, jumps, from.at, to);
}

function fromWord(
  explanation: Explanation,
  layer: Layer,
  jumps: readonly Edit[],
  from: Extract<Target, { type: "word" }>,
  to: Direction,
): Target {
  const { side, at } = from;
  const last = wordsOf(explanation, side).length - 1;
  const word = (place: number): Target => ({ type: "word", side, at: Math.min(Math.max(place, 0), last) });
  if (to === "back") return word(at - 1);
  if (to === "on") return word(at + 1);
  if (to === "first") return word(0);
  if (to === "last") return word(last);
  if ((to === "up") === (side === "reference")) {
    const jump = jumps.findIndex((edit) => edit.jump?.side === side);
    return jump < 0 ? from : { type: "jump", at: jump };
  }
  const link = layer.links.findIndex(
    (one) => one[side].includes(at) && one.reference.length > 0 && one.hypothesis.length > 0,
  );
  if (link >= 0) return { type: "link", at: link };
  const other: SideName = side === "reference" ? "hypothesis" : "reference";
  const length = wordsOf(explanation, other).length;
  return length === 0 ? from : { type: "word", side: other, at: Math.min(at, length - 1) };
}

function fromLink(layer: Layer, at: number, to: Direction): Target {
  const drawn = layer.links.flatMap((link, place) =>
    link.reference.length > 0 && link.hypothesis.length > 0 ? [place] : [],
  );
  const place = drawn.indexOf(at);
  const link = (index: number): Target => ({
    type: "link",
    at: drawn[Math.min(Math.max(index, 0), drawn.length - 1)] ?? at,
  });
  if (to === "back") return link(place - 1);
  if (to === "on") return link(place + 1);
  if (to === "first") return link(0);
  if (to === "last") return link(drawn.length - 1);
  const side: SideName = to === "up" ? "reference" : "hypothesis";
  return { type: "word", side, at: layer.links[at]?.[side][0] ?? 0 };
}

function fromJump(explanation: Explanation, jumps: readonly Edit[], at: number, to: Direction): Target {
  const jump = (index: number): Target => ({ type: "jump", at: Math.min(Math.max(index, 0), jumps.length - 1) });
  if (to === "back") return jump(at - 1);
  if (to === "on") return jump(at + 1);
  if (to === "first") return jump(0);
  if (to === "last") return jump(jumps.length - 1);
  const side: SideName = jumps[at]?.jump?.side === "reference" ? "reference" : "hypothesis";
  if ((to === "down") !== (side === "reference")) return jump(at);
  const last = wordsOf(explanation, side).length - 1;
  return last < 0 ? jump(at) : { type: "word", side, at: Math.min(jumps[at]?.jump?.target ?? 0, last) };
}

/** Links and words that belong to a target, and are shown with it. */
export function related(layer: Layer, target: Target): Target[] {
  const ofLink = (at: number): Target[] => {
    const link = layer.links[at];
    if (link === undefined) return [];
    const words = (side: SideName) => link[side].map((place): Target => ({ type: "word", side, at: place }));
    return [{ type: "link", at }, ...words("reference"), ...words("hypothesis")];
  };
  if (target.type === "link") return ofLink(target.at);
  if (target.type === "jump") return [target];
  const links = layer.links.flatMap((link, at) => (link[target.side].includes(target.at) ? ofLink(at) : []));
  return [target, ...links];
}
