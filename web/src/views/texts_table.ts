/** What each system made of one segment, with its scores. */

import { bdi, el, on } from "../base/dom.ts";
import { fixed, score } from "../base/numbers.ts";
import { visible } from "../base/text.ts";
import type { Segment } from "../data/dataset.ts";
import type { Overview } from "../data/overview.ts";
import { comparedText } from "./compared_texts.ts";
import { arrow } from "./metric_direction.ts";
import { bracketed, endsAt } from "./predictions.ts";
import { systemName } from "./system_names.ts";

export function textsTable(
  overview: Overview,
  segment: number,
  texts: Segment,
  scores: readonly Float64Array[],
  predictions: readonly (Float64Array | null)[],
  human: Float64Array | null,
  choose: (system: number) => void,
): HTMLElement {
  const { lang, metrics, systems, segments } = overview;
  const reference = texts.references[0] ?? "";
  const rows = systems.map((_, system) => {
    const cell = system * segments + segment;
    return el(
      "tr",
      { "data-system": system },
      el("td", { class: "pick no-print" }, metrics.some((metric) => metric.explains) && pick(overview, system, choose)),
      el("th", { scope: "row" }, systemName(systems, system)),
      el("td", { class: "wide" }, comparedText(texts.hypotheses[system] ?? "", reference, "ins", lang)),
      ...metrics.map((metric, i) =>
        el(
          "td",
          { class: "number", "data-metric": metric.name, "data-column": i },
          score(scores[i]?.[cell], metric),
          " ",
          bracketed(endsAt(predictions[i], cell), metric),
        ),
      ),
      human !== null && el("td", { class: "number", "data-metric": "human" }, fixed(human[cell], 3)),
    );
  });
  return el(
    "div",
    { class: "scrolling", role: "region", "aria-label": "Texts of the systems", tabindex: 0 },
    el(
      "table",
      { class: "texts", "aria-label": "Texts of the systems" },
      head(overview, human !== null),
      el("tbody", {}, ...rows),
    ),
  );
}

function pick(overview: Overview, system: number, choose: (system: number) => void): HTMLElement {
  const name = `Explain ${visible(overview.systems[system] ?? "")}`;
  const input = el("input", { type: "radio", name: "explained-system", value: system, "aria-label": name });
  return on(input, { change: () => choose(system) });
}

function head({ metrics }: Overview, human: boolean): HTMLElement {
  return el(
    "thead",
    {},
    el(
      "tr",
      {},
      el("td", { class: "pick no-print" }),
      el("th", { scope: "col" }, "System"),
      el("th", { scope: "col" }, "Text"),
      ...metrics.map((metric, i) =>
        el("th", { scope: "col", class: "number", "data-column": i }, bdi(metric.name), " ", arrow(metric)),
      ),
      human && el("th", { scope: "col", class: "number" }, "human"),
    ),
  );
}
