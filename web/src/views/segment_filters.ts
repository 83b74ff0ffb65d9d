/** The controls of the list of segments. */

import type { Dataset } from "../data/dataset.ts";
import { ANY, isSeverity, NONE } from "../data/finding_index.ts";
import { type Overview, SEVERITIES } from "../data/overview.ts";
import { count } from "../base/numbers.ts";
import { button, choice, el, labelled, on } from "../base/dom.ts";
import { AS_WRITTEN, BY_FINDINGS, BY_LENGTH, BY_PEOPLE, INITIAL, PEOPLE, type Choice, type State, type Store } from "../state/state.ts";
import { systemOptions } from "./system_names.ts";

/** What the filters set, and what "clear" puts back. */
export const FILTERS = [
  "query",
  "system",
  "document",
  "domain",
  "shortest",
  "longest",
  "finding",
  "choice",
  "most",
  "first",
  "second",
  "metric",
  "otherMetric",
  "sort",
  "reversed",
] as const satisfies readonly (keyof State)[];

function wait(milliseconds: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
}

type NumberKey = "system" | "document" | "domain" | "first" | "second" | "metric" | "otherMetric" | "sort";
const TYPED = ["shortest", "longest", "most"] as const;
type TypedKey = (typeof TYPED)[number];

/** Orders the rows by `key`; a metric that orders them is the one whose reasons a reader wants. */
export function orderBy(key: number): Partial<State> {
  return { sort: key, reversed: false, ...(key >= 0 ? { explainMetric: key } : {}) };
}

/** The two ways that rows can be ordered by `key`, the usual one first. */
export function directions(key: number): readonly [string, string] {
  if (key === AS_WRITTEN) return ["First to last", "Last to first"];
  if (key === BY_LENGTH) return ["Shortest first", "Longest first"];
  return ["Worst first", "Best first"];
}

/** What rows are filtered by, in the middle of a sentence. */
export function findingWords(wanted: string): string {
  if (wanted === ANY) return "findings";
  if (wanted === NONE) return "no finding";
  return isSeverity(wanted) ? `${wanted} findings` : wanted;
}

/** All that rows can be filtered by; undefined where nothing was checked. */
export function findingChoices({ findings }: Overview): (readonly [string, string])[] | undefined {
  if (!findings) return undefined;
  const codes = new Map<string, number>();
  const severities = new Map<string, number>();
  for (const { code, severity, counts } of findings.kinds) {
    const number = counts.reduce((sum, one) => sum + one, 0);
    codes.set(code, (codes.get(code) ?? 0) + number);
    severities.set(severity, (severities.get(severity) ?? 0) + number);
  }
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  return [
    ["", "With or without"],
    [ANY, "Any finding"],
    [NONE, "No finding"],
    ...SEVERITIES.flatMap((name) => {
      const number = severities.get(name);
      return number ? [[name, `${capital(name)} (${count(number)})`] as const] : [];
    }),
    ...[...codes].map(([code, number]) => [code, `${code} (${count(number)})`] as const),
  ];
}

export class FilterControls {
  readonly element: HTMLElement;
  readonly search = el("input", {
    type: "search",
    placeholder: "in all texts",
    autocomplete: "off",
    spellcheck: "false",
    "aria-keyshortcuts": "/",
  });
  readonly #store: Store;
  readonly #show: HTMLSelectElement;
  readonly #selects: Record<NumberKey, HTMLSelectElement>;
  readonly #numbers: Record<TypedKey, HTMLInputElement>;
  readonly #fields: Record<Exclude<NumberKey, "document" | "domain"> | "most", HTMLElement>;
  readonly #direction: HTMLSelectElement;
  readonly #finding: HTMLSelectElement | null;
  readonly #clear: HTMLButtonElement;
  readonly #several: boolean;

