/** Prediction intervals, which hold most of what people think; not to be confused with those of resampling. */

import { bdi, el, type Child } from "../base/dom.ts";
import { fixed, percent } from "../base/numbers.ts";
import type { Metric } from "../data/overview.ts";

type Ends = readonly [low: number | undefined, high: number | undefined];

/** The ends of an interval of the score in a cell (system × segments + segment). */
export function endsAt(predictions: Float64Array | null | undefined, cell: number): Ends | null {
  return predictions ? [predictions[cell], predictions[cell + predictions.length / 2]] : null;
}

/** `36–100`: people differ too much for more digits. */
export function range([low, high]: Ends, metric: Pick<Metric, "digits">, between = "–"): string {
  const digits = (metric.digits ?? 4) - 2;
  return `${fixed(low, digits)}${between}${fixed(high, digits)}`;
}

/** `prediction interval 36 to 100, which holds 90 % of people's judgements`. */
export function inWords(ends: Ends, metric: Metric): string {
  return `prediction interval ${range(ends, metric, " to ")}, ${holds(metric.coverage ?? 0)}`;
}

/** `[36–100]`, in full for those who point at it or do not see it. */
export function bracketed(ends: Ends | null | undefined, metric: Metric): HTMLElement | null {
  if (!ends || !metric.coverage) return null;
  return el(
    "span",
    { class: "predicted", title: inWords(ends, metric) },
    el("span", { "aria-hidden": "true" }, `[${range(ends, metric)}]`),
    el("span", { class: "hidden-text" }, `, ${inWords(ends, metric)}`),
  );
}

/** What brackets are, if any of the metrics has them. */
export function bracketsKey(metrics: readonly Metric[]): Child[] {
  return [...new Set(metrics.flatMap(({ coverage }) => (coverage ? [coverage] : [])))].flatMap((coverage) => {
    const names = metrics.filter((metric) => metric.coverage === coverage).map((metric) => metric.name);
    return [" In brackets: the prediction interval of ", bdi(names.join(", ")), `, ${holds(coverage)}.`];
  });
}

function holds(coverage: number): string {
  return `which holds ${percent(coverage)} of people’s judgements`;
}
