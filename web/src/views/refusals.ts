/** Segments that a metric refused: what stands where their score would be. */

import { el } from "../base/dom.ts";
import { count, counted, NONE } from "../base/numbers.ts";
import type { Metric, Overview } from "../data/overview.ts";

/** Why a metric has no score of a segment; null if it has one, or nobody refused anything. */
export function refusal(overview: Overview, metric: number, segment: number, value: number | undefined): string | null {
  if (!overview.metrics[metric]?.skipped || value === undefined || Number.isFinite(value)) return null;
  const reasons = (overview.refusals ?? []).filter((one) => one.metric === metric && one.segment === segment);
  const told = reasons.map(({ system, code, message }) => {
    const of = system === null || overview.systems.length < 2 ? "" : ` for ${overview.systems[system] ?? ""}`;
    return `Refused${of}: [${code}] ${message}`;
  });
  return told.length > 0 ? told.join("\n") : "Refused, and left out for all systems.";
}

/** The sign for it, which is read aloud as a word. */
export function refusedSign(): HTMLElement {
  return el("span", { class: "refused" }, NONE, el("span", { class: "hidden-text" }, " refused"));
}

/** What a reader of the scores must know; null if nothing was refused. */
export function refusedNote(overview: Overview, metric: Metric): string | null {
  if (!metric.skipped) return null;
  return `Without ${count(metric.skipped)} of ${counted(overview.segments, "segment")}, which it refused.`;
}