  constructor({ overview }: Dataset, store: Store) {
    this.#store = store;
    this.#several = overview.systems.length > 1;
    this.#selects = selectsOf(overview, store);
    this.#show = showSelect(overview, store);
    this.#numbers = {
      shortest: numberInput(store, "shortest", 0),
      longest: numberInput(store, "longest", 0),
      most: numberInput(store, "most", 1),
    };
    this.#direction = choice([[0, ""], [1, ""]], (value) => store.update({ reversed: value === "1" }));
    this.#direction.setAttribute("aria-label", "Direction of the order");
    const findings = findingChoices(overview);
    this.#finding = findings ? choice(findings, (finding) => store.update({ finding })) : null;
    this.#clear = button("Clear", () => store.update(Object.fromEntries(FILTERS.map((key) => [key, INITIAL[key]]))));
    const { metric, otherMetric, first, second, system, sort } = this.#selects;
    this.#fields = {
      metric: labelled("Metric", metric),
      otherMetric: labelled(overview.human?.segments ? "Other metric, or people" : "Other metric", otherMetric),
      first: labelled("System", first),
      second: labelled("Other system", second),
      most: labelled("How many", this.#numbers.most),
      system: labelled("System", system),
      sort: el("div", { class: "joined" }, labelled("Order", sort), this.#direction),
    };
    const { documents, domains } = overview;
    this.element = this.#form((documents?.length ?? 0) > 1, (domains?.length ?? 0) > 1);
    on(this.element, { submit: (event) => event.preventDefault() });
    on(this.search, { input: wait(150, () => store.update({ query: this.search.value })) });
    store.watch(FILTERS, () => this.#draw());
    this.#draw();
  }

  #form(documents: boolean, domains: boolean): HTMLElement {
    const { sort, ...fields } = this.#fields;
    return el(
      "form",
      { class: "controls filters", role: "search", "aria-label": "Filter segments" },
      labelled("Search", this.search),
      labelled("Show", this.#show),
      ...Object.values(fields),
      sort,
      this.#finding && labelled("Findings", this.#finding),
      documents && labelled("Document", this.#selects.document),
      domains && labelled("Domain", this.#selects.domain),
      this.#lengths(),
      this.#clear,
    );
  }

  #lengths(): HTMLElement {
    const { shortest, longest } = this.#numbers;
    shortest.setAttribute("aria-label", "Shortest reference, in words");
    longest.setAttribute("aria-label", "Longest reference, in words");
    return el(
      "div",
      { class: "field", role: "group", "aria-label": "Length of the reference" },
      el("span", { class: "label", "aria-hidden": "true" }, "Reference length"),
      el("div", { class: "range-inputs" }, shortest, el("span", {}, "to"), longest),
    );
  }

  /** Shows what is chosen, and only the controls that matter for it. */
  #draw(): void {
    const { state } = this.#store;
    for (const key of Object.keys(this.#selects) as NumberKey[]) this.#selects[key].value = String(state[key]);
    this.#show.value = state.choice;
    if (this.#finding) this.#finding.value = state.finding;
    if (document.activeElement !== this.search) this.search.value = state.query;
    for (const key of TYPED) {
      const input = this.#numbers[key];
      if (document.activeElement !== input) input.value = state[key] ? String(state[key]) : "";
    }
    directions(state.sort).forEach((name, i) => this.#direction.options[i]?.replaceChildren(name));
    this.#direction.value = state.reversed ? "1" : "0";
    const { choice: chosen } = state;
    const fields = this.#fields;
    fields.metric.hidden = chosen === "all";
    fields.otherMetric.hidden = chosen !== "metrics";
    fields.first.hidden = fields.second.hidden = chosen !== "systems";
    fields.most.hidden = chosen !== "systems" && chosen !== "metrics";
    fields.system.hidden = chosen === "systems" || !this.#several;
    fields.sort.hidden = chosen === "systems" || chosen === "metrics";
    this.#clear.disabled = FILTERS.every((key) => state[key] === INITIAL[key]);
  }
}

function selectsOf(overview: Overview, store: Store): Record<NumberKey, HTMLSelectElement> {
  const human = overview.human?.segments ? overview.human : null;
  const people = (value: number) => (human ? [[value, `Human: ${human.name}`] as const] : []);
  const metrics = overview.metrics.map((metric, i) => [i, metric.name] as const);
  const numbered = (names: readonly string[]) => names.map((name, i) => [i, name] as const);
  const systems = systemOptions(overview.systems);
  const worst = overview.findings ? [[BY_FINDINGS, "Findings"] as const] : [];
  const set = (key: NumberKey) => (value: string) => store.update({ [key]: Number(value) });
  return {
    system: choice([[-1, "All systems"], ...systems], set("system")),
    document: choice([[-1, "All documents"], ...numbered(overview.documents ?? [])], set("document")),
    domain: choice([[-1, "All domains"], ...numbered(overview.domains ?? [])], set("domain")),
    first: choice(systems, set("first")),
    second: choice(systems, set("second")),
    metric: choice(metrics, set("metric")),
    otherMetric: choice([...metrics, ...people(PEOPLE)], set("otherMetric")),
    sort: choice(
      [...metrics, ...people(BY_PEOPLE), ...worst, [BY_LENGTH, "Length of the reference"], [AS_WRITTEN, "Order of the text"]],
      (value) => store.update(orderBy(Number(value))),
    ),
  };
}

/** Which rows to show. */
function showSelect({ metrics, systems, human, explained }: Overview, store: Store): HTMLSelectElement {
  const choices: (readonly [Choice, string])[] = [
    ["all", "All segments"],
    ...(systems.length > 1 ? [["systems", "Two systems differ most"] as const] : []),
    ...(human?.segments
      ? [["metrics", "Metrics or people disagree most"] as const]
      : metrics.length > 1
        ? [["metrics", "Two metrics disagree most"] as const]
        : []),
    ...(explained === "some" ? [["explained", "Explained by a metric"] as const] : []),
  ];
  return choice(choices, (value) => {
    const mute = value === "explained" && !metrics[store.state.metric]?.explains;
    const metric = mute ? metrics.findIndex((one) => one.explains) : store.state.metric;
    store.update({ choice: value as Choice, metric });
  });
}

function numberInput(store: Store, key: TypedKey, least: number): HTMLInputElement {
  const input = el("input", { type: "number", min: least, step: 1, class: "short" });
  return on(input, {
    input: wait(250, () => store.update({ [key]: Math.max(0, Math.floor(Number(input.value) || 0)) })),
    change: () => {
      if (key === "most") input.value = String(store.state.most);
    },
  });
}
