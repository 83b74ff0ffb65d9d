/** The drawing of a layer that one can walk through, with a pointer or by keys, and what is said on the way. */

import { el, unique } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { Explanation } from "../data/explanation.ts";
import { jumpDetails, linkDetails, wordDetails } from "./details.ts";
import { draw, targetKey } from "./drawing.ts";
import type { Drawn, Target } from "./drawing.ts";
import type { Fate, Layer } from "./layers.ts";
import { direction, related, step } from "./arrow_keys.ts";
import type { SideName } from "./words.ts";

/** The width that is assumed until the page has one. */
const USUAL_WIDTH = 960;
const HINT = "Point at a word or a link, or use the arrow keys, to see what it is worth.";

/** The drawing, with a live region that says what is looked at. */
export function walkableDrawing(explanation: Explanation, layer: Layer, fate: Record<SideName, Fate[]>): HTMLElement {
  const hint = unique("hint");
  const frame = frameOf(hint);
  const details = el("div", { class: "explain-details", "aria-live": "polite" });
  const idle = () => details.replaceChildren(el("p", { class: "explain-hint" }, HINT));
  const said = el("p", { id: hint, hidden: true }, HINT); // describes, and is not read a second time
  const whole = el("div", { class: "explain-picture" }, frame, details, said);
  let drawn: Drawn | null = null;
  let focused: Target | null = null;

  const look = (target: Target | null) => {
    frame.classList.toggle("explain-looking", target !== null);
    const near = new Set(target === null ? [] : related(layer, target).map(targetKey));
    for (const [key, { element }] of drawn?.targets ?? []) element.classList.toggle("explain-near", near.has(key));
    if (target === null) idle();
    else details.replaceChildren(...nodes(detailsOf(explanation, layer, fate, target)));
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
    const kept = focused;
    drawn = next;
    for (const { target, element } of drawn.targets.values()) {
      element.addEventListener("pointerenter", () => look(target));
      element.addEventListener("pointerleave", () => look(focused));
      element.addEventListener("focus", () => look((focused = target)));
      element.addEventListener("blur", () => look((focused = null)));
    }
    whole.classList.toggle("explain-beside", drawn.plan.orientation === "columns");
    frame.replaceChildren(...names(drawn));
    [...drawn.targets.values()].find(({ target }) => target.type === "word")?.element.setAttribute("tabindex", "0");
    idle();
    if (kept !== null) focus(kept);
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
  followWidth(whole, redraw);
  return whole;
}

/** What holds the drawing, described by the hint. */
function frameOf(hint: string): HTMLElement {
  return el("div", {
    class: "explain-drawing",
    role: "application",
    "aria-label": "Alignment of reference and hypothesis",
    "aria-describedby": hint,
  });
}

/** What there is to know about what is looked at. */
function detailsOf(
  explanation: Explanation,
  layer: Layer,
  fate: Record<SideName, Fate[]>,
  target: Target,
): readonly Child[] {
  if (target.type === "word") {
    const became = fate[target.side][target.at] ?? "ignored";
    return wordDetails(explanation, layer, target.side, target.at, became);
  }
  if (target.type === "link") {
    const link = layer.links[target.at];
    return link === undefined ? [] : linkDetails(explanation, link);
  }
  const edit = explanation.edits.filter((one) => one.jump !== null)[target.at];
  return edit === undefined ? [] : jumpDetails(explanation, edit);
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
