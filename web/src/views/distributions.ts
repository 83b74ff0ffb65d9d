/** How the segment scores of each system are spread: one strip per system on one axis, with its quantiles. */

import type { Dataset } from "../data/dataset.ts";
import { bdi, choice, el, explained, labelled, problem, svg } from "../base/dom.ts";
import { count, score, tickLabel, ticks } from "../base/numbers.ts";
import type { Metric } from "../data/overview.ts";
import type { Store } from "../state/state.ts";
import { histogram, mean, quantile, robustEnds, silverman, smoothed, sortedFinite, sortedTogether } from "../data/statistics.ts";
import { scale } from "./interval_bar.ts";
import { direction } from "./metric_direction.ts";
import { type Drawn, section } from "./section.ts";
import { series, systemName } from "./system_names.ts";

const WIDTH = 360;
const HEIGHT = 40;
const BINS = 90;
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

/** Axis of all strips: the bounds of the metric if scores come near them, or else what there is but for outliers. */
export function extent(sorted: readonly Float64Array[], bounds: Metric["bounds"]): [number, number] {
  if (sorted.every((values) => values.length === 0)) return [0, 1];
  const [low, high] = robustEnds(sortedTogether(sorted));
  const span = high - low || Math.abs(high) || 1;
  const pad = high > low ? 0 : span / 2; // a single value stands in the middle
  const [least, most] = bounds;
  return [
    least !== null && low - least < span * 0.5 ? least : low - pad,
    most !== null && most - high < span * 0.5 ? most : high + pad,
  ];
}

function strip(values: Float64Array, system: number, ends: readonly [number, number]): SVGSVGElement {
  const x = scale(ends[0], ends[1], 4, WIDTH - 4);
  const bandwidth = silverman(values);
  const density = smoothed(
    histogram(values, ends[0], ends[1], BINS),
    Math.max(1, (bandwidth / (ends[1] - ends[0])) * BINS),
  );
  const peak = Math.max(...density, 1e-12);
  const half = HEIGHT / 2 - 3;
  const at = (bin: number) => (4 + ((bin + 0.5) / BINS) * (WIDTH - 8)).toFixed(1);
  const upper = Array.from(density, (value, bin) => `${at(bin)},${(HEIGHT / 2 - (value / peak) * half).toFixed(1)}`);
  const lower = Array.from(
    density,
    (value, bin) => `${at(bin)},${(HEIGHT / 2 + (value / peak) * half).toFixed(1)}`,
  ).reverse();
  const inside = (value: number) => Math.min(ends[1], Math.max(ends[0], value));
  const box = (q: number) => x(inside(quantile(values, q))).toFixed(1);
  return svg(
    "svg",
    {
      class: `strip ${series(system)}`,
      width: WIDTH,
      height: HEIGHT,
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      "aria-hidden": "true",
    },
    svg("polygon", { points: [...upper, ...lower].join(" ") }),
    svg("line", { class: "range", x1: box(0.05), x2: box(0.95), y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    svg("line", { class: "quartiles", x1: box(0.25), x2: box(0.75), y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    svg("circle", { class: "median", cx: box(0.5), cy: HEIGHT / 2, r: 3.5 }),
    ...beyond(values, ends),
  );
}

/** How many values each end of the axis leaves out. */
export function leftOut(values: Float64Array, [low, high]: readonly [number, number]): [number, number] {
  return [values.filter((value) => value < low).length, values.filter((value) => value > high).length];
}

/** Arrowheads at the ends of a strip with the number of values beyond them. */
function beyond(values: Float64Array, ends: readonly [number, number]): SVGElement[] {
  const [below, above] = leftOut(values, ends);
  return [
    ...(below > 0 ? [svg("text", { class: "beyond", x: 1, y: 12 }, `◂ ${count(below)}`)] : []),
    ...(above > 0
      ? [svg("text", { class: "beyond", x: WIDTH - 1, y: 12, "text-anchor": "end" }, `${count(above)} ▸`)]
      : []),
  ];
}

function axis(ends: readonly [number, number]): SVGSVGElement {
  const x = scale(ends[0], ends[1], 4, WIDTH - 4);
  const marks = ticks(ends[0], ends[1], 5);
  return svg(
    "svg",
    { class: "axis-marks", width: WIDTH, height: 22, viewBox: `0 0 ${WIDTH} 22`, "aria-hidden": "true" },
    ...marks.flatMap((mark) => {
      const at = x(mark);
      const anchor = at < 20 ? "start" : at > WIDTH - 20 ? "end" : "middle";
      return [
        svg("line", { x1: at.toFixed(1), x2: at.toFixed(1), y1: 17, y2: 22 }),
        svg("text", { x: at.toFixed(1), y: 12, "text-anchor": anchor }, tickLabel(mark, marks)),
      ];
    }),
  );
}

function drawTable(data: Dataset, metric: Metric, index: number, scores: Float64Array): HTMLElement {
  const { systems, segments, table } = data.overview;
  const sorted = systems.map((_, system) => sortedFinite(scores.subarray(system * segments, (system + 1) * segments)));
  const ends = extent(sorted, metric.bounds);
  const order = table.find((one) => one.metric === index)?.rows.map((row) => row.system) ?? systems.map((_, i) => i);
  const anyMissing = sorted.some((values) => values.length < segments);
  const rows = order.map((system) => {
    const values = sorted[system] ?? new Float64Array();
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, systemName(systems, system)),
      el("td", { class: "plot" }, values.length > 0 && strip(values, system, ends)),
      el("td", { class: "number" }, score(mean(values), metric)),
      ...QUANTILES.map((q) =>
        el("td", { class: q === 0.5 ? "number strong" : "number" }, score(quantile(values, q), metric)),
      ),
      anyMissing && el("td", { class: "number" }, count(segments - values.length)),
    );
  });
  const outside = sorted.some((values) => leftOut(values, ends).some((many) => many > 0));
  const names = ["5 %", "25 %", "Median", "75 %", "95 %"];
  return explained(
    `Distribution of ${metric.name}`,
    [
      "Segment scores by ",
      bdi(metric.name),
      ` (${direction(metric)}): outline of the density, thin line 5–95 %, thick line the middle half, dot the median. The numbers beside say the same.`,
      outside && " At ◂ and ▸, how many scores lie beyond the axis.",
    ],
    el(
      "table",
      { class: "distributions" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "System"),
          el("td", { class: "plot" }, axis(ends)),
          ...["Mean", ...names, ...(anyMissing ? ["No score"] : [])].map((name) =>
            el("th", { scope: "col", class: "number" }, name),
          ),
        ),
      ),
      el("tbody", {}, ...rows),
    ),
  );
}

export function distributionsView(data: Dataset, store: Store): Drawn {
  const { metrics } = data.overview;
  const select = choice(
    metrics.map((metric, i) => [i, metric.name] as const),
    (value) => store.update({ distribution: Number(value) }),
  );
  const shown = el("div", { class: "stack" }, el("p", { class: "muted" }, "Reading …"));
  const draw = async () => {
    const index = store.state.distribution;
    const metric = metrics[index];
    select.value = String(index);
    if (!metric) return;
    try {
      const scores = await data.scores(index);
      if (store.state.distribution === index) shown.replaceChildren(drawTable(data, metric, index, scores));
    } catch (error) {
      shown.replaceChildren(problem(error));
    }
  };
  store.watch(["distribution"], () => void draw());
  const ready = draw();
  const element = section(
    "distributions",
    "Distributions",
    ...(metrics.length > 1 ? [el("div", { class: "controls" }, labelled("Metric", select))] : []),
    shown,
  );
  return { element, ready };
}
