/** The alignment of a segment: a tab for each layer, the drawing, what is looked at, and the table behind it. */

import { el, svg, unique } from "../dom.ts";
import type { Child } from "../dom.ts";
import type { Explanation, Leftover } from "../explanation.ts";
import { counted, fixed } from "../numbers.ts";
import { COMPOSED, jumpDetails, linkDetails, pairText, wordDetails } from "./details.ts";
import { draw, targetKey } from "./drawing.ts";
import type { Drawn, Target } from "./drawing.ts";
import { dashes, tones } from "./kinds.ts";
import { fates, layerTitle, layersOf } from "./layers.ts";
import type { Fate, Layer } from "./layers.ts";
import { linkTable, phraseTable } from "./link_table.ts";
import { markedText } from "./marked_text.ts";
import { direction, related, step } from "./navigation.ts";
import { short } from "./numbers.ts";
import { tabs } from "./tabs.ts";
import { SIDES, cut, phrase, wordsOf } from "./words.ts";
import type { SideName } from "./words.ts";

/** Sentences with more words than this are not drawn. */
export const MOST_WORDS = 150;
const MOST_LINKS = 600;
const MOST_LEFTOVERS = 40;
/** The width that is assumed until the page has one. */
const USUAL_WIDTH = 960;
const HINT = "Point at a word or a link, or move with the arrow keys, to see what it is worth.";

const FATE_NAMES: readonly (readonly [Fate, string])[] = [
  ["matched", "matched"],
  ["partly", "partly matched"],
  ["lost", "not matched"],
  ["ignored", "not counted"],
];

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
    Math.max(explanation.reference.length, explanation.hypothesis.length) > MOST_WORDS || layer.links.length > MOST_LINKS;
  const tables = el("details", large ? { open: true } : {}, el("summary", {}, `As a table (${counted(layer.links.length, "link")})`));
  tables.append(linkTable(explanation, layer));
  const weights = phraseTable(explanation);
  if (weights !== null) tables.append(weights);
  return el(
    "div",
    { class: "explain-layer" },
    several ? el("p", { class: "explain-title" }, title(layer)) : null,
    ...(large ? [el("p", { class: "explain-note" }, tooLarge(explanation, layer)), markedText(explanation, fate)] : [picture(explanation, layer, fate)]),
    legend(layer, fate),
    synonyms(explanation, layer),
    ...(several ? SIDES.map((side) => leftovers(explanation, layer, side)) : []),
    layer.links.length > 0 ? tables : null,
  );
}

function title(layer: Layer): string {
  const details = Object.entries(layer.feature?.details ?? {}).map(([name, value]) => `${cut(name, 40)} ${short(value)}`);
  return [layerTitle(layer), ...details].join(" · ");
}

function tooLarge(explanation: Explanation, layer: Layer): string {
  const sizes = `${counted(explanation.reference.length, "word")} in the reference, ${explanation.hypothesis.length} in the hypothesis, ${counted(layer.links.length, "link")}`;
  return `Too large to draw (${sizes}). The words are marked in the text; the links are in the table.`;
}

