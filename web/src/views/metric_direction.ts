/** Whether higher or lower scores of a metric are better. */

import { el } from "../base/dom.ts";
import type { Metric } from "../data/overview.ts";

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
