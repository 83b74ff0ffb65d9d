/** A score with its interval, drawn on a line. */

import { svg } from "../base/dom.ts";

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
