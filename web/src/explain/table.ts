/** Tables: plain, readable aloud, and cut where they would be endless. */

import { el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";

export interface Column {
  title: string;
  /** Whether the column has numbers, which stand flush right. */
  number?: boolean;
}

/** Rows that are made when they are needed; an array of rows is one, too. */
export interface Rows {
  readonly length: number;
  at(index: number): readonly Child[] | undefined;
}

/** A row for each item. */
export function each<T>(items: readonly T[], row: (item: T, at: number) => Child[]): Rows {
  return { length: items.length, at: (index) => (index in items ? row(items[index] as T, index) : undefined) };
}

const FIRST_ROWS = 200;

/** A table in a frame that scrolls by itself; rows beyond the first 200 come when asked for. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: Rows,
  classes: readonly string[] = [],
): HTMLElement {
  const body = el("tbody");
  let shown = 0;
  const more = el("button", { type: "button", class: "explain-more" });
  const show = () => {
    const end = Math.min(shown + FIRST_ROWS, rows.length);
    for (; shown < end; shown++) body.append(row(columns, rows.at(shown) ?? [], classes[shown] ?? ""));
    more.hidden = shown >= rows.length;
    more.textContent = `Show more rows (${rows.length - shown} left)`;
  };
  more.addEventListener("click", show);
  show();
  const heads = columns.map((column) => {
    const look = { class: column.number ? "explain-number" : null };
    // A heading without words would be read aloud as one.
    return column.title === "" ? el("td", look) : el("th", { scope: "col", ...look }, column.title);
  });
  return el(
    "div",
    // A frame that scrolls must be reachable with the keyboard.
    { class: "explain-scroll", tabindex: 0, role: "group", "aria-label": caption },
    el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, ...heads)), body),
    more,
  );
}

function row(columns: readonly Column[], cells: readonly Child[], classes: string): HTMLElement {
  return el(
    "tr",
    { class: classes || null },
    ...cells.map((cell, at) => el("td", columns[at]?.number ? { class: "explain-number" } : { dir: "auto" }, cell)),
  );
}

/** A bar from `from` to `to` on a scale from `low` to `high`, with a mark at zero if that lies inside. */
export function bar(from: number, to: number, low: number, high: number, classes: string): HTMLElement {
  const size = high - low || 1;
  const share = (value: number) => (100 * (Math.min(Math.max(value, low), high) - low)) / size;
  const fill = el("span", { class: `explain-fill ${classes}` });
  fill.style.left = `${share(Math.min(from, to)).toFixed(2)}%`;
  fill.style.width = `${(share(Math.max(from, to)) - share(Math.min(from, to))).toFixed(2)}%`;
  const track = el("span", { class: "explain-track", "aria-hidden": "true" }, fill);
  if (low < 0 && high > 0) {
    const zero = el("span", { class: "explain-zero" });
    zero.style.left = `${share(0).toFixed(2)}%`;
    track.append(zero);
  }
  return track;
}
