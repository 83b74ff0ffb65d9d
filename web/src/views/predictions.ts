/** Prediction intervals of systems: where raters place them; not to be confused with intervals of resampling. */

import { bdi, el, type Child } from "../base/dom.ts";
import { fixed, percent } from "../base/numbers.ts";
import type { Metric } from "../data/overview.ts";

type Ends = readonly [low: number | undefined, high: number | undefined];

/** `36–100`: people differ too much for more digits. */
export function range([low, high]: Ends, metric: Pick<Metric, "digits">, between = "–"): string {
  const digits = (metric.digits ?? 4) - 2;
  return `${fixed(low, digits)}${between}${fixed(high, digits)}`;
}

/** `prediction interval 36 to 100: a percentile among systems judged together, right in 90 % of cases`. */
function inWords(ends: Ends, metric: Metric): string {
  return `prediction interval ${range(ends, metric, " to ")}: ${holds(metric.coverage ?? 0)}`;
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
    return [" In brackets: the prediction interval of ", bdi(names.join(", ")), `: ${holds(coverage)}.`];
  });
}

export function holds(coverage: number): string {
  return `a percentile among systems judged together, right in ${percent(coverage)} of cases`;
}