/** The drawing, with a live region that says what is looked at. */
function picture(explanation: Explanation, layer: Layer, fate: Record<SideName, Fate[]>): HTMLElement {
  const hint = unique("hint");
  const frame = el("div", { class: "explain-drawing", role: "application", "aria-label": "Alignment of reference and hypothesis", "aria-describedby": hint });
  const details = el("div", { class: "explain-details", "aria-live": "polite" });
  const idle = () => details.replaceChildren(el("p", { class: "explain-hint" }, HINT));
  let drawn: Drawn | null = null;
  let focused: Target | null = null;

  const look = (target: Target | null) => {
    frame.classList.toggle("explain-looking", target !== null);
    const near = new Set(target === null ? [] : related(layer, target).map(targetKey));
    for (const [key, { element }] of drawn?.targets ?? []) element.classList.toggle("explain-near", near.has(key));
    if (target === null) idle();
    else if (target.type === "word") {
      details.replaceChildren(...nodes(wordDetails(explanation, layer, target.side, target.at, fate[target.side][target.at] ?? "ignored")));
    } else if (target.type === "link") {
      const link = layer.links[target.at];
      if (link !== undefined) details.replaceChildren(...nodes(linkDetails(explanation, link)));
    } else {
      const edit = explanation.edits.filter((one) => one.jump !== null)[target.at];
      if (edit !== undefined) details.replaceChildren(...nodes(jumpDetails(explanation, edit)));
    }
  };

  const focus = (target: Target) => {
    const next = drawn?.targets.get(targetKey(target));
    if (next === undefined) return;
    for (const { element } of drawn?.targets.values() ?? []) element.setAttribute("tabindex", "-1");
    next.element.setAttribute("tabindex", "0");
    next.element.focus();
  };

  const redraw = (width: number) => {
    const next = draw(explanation, layer, fate, width);
    // Rows look the same in any width that they fit into.
    if (drawn?.plan.orientation === "rows" && next.plan.orientation === "rows") return;
    drawn = next;
    for (const { target, element } of drawn.targets.values()) {
      element.addEventListener("pointerenter", () => look(target));
      element.addEventListener("pointerleave", () => look(focused));
      element.addEventListener("focus", () => look((focused = target)));
      element.addEventListener("blur", () => look((focused = null)));
    }
    frame.replaceChildren(...names(drawn));
    [...drawn.targets.values()].find(({ target }) => target.type === "word")?.element.setAttribute("tabindex", "0");
    idle();
  };

  frame.addEventListener("keydown", (event) => {
    if (focused === null || drawn === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const side = focused.type === "word" ? focused.side : "reference";
    const way = direction(event.key, drawn.plan.orientation, drawn.plan.reversed[side]);
    if (way === null) return;
    event.preventDefault();
    event.stopPropagation();
    focus(step(explanation, layer, focused, way));
  });

  redraw(USUAL_WIDTH);
  followWidth(frame, redraw);
  return el("div", {}, frame, details, el("p", { id: hint, class: "explain-unseen" }, HINT));
}

/** The names of the sides, above the columns or around the rows. */
function names(drawn: Drawn): Element[] {
  const name = (side: SideName) => el("span", { class: "explain-side" }, side);
  if (drawn.plan.orientation === "rows") return [name("reference"), drawn.root, name("hypothesis")];
  const heads = el("span", { class: "explain-sides" }, name("reference"), name("hypothesis"));
  heads.style.width = `${drawn.plan.width.toFixed(0)}px`;
  return [heads, drawn.root];
}

function followWidth(frame: HTMLElement, redraw: (width: number) => void): void {
  if (typeof ResizeObserver === "undefined") return;
  let last = USUAL_WIDTH;
  new ResizeObserver((entries) => {
    const width = Math.floor(entries[entries.length - 1]?.contentRect.width ?? 0);
    if (width <= 0 || width === last) return;
    last = width;
    redraw(width);
  }).observe(frame);
}

function nodes(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child instanceof Node || typeof child === "string");
}

/** What kinds of links and fates of words look like, with how many there are. */
function legend(layer: Layer, fate: Record<SideName, readonly Fate[]>): HTMLElement | null {
  const counts = new Map<string, number>();
  for (const link of layer.links) {
    const kind = link.kind.startsWith("within ") ? "within a match" : link.kind;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const looks = tones(layer.links.map((link) => link.kind));
  const items = [...counts].slice(0, 12).map(([kind, count]) => {
    const tone = looks.get(kind) ?? 5;
    const pattern = dashes(tone);
    const line = svg("line", { x1: 1, y1: 6, x2: 33, y2: 6, class: "explain-line", "stroke-width": 2.6, ...(pattern ? { "stroke-dasharray": pattern } : {}) });
    const sample = svg("svg", { width: 34, height: 12, class: `explain-tone-${tone}`, "aria-hidden": "true" }, line);
    return el("li", {}, sample, `${cut(kind, 40)} (${count})`);
  });
  const words = [...fate.reference, ...fate.hypothesis];
  for (const [name, label] of FATE_NAMES) {
    const count = words.filter((one) => one === name).length;
    if (count > 0) items.push(el("li", {}, el("span", { class: `explain-sample explain-${name}`, "aria-hidden": "true" }, "word"), `${label} (${count})`));
  }
  return items.length === 0 ? null : el("ul", { class: "explain-legend", "aria-label": "Legend" }, ...items);
}

/** The synonyms inside matches that are made of several pieces. */
function synonyms(explanation: Explanation, layer: Layer): HTMLElement | null {
  if (!layer.links.some((link) => link.kind === COMPOSED)) return null;
  const pairs = new Set(explanation.links.filter((link) => link.kind === "synonym").map((link) => pairText(explanation, link)));
  if (pairs.size === 0) return null;
  return el("p", {}, el("span", { class: "explain-term" }, "Synonyms: "), [...pairs].slice(0, MOST_LEFTOVERS).join(" · "));
}

/** What a layer left over on one side. */
function leftovers(explanation: Explanation, layer: Layer, side: SideName): HTMLElement | null {
  const found = layer.leftovers.filter((rest) => rest.side === side && rest.words.length > 0);
  if (found.length === 0) return null;
  const chip = (rest: Leftover) =>
    el("li", { dir: "auto" }, phrase(wordsOf(explanation, side), rest.words, 60), el("small", {}, ` ${fixed(rest.weight, 2)}`));
  const items = found.slice(0, MOST_LEFTOVERS).map(chip);
  if (found.length > MOST_LEFTOVERS) items.push(el("li", {}, `and ${found.length - MOST_LEFTOVERS} more`));
  const name = side === "reference" ? "Missing: in the reference only" : "Extra: in the hypothesis only";
  return el("div", { class: "explain-leftovers" }, el("h4", {}, name), el("ul", { class: "explain-chips" }, ...items));
}
