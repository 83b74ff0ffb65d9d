/** The systems, best first, with what resampling says about their differences. */

import type { Dataset } from "../data/dataset.ts";
import { bdi, button, choice, el, explained, labelled } from "../base/dom.ts";
import { count, counted, fixed, probability, score } from "../base/numbers.ts";
import { visible } from "../base/text.ts";
import type { Metric, MetricTable, Overview, SystemRow } from "../data/overview.ts";
import type { Store } from "../state/state.ts";
import { intervalBar } from "./interval_bar.ts";
import { arrow, direction } from "./metric_direction.ts";
import { bracketed, bracketsKey, holds, range } from "./predictions.ts";
import { refusedNote } from "./refusals.ts";
import { section } from "./section.ts";
import { shortName, systemName } from "./system_names.ts";

/** First and last place of what cannot be told apart from a row; in older results, of the cluster that it is in. */
export function rankRange(rows: readonly SystemRow[], row: SystemRow): string {
  if (row.best && row.worst) return row.best === row.worst ? String(row.best) : `${row.best}–${row.worst}`;
  if (row.cluster === null) return String(row.rank);
  const places = rows.flatMap((other, place) => (other.cluster === row.cluster ? [place + 1] : []));
  const first = Math.min(...places);
  const last = Math.max(...places);
  return first === last ? String(first) : `${first}–${last}`;
}

/** From the least to the greatest end of any interval. */
function ends(rows: readonly SystemRow[]): [number, number] {
  const values = rows
    .flatMap((row) => [row.low, row.high, row.score])
    .filter((value): value is number => value !== null && Number.isFinite(value));
  return [Math.min(...values), Math.max(...values)];
}

function oneMetric(overview: Overview, metric: Metric, table: MetricTable): HTMLElement {
  const limits = ends(table.rows);
  const tested = table.rows.some((row) => row.cluster !== null);
  const hasInterval = table.rows.some((row) => row.low !== null);
  const coverage = metric.coverage ?? null;
  const body = table.rows.map((row, place) => {
    const above = table.rows[place - 1];
    const begins = above && row.cluster !== null && row.cluster !== above.cluster;
    return el(
      "tr",
      { class: begins ? "cluster-start" : null },
      el("td", { class: "number" }, rankRange(table.rows, row)),
      el("th", { scope: "row" }, systemName(overview.systems, row.system)),
      el("td", { class: "number strong" }, score(row.score, metric)),
      hasInterval &&
        el(
          "td",
          { class: "number muted" },
          row.low === null ? "–" : `${score(row.low, metric)} to ${score(row.high, metric)}`,
        ),
      coverage !== null &&
        el("td", { class: "number muted" }, row.predicted ? range(row.predicted, metric, " to ") : "–"),
      el("td", { class: "plot" }, row.score !== null && intervalBar(row.score, row.low, row.high, limits, 220)),
      overview.human !== null && el("td", { class: "number" }, fixed(overview.human.system[row.system], 3)),
    );
  });
  return explained(
    `Systems by ${metric.name}`,
    [
      bdi(metric.name),
      `: ${direction(metric)}. ${tested ? "A rank is the range of places that cannot be told apart by randomisation tests of all pairs, and a line separates clusters: systems between two lines do not differ significantly." : ""}`,
      refusedNote(overview, metric) !== null && ` ${refusedNote(overview, metric)}`,
      coverage !== null && ` Its prediction interval says where raters place the system: ${holds(coverage)}.`,
      coverage !== null && hasInterval && " The 95 % interval says how much the score hangs on the choice of segments.",
    ],
    el(
      "table",
      { class: "systems" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col", class: "number" }, "Rank"),
          el("th", { scope: "col" }, "System"),
          el("th", { scope: "col", class: "number" }, "Score"),
          hasInterval && el("th", { scope: "col", class: "number" }, "95 % interval"),
          coverage !== null && el("th", { scope: "col", class: "number" }, "Prediction interval"),
          el(
            "td",
            {},
            el(
              "span",
              { class: "axis" },
              el("span", {}, score(limits[0], metric)),
              el("span", {}, score(limits[1], metric)),
            ),
          ),
          overview.human !== null && el("th", { scope: "col", class: "number" }, "Human: ", bdi(overview.human.name)),
        ),
      ),
      el("tbody", {}, ...body),
    ),
  );
}

