/** Segment scores against each other: two metrics, a metric and people, or two systems. */

import type { Dataset } from "../data/dataset.ts";
import { choice, el, labelled, problem } from "../base/dom.ts";
import { count, counted, fixed } from "../base/numbers.ts";
import type { Store } from "../state/state.ts";
import { kendall, pearson } from "../data/statistics.ts";
import { visible } from "../base/text.ts";
import { whenNear } from "./drawing_time.ts";
import { section } from "./section.ts";
import { systemLabels, systemName, systemOptions } from "./system_names.ts";
import { ScatterPlot } from "./scatter_plot.ts";
import { pairUp, type Points, sample } from "./scatter_points.ts";

/** Kendall's tau of more points would be felt. */
const MOST_RANKED = 20_000;

function ends(values: Float64Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

function correlation(points: Points): string {
  const ranked = sample(points, MOST_RANKED);
  const cut = ranked.x.length < points.x.length ? ` (of ${count(ranked.x.length)} points, evenly picked)` : "";
  return `${counted(points.x.length, "point")}. Pearson r ${fixed(pearson(points.x, points.y), 3)}, Kendall τ ${fixed(kendall(ranked.x, ranked.y), 3)}${cut}.`;
}

export function scatterView(
  data: Dataset,
  store: Store,
  open: (segment: number, system: number, metric: number) => void,
): HTMLElement {
  const { overview } = data;
  const { metrics, systems, segments } = overview;
  const human = overview.human?.segments ? overview.human : null;
  const measures = [
    ...metrics.map((metric, i) => [i, metric.name] as const),
    ...(human ? [[-1, `Human: ${human.name}`] as const] : []),
  ];
  const options = systemOptions(systems);
  const setter = (key: "x" | "y" | "of" | "left" | "right" | "by") => (value: string) =>
    store.update({ [key]: Number(value) });
  const selects = {
    x: choice(measures, setter("x")),
    y: choice(measures, setter("y")),
    of: choice([[-1, "All systems"], ...options], setter("of")),
    left: choice(options, setter("left")),
    right: choice(options, setter("right")),
    by: choice(
      measures.filter(([value]) => value >= 0),
      setter("by"),
    ),
  };
  const compare = choice(
    [
      ["measures", human ? "Metrics and people" : "Two metrics"],
      ["systems", "Two systems"],
    ],
    (value) => store.update({ compare: value === "systems" ? "systems" : "measures" }),
  );
  const ofMeasures = [labelled("Across", selects.x), labelled("Up", selects.y), labelled("System", selects.of)];
  const ofSystems = [labelled("Across", selects.left), labelled("Up", selects.right), labelled("Metric", selects.by)];
  const summary = el("p", { class: "summary", "aria-live": "polite" });
  const legend = el(
    "ul",
    { class: "legend" },
    ...systems.map((_, system) => el("li", {}, systemName(systems, system))),
  );
  const plot = new ScatterPlot();
  const failure = el("div");

  const measureName = (index: number) => (index < 0 ? `Human: ${human?.name ?? ""}` : (metrics[index]?.name ?? ""));
  const values = (index: number) => (index < 0 ? data.human() : data.scores(index));

  function setControls(): void {
    const state = store.state;
    compare.value = state.compare;
    for (const [key, select] of Object.entries(selects)) select.value = String(state[key as keyof typeof selects]);
    for (const field of ofMeasures) field.hidden = state.compare !== "measures";
    for (const field of ofSystems) field.hidden = state.compare !== "systems";
    legend.hidden = state.compare === "systems" || state.of >= 0 || systems.length < 2;
  }

  async function draw(): Promise<void> {
    const state = store.state;
    try {
      if (state.compare === "systems") {
        const scores = await data.scores(state.by);
        const part = (system: number) => scores.slice(system * segments, (system + 1) * segments);
        const points = pairUp(part(state.left), part(state.right));
        const [low, high] = ends(Float64Array.of(...ends(points.x), ...ends(points.y)));
        const names = [state.left, state.right].map((system) => visible(systemLabels(systems)[system] ?? ""));
        plot.show({
          points,
          xEnds: [low, high],
          yEnds: [low, high],
          xLabel: names[0] ?? "",
          yLabel: names[1] ?? "",
          series: () => 0,
          diagonal: true,
          describe: (i) =>
            `Segment ${count((points.row[i] ?? 0) + 1)}: ${names[0]} ${fixed(points.x[i], 4)}, ${names[1]} ${fixed(points.y[i], 4)}`,
          open: (i) => open(points.row[i] ?? 0, state.right, state.by),
        });
        summary.textContent = correlation(points);
      } else {
        const [x, y] = await Promise.all([values(state.x), values(state.y)]);
        const points = state.of < 0 ? pairUp(x, y) : pairUp(x, y, state.of * segments, (state.of + 1) * segments);
        const [xName, yName] = [visible(measureName(state.x)), visible(measureName(state.y))];
        const systemOf = (i: number) => Math.floor((points.row[i] ?? 0) / segments);
        plot.show({
          points,
          xEnds: ends(points.x),
          yEnds: ends(points.y),
          xLabel: xName,
          yLabel: yName,
          series: systemOf,
          diagonal: false,
          describe: (i) =>
            `Segment ${count(((points.row[i] ?? 0) % segments) + 1)}, ${visible(systems[systemOf(i)] ?? "")}: ${xName} ${fixed(points.x[i], 4)}, ${yName} ${fixed(points.y[i], 4)}`,
          open: (i) =>
            open((points.row[i] ?? 0) % segments, systemOf(i), state.y >= 0 ? state.y : Math.max(0, state.x)),
        });
        summary.textContent = correlation(points);
      }
      failure.replaceChildren();
    } catch (error) {
      failure.replaceChildren(problem(error));
    }
  }
  const element = section(
    "scatter",
    "Scatter",
    el(
      "div",
      { class: "controls" },
      ...(systems.length > 1 ? [labelled("Compare", compare)] : []),
      ...ofMeasures,
      ...ofSystems,
    ),
    failure,
    el("div", { class: "scatter" }, plot.element, el("aside", {}, summary, legend, plot.said)),
  );
  setControls();
  let wanted = false;
  store.watch(["compare", "x", "y", "of", "left", "right", "by"], () => {
    setControls();
    if (wanted) void draw();
  });
  whenNear(element, () => {
    wanted = true;
    void draw();
  });
  return element;
}
