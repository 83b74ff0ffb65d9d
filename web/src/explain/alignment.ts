/** The alignment of a segment: a tab for each layer, the drawing, what is looked at, and the table behind it. */

import { el } from "../base/dom.ts";
import type { Explanation, Leftover } from "../data/explanation.ts";
import { count, counted, fixed } from "../base/numbers.ts";
import { COMPOSED, pairText } from "./details.ts";
import type { Layer } from "./layers.ts";
import { fates, layerTitle, layersOf } from "./layers.ts";
import { legend } from "./legend.ts";
import { linkTable, phraseTable } from "./link_table.ts";
import { markedText } from "./marked_text.ts";
import { short } from "./numbers.ts";
import { walkableDrawing } from "./walkable_drawing.ts";
import { tabs } from "./tabs.ts";
import { SIDES, cut, phrase, wordsOf } from "./words.ts";
import type { SideName } from "./words.ts";

/** Sentences with more words than this are not drawn. */
export const MOST_WORDS = 150;
const MOST_LINKS = 600;
const MOST_LEFTOVERS = 40;

export function alignmentView(explanation: Explanation): HTMLElement {
  const layers = layersOf(explanation);
  return tabs(
    "Layers of the metric",
    layers.map((layer) => ({
      label: layers.length > 1 ? cut(layer.name, 30) : layerTitle(layer),
      ...(layer.feature === null ? {} : { value: fixed(layer.feature.value, 2) }),
      panel: () => layerView(explanation, layer, layers.length > 1),
    })),
  );
}

function layerView(explanation: Explanation, layer: Layer, several: boolean): HTMLElement {
  const fate = fates(explanation, layer);
  const large =
    Math.max(explanation.reference.length, explanation.hypothesis.length) > MOST_WORDS ||
    layer.links.length > MOST_LINKS;
  const tables = el(
    "details",
    large ? { open: true } : {},
    el("summary", {}, `As a table (${counted(layer.links.length, "link")})`),
  );
  tables.append(linkTable(explanation, layer));
  const weights = phraseTable(explanation);
  if (weights !== null) tables.append(weights);
  return el(
    "div",
    { class: "explain-layer" },
    several ? el("p", { class: "explain-title" }, title(layer)) : null,
    ...(large
      ? [el("p", { class: "explain-note" }, tooLarge(explanation, layer)), markedText(explanation, fate)]
      : [walkableDrawing(explanation, layer, fate)]),
    legend(layer, fate),
    synonyms(explanation, layer),
    ...(several ? SIDES.map((side) => leftovers(explanation, layer, side)) : []),
    layer.links.length > 0 ? tables : null,
  );
}

function title(layer: Layer): string {
  const details = Object.entries(layer.feature?.details ?? {}).map(
    ([name, value]) => `${cut(name, 40)} ${short(value)}`,
  );
  return [layerTitle(layer), ...details].join(" · ");
}

function tooLarge(explanation: Explanation, layer: Layer): string {
  const sizes = [
    `${counted(explanation.reference.length, "word")} in the reference`,
    `${count(explanation.hypothesis.length)} in the hypothesis`,
    counted(layer.links.length, "link"),
  ];
  return `Too large to draw (${sizes.join(", ")}). The words are marked in the text; the links are in the table.`;
}

/** The synonyms inside matches that are made of several pieces. */
function synonyms(explanation: Explanation, layer: Layer): HTMLElement | null {
  if (!layer.links.some((link) => link.kind === COMPOSED)) return null;
  const pairs = new Set(
    explanation.links.filter((link) => link.kind === "synonym").map((link) => pairText(explanation, link)),
  );
  if (pairs.size === 0) return null;
  return el(
    "p",
    {},
    el("span", { class: "explain-term" }, "Synonyms: "),
    [...pairs].slice(0, MOST_LEFTOVERS).join(" · "),
  );
}

/** What a layer left over on one side. */
function leftovers(explanation: Explanation, layer: Layer, side: SideName): HTMLElement | null {
  const found = layer.leftovers.filter((rest) => rest.side === side && rest.words.length > 0);
  if (found.length === 0) return null;
  const chip = (rest: Leftover) =>
    el(
      "li",
      { dir: "auto" },
      phrase(wordsOf(explanation, side), rest.words, 60),
      el("small", {}, ` ${fixed(rest.weight, 2)}`),
    );
  const items = found.slice(0, MOST_LEFTOVERS).map(chip);
  if (found.length > MOST_LEFTOVERS) items.push(el("li", {}, `and ${found.length - MOST_LEFTOVERS} more`));
  const name = side === "reference" ? "Missing: in the reference only" : "Extra: in the hypothesis only";
  return el("div", { class: "explain-leftovers" }, el("h6", {}, name), el("ul", { class: "explain-chips" }, ...items));
}
