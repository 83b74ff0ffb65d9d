/** Small pieces that several views draw. */

import { bdi, el, idle, svg } from "../base/dom.ts";
import { shortNames } from "../base/short_names.ts";
import type { Metric } from "../data/overview.ts";
import { visible } from "../base/text.ts";

/** The class that has a system's colour; after ten systems colours come again, names never. */
export function series(system: number): string {
  return `series-${(system % 10) + 1}`;
}

/** Columns that a name may take in a table, and those in a drop-down. */
const NAME = 24;
const OPTION = 48;

const shortened = new WeakMap<readonly string[], Map<number, string[]>>();

/** The names of all systems in at most `most` columns, made once. */
function fitted(systems: readonly string[], most: number): string[] {
  const known = shortened.get(systems) ?? new Map<number, string[]>();
  shortened.set(systems, known);
  const made = known.get(most) ?? shortNames(systems, most);
  known.set(most, made);
  return made;
}

export function systemLabels(systems: readonly string[]): string[] {
  return fitted(systems, NAME);
}

/** Systems as the options of a drop-down. */
export function systemOptions(systems: readonly string[]): (readonly [number, string])[] {
  return fitted(systems, OPTION).map((name, system) => [system, name] as const);
}

/** A name that may be cut for the eye; pointing at it, or a screen reader, tells all of it. */
export function shortName(systems: readonly string[], system: number): HTMLElement {
  const name = systems[system] ?? "";
  const label = systemLabels(systems)[system] ?? "";
  if (label === name) return bdi(name);
  return el(
    "span",
    { title: visible(name) },
    bdi(label, { "aria-hidden": "true" }),
    el("span", { class: "hidden-text" }, visible(name)),
  );
}

export function systemName(systems: readonly string[], system: number): HTMLElement {
  return el(
    "span",
    { class: `system ${series(system)}` },
    el("span", { class: "swatch", "aria-hidden": "true" }),
    shortName(systems, system),
  );
}

export function direction(metric: Metric): string {
  return metric.higherIsBetter ? "higher is better" : "lower is better";
}

export function arrow(metric: Metric): HTMLElement {
  return el(
    "span",
    { class: "arrow", title: direction(metric) },
    el("span", { "aria-hidden": "true" }, metric.higherIsBetter ? "↑" : "↓"),
    el("span", { class: "hidden-text" }, `, ${direction(metric)}`),
  );
}

/** A view, and when it has its height. */
export interface Drawn {
  element: HTMLElement;
  ready: Promise<void>;
}

/**
 * Runs once when the element comes near the screen or the browser has nothing else to do: paper shows what nobody has
 * scrolled to, and does not wait for it to be drawn.
 */
export function whenNear(element: HTMLElement, run: () => void): void {
  let ran = false;
  const once = () => {
    if (ran) return;
    ran = true;
    watch.disconnect();
    run();
  };
  const watch = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) once();
    },
    { rootMargin: "200px" },
  );
  watch.observe(element);
  addEventListener("beforeprint", once, { once: true });
  void idle().then(once);
}

/** Runs `change` with true before the page is laid out for paper and with false afterwards. */
export function aroundPrint(change: (printing: boolean) => void): void {
  addEventListener("beforeprint", () => change(true));
  addEventListener("afterprint", () => change(false));
  matchMedia("print").addEventListener("change", (event) => change(event.matches));
}

/** A section of the page that the navigation leads to. */
export function section(id: string, title: string, ...children: (Node | string)[]): HTMLElement {
  return el(
    "section",
    { id, class: "view", "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title`, tabindex: -1 }, title),
    ...children,
  );
}

/** A scale from data to pixels. */
export function scale(low: number, high: number, from: number, to: number): (value: number) => number {
  const factor = high > low ? (to - from) / (high - low) : 0;
  return (value) => (high > low ? from + (value - low) * factor : (from + to) / 2);
}

/** Score and interval as a mark and a bar on a line, between the ends of a column. */
export function intervalBar(
  score: number,
  low: number | null,
  high: number | null,
  ends: readonly [number, number],
  width: number,
): SVGSVGElement {
  const x = scale(ends[0], ends[1], 5, width - 5);
  const line =
    low !== null && high !== null
      ? [svg("line", { class: "whisker", x1: x(low).toFixed(1), x2: x(high).toFixed(1), y1: 8, y2: 8 })]
      : [];
  return svg(
    "svg",
    { class: "interval", width, height: 16, viewBox: `0 0 ${width} 16`, "aria-hidden": "true" },
    svg("line", { class: "track", x1: 0, x2: width, y1: 8, y2: 8 }),
    ...line,
    svg("line", { class: "score", x1: x(score).toFixed(1), x2: x(score).toFixed(1), y1: 2, y2: 14 }),
  );
}