/** All metrics side by side, ordered by the first of them. */
function allMetrics(overview: Overview, open: (metric: number) => void): HTMLElement {
  const order = overview.table[0]?.rows.map((row) => row.system) ?? [];
  const limits = overview.table.map((table) => ends(table.rows));
  const { human } = overview;
  const body = order.map((system) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, systemName(overview.systems, system)),
      ...overview.table.map((table, place) => {
        const metric = overview.metrics[table.metric];
        const row = table.rows.find((candidate) => candidate.system === system);
        return metric && row ? scoreCell(metric, table, row, limits[place] ?? [0, 1]) : el("td", {}, "–");
      }),
      human !== null && el("td", { class: "number" }, fixed(human.system[system], 3)),
    ),
  );
  return explained(
    "Systems by all metrics",
    [
      "Score, rank and 95 % interval by every metric, ordered by the first. Ranks are ranges such as 1–3 of places that cannot be told apart (randomisation tests of all pairs); the first cluster is bold.",
      ...bracketsKey(overview.metrics),
      ...overview.metrics.flatMap((metric) => {
        const note = refusedNote(overview, metric);
        return note === null ? [] : [" ", bdi(metric.name), `: ${note}`];
      }),
    ],
    el(
      "table",
      { class: "systems all" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "System"),
          ...overview.table.map((table) => metricHeading(overview.metrics[table.metric], () => open(table.metric))),
          human !== null && el("th", { scope: "col", class: "number" }, "Human: ", bdi(human.name)),
        ),
      ),
      el("tbody", {}, ...body),
    ),
  );
}

function metricHeading(metric: Metric | undefined, open: () => void): HTMLElement {
  return el(
    "th",
    { scope: "col" },
    metric
      ? button(metric.name, open, { class: "link", title: visible(metric.summary ?? `Only ${metric.name}`) })
      : "",
    " ",
    metric ? arrow(metric) : null,
  );
}

/** A score with its rank and its interval. */
function scoreCell(metric: Metric, table: MetricTable, row: SystemRow, limits: [number, number]): HTMLElement {
  const range = rankRange(table.rows, row);
  return el(
    "td",
    { class: row.rank === 1 || row.cluster === 1 ? "score-cell best" : "score-cell" },
    el(
      "span",
      { class: "pair" },
      el("span", { class: "value" }, score(row.score, metric)),
      el(
        "span",
        { class: "rank", title: `rank ${range} of ${table.rows.length}` },
        el("span", { class: "hidden-text" }, ", rank "),
        range,
      ),
      row.low !== null &&
        el("span", { class: "hidden-text" }, `, from ${score(row.low, metric)} to ${score(row.high, metric)}`),
    ),
    row.score !== null && intervalBar(row.score, row.low, row.high, limits, 92),
    bracketed(row.predicted, metric),
  );
}

/** p-values of all differences, in the order of the table. */
export function significance(overview: Overview, metric: Metric, table: MetricTable): HTMLElement | null {
  if (!overview.resampling || table.rows.length < 2 || !table.p.some((row) => row.some((p) => p !== null))) return null;
  const { test, resamples, level, seed, correction } = overview.resampling;
  const corrected = correction === "holm" ? ", Holm's correction" : "";
  const order = table.rows.map((row) => row.system);
  const rows = order.map((system) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, systemName(overview.systems, system)),
      ...order.map((other) => {
        const p = table.p[system]?.[other];
        const untestable = table.untestable?.[system]?.[other] ?? null;
        const certain = p !== null && p !== undefined && p < level;
        const differing = table.differing?.[system]?.[other] ?? null;
        return el(
          "td",
          {
            class: certain ? "number certain" : "number",
            title: differing === null ? null : `${counted(differing, "segment")} differ${differing === 1 ? "s" : ""}`,
          },
          system === other ? "" : (untestable ?? probability(p)),
        );
      }),
    ),
  );
  return el(
    "details",
    { class: "significance" },
    el("summary", {}, `p-values of all differences by ${metric.name}`),
    explained(
      `p-values by ${metric.name}`,
      [`${test.replaceAll("-", " ")}, ${count(resamples)} resamples${corrected}, seed ${seed}. Bold on a tint: p < ${level}.`],
      el(
        "table",
        { class: "matrix" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("td", {}),
            ...order.map((system) => el("th", { scope: "col", class: "number" }, shortName(overview.systems, system))),
          ),
        ),
        el("tbody", {}, ...rows),
      ),
    ),
  );
}

