/** The controls of the segment browser. */

import type { Dataset } from "../data/dataset.ts";
import { button, choice, el, labelled, on } from "../base/dom.ts";
import { BY_PEOPLE, INITIAL, PEOPLE, type Choice, type State, type Store } from "../state/state.ts";
import { systemOptions } from "./system_names.ts";

/** What the filters set, and what "clear" puts back. */
export const FILTERS = [
  "query",
  "system",
  "document",
  "shortest",
  "longest",
  "choice",
  "most",
  "first",
  "second",
  "metric",
  "otherMetric",
  "sort",
  "descending",
] as const satisfies readonly (keyof State)[];

function wait(milliseconds: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
}

export interface FilterControls {
  element: HTMLElement;
  search: HTMLInputElement;
}

export function filterControls(data: Dataset, store: Store): FilterControls {
  const { metrics, systems, documents } = data.overview;
  const human = data.overview.human?.segments ? data.overview.human : null;
  const people = (value: number) => (human ? [[value, `Human: ${human.name}`] as const] : []);
  const metricOptions = metrics.map((metric, i) => [i, metric.name] as const);
  const options = systemOptions(systems);
  type NumberKey = "system" | "document" | "first" | "second" | "metric" | "otherMetric" | "sort";
  const set = (key: NumberKey) => (value: string) => store.update({ [key]: Number(value) });
  const selects: Record<NumberKey, HTMLSelectElement> = {
    system: choice([[-1, "All systems"], ...options], set("system")),
    document: choice(
      [[-1, "All documents"], ...(documents ?? []).map((name, i) => [i, name] as const)],
      set("document"),
    ),
    first: choice(options, set("first")),
    second: choice(options, set("second")),
    metric: choice(metricOptions, set("metric")),
    otherMetric: choice([...metricOptions, ...people(PEOPLE)], set("otherMetric")),
    sort: choice(
      [[-1, "Order of the text"], [-2, "Length of the reference"], ...metricOptions, ...people(BY_PEOPLE)],
      set("sort"),
    ),
  };
  const choices: (readonly [Choice, string])[] = [
    ["all", "All segments"],
    ["worst", "Worst by a metric"],
    ...(systems.length > 1 ? [["systems", "Two systems differ most"] as const] : []),
    ...(human
      ? [["metrics", "Metrics or people disagree most"] as const]
      : metrics.length > 1
        ? [["metrics", "Two metrics disagree most"] as const]
        : []),
    ...(data.overview.explained === "some" ? [["explained", "Explained by a metric"] as const] : []),
  ];
  const show = choice(choices, (value) => {
    const mute = value === "explained" && !metrics[store.state.metric]?.explains;
    const metric = mute ? metrics.findIndex((one) => one.explains) : store.state.metric;
    store.update({ choice: value as Choice, metric, sort: -1, descending: false });
  });
  const search = el("input", {
    type: "search",
    placeholder: "in all texts",
    autocomplete: "off",
    spellcheck: "false",
    "aria-keyshortcuts": "/",
  });
  on(search, { input: wait(150, () => store.update({ query: search.value })) });
  const number = (key: "shortest" | "longest" | "most", least: number) => {
    const input = el("input", { type: "number", min: least, step: 1, class: "short" });
    on(input, {
      input: wait(250, () => store.update({ [key]: Math.max(0, Math.floor(Number(input.value) || 0)) })),
      change: () => {
        if (key === "most") input.value = String(store.state.most);
      },
    });
    return input;
  };
  const numbers = { shortest: number("shortest", 0), longest: number("longest", 0), most: number("most", 1) };
  const descending = button("", () => store.update({ descending: !store.state.descending }), { class: "order" });
  const clear = button("Clear", () => store.update(Object.fromEntries(FILTERS.map((key) => [key, INITIAL[key]]))));

  const fields = {
    metric: labelled("Metric", selects.metric),
    otherMetric: labelled(human ? "Other metric, or people" : "Other metric", selects.otherMetric),
    first: labelled("System", selects.first),
    second: labelled("Other system", selects.second),
    most: labelled("How many", numbers.most),
    system: labelled("System", selects.system),
    sort: el("div", { class: "joined" }, labelled("Order", selects.sort), descending),
  };
  const length = el(
    "div",
    { class: "field", role: "group", "aria-label": "Length of the reference" },
    el("span", { class: "label", "aria-hidden": "true" }, "Reference length"),
    el("div", { class: "range-inputs" }, numbers.shortest, el("span", {}, "to"), numbers.longest),
  );
  numbers.shortest.setAttribute("aria-label", "Shortest reference, in words");
  numbers.longest.setAttribute("aria-label", "Longest reference, in words");

  function draw(): void {
    const state = store.state;
    for (const [key, select] of Object.entries(selects)) select.value = String(state[key as NumberKey]);
    show.value = state.choice;
    if (document.activeElement !== search) search.value = state.query;
    for (const key of ["shortest", "longest", "most"] as const) {
      if (document.activeElement !== numbers[key]) numbers[key].value = state[key] ? String(state[key]) : "";
    }
    descending.textContent = state.descending ? "↓" : "↑";
    descending.setAttribute(
      "aria-label",
      state.descending ? "Descending, change to ascending" : "Ascending, change to descending",
    );
    fields.metric.hidden = state.choice === "all";
    fields.otherMetric.hidden = state.choice !== "metrics";
    fields.first.hidden = fields.second.hidden = state.choice !== "systems";
    fields.most.hidden = state.choice === "all" || state.choice === "explained";
    fields.system.hidden = state.choice === "systems" || systems.length < 2;
    fields.sort.hidden = state.choice === "systems" || state.choice === "metrics";
    clear.disabled = FILTERS.every((key) => state[key] === INITIAL[key]);
  }
  store.watch(FILTERS, draw);
  draw();
  const element = el(
    "form",
    { class: "controls filters", role: "search", "aria-label": "Filter segments" },
    labelled("Search", search),
    labelled("Show", show),
    fields.metric,
    fields.otherMetric,
    fields.first,
    fields.second,
    fields.most,
    fields.system,
    ...(documents && documents.length > 1 ? [labelled("Document", selects.document)] : []),
    length,
    fields.sort,
    clear,
  );
  on(element, { submit: (event) => event.preventDefault() });
  return { element, search };
}
