/** What systems made of one segment, with their scores: the chosen one in full, the others shortened. */

import { bdi, button, el, on } from "../base/dom.ts";
import { fixed, score } from "../base/numbers.ts";
import { visible } from "../base/text.ts";
import type { Segment } from "../data/dataset.ts";
import { type Finding, type Overview, type Place, SEVERITIES } from "../data/overview.ts";
import { type Notes, placedIn } from "./annotated_text.ts";
import { comparedText } from "./compared_texts.ts";
import { arrow } from "./metric_direction.ts";
import { refusal } from "./refusals.ts";
import { findingList } from "./segment_findings.ts";
import { severityCounts } from "./severities.ts";
import { systemName } from "./system_names.ts";

/** One segment, and what is known of its translations. */
export interface Translations {
  segment: number;
  texts: Segment;
  /** By metric: systems × segments. */
  scores: readonly Float64Array[];
  human: Float64Array | null;
  /** By system. */
  findings: readonly (readonly Finding[])[];
}

/** The tags and findings of a system's text, or of the source that it was made of. */
export function notesOf(overview: Overview, of: Translations, system: number, side: Place["side"]): Notes {
  const { source, hypotheses } = of.texts.tags;
  return {
    tags: side === "source" ? source : (hypotheses[system] ?? []),
    findings: placedIn(side, of.findings[system] ?? []),
    kinds: overview.findings?.kinds ?? [],
  };
}

/** The chosen system's name, text and scores; those of the explained metric stand out. */
export function chosenSystem(overview: Overview, of: Translations, system: number, metric: number): HTMLElement {
  return el(
    "div",
    { class: "given chosen" },
    el("h3", {}, systemName(overview.systems, system)),
    el(
      "div",
      { class: "chosen-text" },
      marked(overview, of, system),
      scores(overview, of, system, metric, true),
      findingList(of.findings[system] ?? [], overview.findings?.kinds ?? []),
    ),
  );
}

/** The other systems, the best by the explained metric first; pressing one chooses it. */
export function otherSystems(
  overview: Overview,
  of: Translations,
  system: number,
  metric: number,
  choose: (system: number) => void,
): HTMLElement[] {
  const value = (one: number) => of.scores[metric]?.[one * overview.segments + of.segment] ?? NaN;
  const sign = overview.metrics[metric]?.higherIsBetter === false ? 1 : -1;
  const key = (one: number) => (Number.isNaN(value(one)) ? Infinity : sign * value(one));
  const others = overview.systems.map((_, one) => one).filter((one) => one !== system);
  others.sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
  return others.map((one) => {
    const name = button("", () => choose(one), {
      class: "link",
      "aria-label": `Explain ${visible(overview.systems[one] ?? "")}`,
    });
    name.append(systemName(overview.systems, one));
    const card = el(
      "li",
      { class: "other", "data-system": one },
      el(
        "div",
        { class: "other-head" },
        name,
        el(
          "span",
          { class: "other-score" },
          ...severityCounts(countsOf(overview, of.findings[one] ?? [])),
          el("b", {}, score(value(one), overview.metrics[metric] ?? {})),
        ),
      ),
      marked(overview, of, one),
      scores(overview, of, one, metric, false),
    );
    return on(card, {
      click: (event) => {
        // The name is a button of its own, and who marks words with the mouse wants to copy them.
        if (!name.contains(event.target as Node) && !getSelection()?.toString()) choose(one);
      },
    });
  });
}

function countsOf({ findings }: Overview, found: readonly Finding[]): number[] {
  return SEVERITIES.map((severity) => found.filter(({ kind }) => findings?.kinds[kind]?.severity === severity).length);
}

function marked(overview: Overview, of: Translations, system: number): HTMLElement {
  const { hypotheses, references } = of.texts;
  const notes = notesOf(overview, of, system, "target");
  return comparedText(hypotheses[system] ?? "", references[0] ?? "", "ins", overview.lang, notes);
}

/** A score, or why there is none. */
function valueOf(overview: Overview, of: Translations, metric: number, cell: number): HTMLElement {
  const value = of.scores[metric]?.[cell];
  const refused = refusal(overview, metric, of.segment, value);
  if (refused !== null) return el("span", { class: "value refused" }, refused);
  return el("span", { class: "value" }, score(value, overview.metrics[metric] ?? {}));
}

/** All scores of one translation, or those that are not explained. */
function scores(overview: Overview, of: Translations, system: number, explained: number, all: boolean): HTMLElement {
  const cell = system * overview.segments + of.segment;
  return el(
    "ul",
    { class: "scores", "aria-label": "Scores" },
    ...overview.metrics.map((metric, i) =>
      i === explained && !all
        ? null
        : el(
            "li",
            { class: i === explained ? "explained-metric" : null, "data-metric": metric.name },
            el("span", { class: "name" }, bdi(metric.name), all ? arrow(metric) : ""),
            " ",
            valueOf(overview, of, i, cell),
          ),
    ),
    of.human !== null && el("li", { "data-metric": "human" }, "human ", fixed(of.human[cell], 3)),
  );
}