function agreement(overview: Overview): HTMLElement | null {
  const human = overview.human;
  if (!human || human.agreement.length === 0) return null;
  return explained(
    "Agreement with human judgements",
    ["Agreement with ", bdi(human.name), " (", bdi(human.measure), ")."],
    el(
      "table",
      { class: "agreement" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Metric"),
          el("th", { scope: "col", class: "number" }, "Segments"),
          el("th", { scope: "col", class: "number" }, "Systems"),
        ),
      ),
      el(
        "tbody",
        {},
        ...human.agreement.map((row) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, bdi(overview.metrics[row.metric]?.name ?? "")),
            el("td", { class: "number" }, fixed(row.segment, 3)),
            el("td", { class: "number" }, fixed(row.system, 3)),
          ),
        ),
      ),
    ),
  );
}

/** Copies text; where the browser does not let it, the text is selected for the reader to copy. */
function copyButton(text: string, name: string, target: HTMLElement): HTMLButtonElement {
  const copy = button(
    "Copy",
    () => {
      const select = () => {
        getSelection()?.selectAllChildren(target);
        copy.textContent = "Selected";
      };
      if (!navigator.clipboard) select();
      else {
        navigator.clipboard.writeText(text).then(() => {
          copy.textContent = "Copied";
        }, select);
      }
      setTimeout(() => {
        copy.textContent = "Copy";
      }, 2000);
    },
    { "aria-label": `Copy the signature of ${name}`, class: "small no-print" },
  );
  return copy;
}

/** What each metric measures, in one line. */
export function meanings(metrics: readonly Metric[]): HTMLElement | null {
  const items = metrics.flatMap((metric) =>
    metric.summary
      ? [
          el("dt", {}, bdi(metric.name)),
          el(
            "dd",
            {},
            bdi(metric.summary),
            // Some summaries say it themselves.
            metric.summary.includes(direction(metric)) ? "" : `; ${direction(metric)}`,
          ),
        ]
      : [],
  );
  return items.length > 0 ? el("dl", { class: "meanings", "aria-label": "What the metrics measure" }, ...items) : null;
}

function signatures(overview: Overview): HTMLElement {
  const items = overview.metrics.flatMap((metric) => {
    const text = el("code", {}, bdi(metric.signature));
    return [el("dt", {}, bdi(metric.name)), el("dd", {}, text, " ", copyButton(metric.signature, metric.name, text))];
  });
  return el(
    "details",
    { class: "signatures" },
    el("summary", {}, "Signatures, to reproduce these numbers"),
    el("dl", {}, ...items),
  );
}

export function systemsView(data: Dataset, store: Store): HTMLElement {
  const overview = data.overview;
  const select = choice(
    [[-1, "All metrics"], ...overview.metrics.map((metric, i) => [i, metric.name] as const)],
    (value) => store.update({ table: Number(value) }),
  );
  const shown = el("div", { class: "stack" });
  const draw = () => {
    const metric = store.state.table;
    select.value = String(metric);
    const table = overview.table.find((table) => table.metric === metric);
    const described = overview.metrics[metric];
    shown.replaceChildren(
      ...(metric < 0 || !table || !described
        ? [allMetrics(overview, (table) => store.update({ table }))]
        : [oneMetric(overview, described, table), significance(overview, described, table)].filter(
            (part) => part !== null,
          )),
    );
  };
  store.watch(["table"], draw);
  draw();
  const judged = agreement(overview);
  const measured = meanings(overview.metrics);
  return section(
    "systems",
    overview.systems.length === 1 ? "The system" : `${counted(overview.systems.length, "system")}`,
    ...(overview.metrics.length > 1 ? [el("div", { class: "controls" }, labelled("Metric", select))] : []),
    el("div", { class: "side-by-side" }, shown, judged, measured),
    signatures(overview),
  );
}
