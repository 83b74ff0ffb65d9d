/** Segment scores against each other: two metrics, a metric and people, or two systems. */

import type { Dataset } from "../data/dataset.ts";
import { choice, el, labelled, problem } from "../base/dom.ts";
import { count, counted, fixed } from "../base/numbers.ts";
import { PEOPLE, type State, type Store } from "../state/state.ts";
import { kendall, pearson, robustEnds, sortedFinite, sortedTogether } from "../data/statistics.ts";
import { visible } from "../base/text.ts";
import { whenNear } from "./drawing_time.ts";
import { section } from "./section.ts";
import { systemLabels, systemName, systemOptions } from "./system_names.ts";
import type { Plot } from "./scatter_drawing.ts";
import { ScatterPlot } from "./scatter_plot.ts";
import { pairUp, type Points, sample } from "./scatter_points.ts";

/** Kendall's tau of more points would take noticeably long. */
const MOST_RANKED = 20_000;

function correlation(points: Points): string {
  const ranked = sample(points, MOST_RANKED);
  const cut = ranked.x.length < points.x.length ? ` (of ${count(ranked.x.length)} points, evenly picked)` : "";
  return `${counted(points.x.length, "point")}. Pearson r ${fixed(pearson(points.x, points.y), 3)}, Kendall τ ${fixed(kendall(ranked.x, ranked.y), 3)}${cut}.`;
}

type Opened = (segment: number, system: number, metric: number) => void;

export function scatterView(data: Dataset, store: Store, open: Opened): HTMLElement {
  const { systems } = data.overview;
  const controls = new ScatterControls(data, store);
  const summary = el("p", { class: "summary", "aria-live": "polite" });
  const legend = el(
    "ul",
    { class: "legend" },
    ...systems.map((_, system) => el("li", {}, systemName(systems, system))),
  );
  const plot = new ScatterPlot();
  const failure = el("div");
  const element = section(
    "scatter",
    "Scatter",
    controls.element,
    failure,
    el("div", { class: "scatter" }, plot.element, el("aside", {}, summary, legend, plot.key, plot.said, plot.listed)),
  );

  const draw = async () => {
    const { state } = store;
    try {
      const shown = await (state.compare === "systems" ? ofSystems : ofMeasures)(data, state, open);
      plot.show(shown);
      setLegend();
      summary.textContent = correlation(shown.points);
      failure.replaceChildren();
    } catch (error) {
      failure.replaceChildren(problem(error));
    }
  };
  const setLegend = () => {
    const { compare, of } = store.state;
    legend.hidden = compare === "systems" || of >= 0 || systems.length < 2 || plot.dense;
  };
  const setControls = () => {
    controls.set();
    setLegend();
  };
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

type Axis = "x" | "y" | "of" | "left" | "right" | "by";

/** What is compared with what. */
class ScatterControls {
  readonly element: HTMLElement;
  readonly #store: Store;
  readonly #compare: HTMLSelectElement;
  readonly #selects: Record<Axis, HTMLSelectElement>;
  readonly #ofMeasures: HTMLElement[];
  readonly #ofSystems: HTMLElement[];

  constructor({ overview }: Dataset, store: Store) {
    this.#store = store;
    const { metrics, systems } = overview;
    const human = overview.human?.segments ? overview.human : null;
    const byMetric = metrics.map((metric, i) => [i, metric.name] as const);
    const measures = [...byMetric, ...(human ? [[PEOPLE, `Human: ${human.name}`] as const] : [])];
    const options = systemOptions(systems);
    const set = (key: Axis) => (value: string) => store.update({ [key]: Number(value) });
    this.#selects = {
      x: choice(measures, set("x")),
      y: choice(measures, set("y")),
      of: choice([[-1, "All systems"], ...options], set("of")),
      left: choice(options, set("left")),
      right: choice(options, set("right")),
      by: choice(byMetric, set("by")),
    };
    this.#compare = choice(
      [
        ["measures", human ? "Metrics and people" : "Two metrics"],
        ["systems", "Two systems"],
      ],
      (value) => store.update({ compare: value === "systems" ? "systems" : "measures" }),
    );
    const { x, y, of, left, right, by } = this.#selects;
    this.#ofMeasures = [labelled("Across", x), labelled("Up", y), labelled("System", of)];
    this.#ofSystems = [labelled("Across", left), labelled("Up", right), labelled("Metric", by)];
    this.element = el(
      "div",
      { class: "controls" },
      ...(systems.length > 1 ? [labelled("Compare", this.#compare)] : []),
      ...this.#ofMeasures,
      ...this.#ofSystems,
    );
  }

  /** Shows what is chosen. */
  set(): void {
    const { state } = this.#store;
    this.#compare.value = state.compare;
    for (const key of Object.keys(this.#selects) as Axis[])
      this.#selects[key].value = String(state[key]);
    for (const field of this.#ofMeasures) field.hidden = state.compare !== "measures";
    for (const field of this.#ofSystems) field.hidden = state.compare !== "systems";
  }
}

/** The segments of two systems by one metric. */
async function ofSystems(data: Dataset, { left, right, by }: State, open: Opened): Promise<Plot> {
  const { segments, systems } = data.overview;
  const scores = await data.scores(by);
  const part = (system: number) => scores.slice(system * segments, (system + 1) * segments);
  const points = pairUp(part(left), part(right));
  const both = robustEnds(sortedTogether([points.x, points.y]));
  const name = (system: number) => visible(systemLabels(systems)[system] ?? "");
  return {
    points,
    xEnds: both,
    yEnds: both,
    xLabel: name(left),
    yLabel: name(right),
    series: () => 0,
    diagonal: true,
    describe: (i) =>
      `Segment ${count((points.row[i] ?? 0) + 1)}: ${name(left)} ${fixed(points.x[i], 4)}, ${name(right)} ${fixed(points.y[i], 4)}`,
    open: (i) => open(points.row[i] ?? 0, right, by),
  };
}

/** The translations of one system, or of all, by two metrics or by a metric and people. */
async function ofMeasures(data: Dataset, { x, y, of }: State, open: Opened): Promise<Plot> {
  const { human, metrics, segments, systems } = data.overview;
  const values = (measure: number) => (measure === PEOPLE ? data.human() : data.scores(measure));
  const [across, up] = await Promise.all([values(x), values(y)]);
  const points = of < 0 ? pairUp(across, up) : pairUp(across, up, of * segments, (of + 1) * segments);
  const name = (measure: number) =>
    visible(measure === PEOPLE ? `Human: ${human?.name ?? ""}` : (metrics[measure]?.name ?? ""));
  const systemOf = (i: number) => Math.floor((points.row[i] ?? 0) / segments);
  const segmentOf = (i: number) => (points.row[i] ?? 0) % segments;
  return {
    points,
    xEnds: robustEnds(sortedFinite(points.x)),
    yEnds: robustEnds(sortedFinite(points.y)),
    xLabel: name(x),
    yLabel: name(y),
    series: systemOf,
    diagonal: false,
    describe: (i) =>
      `Segment ${count(segmentOf(i) + 1)}, ${visible(systems[systemOf(i)] ?? "")}: ${name(x)} ${fixed(points.x[i], 4)}, ${name(y)} ${fixed(points.y[i], 4)}`,
    open: (i) => open(segmentOf(i), systemOf(i), y >= 0 ? y : Math.max(0, x)),
  };
}
