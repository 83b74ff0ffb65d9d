/** What a reader is looking at. It lives in the address's fragment, so that a view can be linked. */

/** In the order of the page; not every report has changes, findings and profiles. */
export const VIEWS = ["systems", "changes", "findings", "profile", "distributions", "scatter", "segments"] as const;
export type View = (typeof VIEWS)[number];

export function viewsOf(overview: { changes?: unknown; findings?: unknown; profiles?: unknown }): View[] {
  const { changes, findings, profiles } = overview;
  const optional: Partial<Record<View, unknown>> = { changes, findings, profile: profiles };
  return VIEWS.filter((view) => !(view in optional) || optional[view] !== undefined);
}

export const CHOICES = ["all", "systems", "metrics", "explained"] as const;
/** Which rows the browser shows: all, where two systems or where two metrics differ most, the explained. */
export type Choice = (typeof CHOICES)[number];

export const CHANGED = ["all", "better", "worse", "alike", "new", "gone"] as const;
export const CHANGE_ORDERS = ["worst", "best", "text"] as const;

/** People's scores in the place of a metric. */
export const PEOPLE = -1;

/** What else than a metric rows are ordered by. */
export const AS_WRITTEN = -1;
export const BY_LENGTH = -2;
export const BY_PEOPLE = -3;
export const BY_FINDINGS = -4;

/** What else than the score of a system documents and domains are ordered by. */
export const BY_LEAD = -1;
export const IN_TEXT = -2;
export const BY_SEGMENTS = -3;

export interface State {
  /** The job that serve shows; empty in a report. */
  job: string;
  view: View;
  /** Metric of the table of systems; -1 is all of them side by side. */
  table: number;
  /** The system whose scores order the documents, or what else does. */
  documentSort: number;
  documentDescending: boolean;
  /** The same of domains. */
  domainSort: number;
  domainDescending: boolean;
  /** The metric by which points are lost. */
  profile: number;
  distribution: number;
  /** Scatter: of two measures (a metric, -1 is the human score) or of two systems by one metric. */
  compare: "measures" | "systems";
  x: number;
  y: number;
  /** -1 is all systems. */
  of: number;
  left: number;
  right: number;
  by: number;
  /** Changes: the metric that judges them, which of them, and which first. */
  changeMetric: number;
  changed: (typeof CHANGED)[number];
  changeOrder: (typeof CHANGE_ORDERS)[number];
  /** Browser. */
  query: string;
  system: number;
  document: number;
  domain: number;
  shortest: number;
  longest: number;
  /** Rows with any finding, with none, of a severity or of a code; empty: all. */
  finding: string;
  choice: Choice;
  most: number;
  first: number;
  second: number;
  metric: number;
  /** -1 is the human score. */
  otherMetric: number;
  /** Metric that orders the rows, or what else does. */
  sort: number;
  /** Not the worst, the first or the shortest first, but the other way round. */
  reversed: boolean;
  /** The open segment, -1 if none, and what of it is explained. */
  segment: number;
  explainSystem: number;
  explainMetric: number;
  /** The system that the explained one is compared with; -1 is none. */
  versus: number;
}

export const INITIAL: Readonly<State> = {
  job: "",
  view: "systems",
  table: -1,
  documentSort: BY_LEAD,
  documentDescending: false,
  domainSort: BY_LEAD,
  domainDescending: false,
  profile: 0,
  distribution: 0,
  compare: "measures",
  x: 0,
  y: 1,
  of: -1,
  left: 0,
  right: 1,
  by: 0,
  changeMetric: 0,
  changed: "all",
  changeOrder: "worst",
  query: "",
  system: -1,
  document: -1,
  domain: -1,
  shortest: 0,
  longest: 0,
  finding: "",
  choice: "all",
  most: 100,
  first: 0,
  second: 1,
  metric: 0,
  otherMetric: 1,
  sort: 0,
  reversed: false,
  segment: -1,
  explainSystem: 0,
  explainMetric: 0,
  versus: 1,
};

/** What differs from the initial state, in a fixed order. */
export function toFragment(state: State): string {
  const query = new URLSearchParams();
  for (const key of Object.keys(INITIAL) as (keyof State)[]) {
    if (state[key] !== INITIAL[key]) query.set(key, String(state[key]));
  }
  return query.toString();
}

/** An address may hold anything: what is not understood keeps its initial value. */
export function fromFragment(fragment: string): State {
  const query = new URLSearchParams(fragment.replace(/^#/, ""));
  const state: Record<string, unknown> = { ...INITIAL };
  for (const [key, initial] of Object.entries(INITIAL)) {
    const text = query.get(key);
    if (text === null) continue;
    if (typeof initial === "number") {
      if (/^-?\d{1,9}$/.test(text)) state[key] = Number(text);
    } else if (typeof initial === "boolean") state[key] = text === "true";
    else state[key] = text;
  }
  const result = state as unknown as State;
  if (!VIEWS.includes(result.view)) result.view = INITIAL.view;
  if (!CHOICES.includes(result.choice)) result.choice = INITIAL.choice;
  if (!CHANGED.includes(result.changed)) result.changed = INITIAL.changed;
  if (!CHANGE_ORDERS.includes(result.changeOrder)) result.changeOrder = INITIAL.changeOrder;
  if (result.compare !== "systems") result.compare = "measures";
  return result;
}

/** Numbers that point outside of this report fall back, so that an old link still opens. */
export function within(
  state: State,
  limits: {
    systems: number;
    metrics: number;
    segments: number;
    documents: number;
    domains?: number;
    human: boolean;
    /** Whether only some rows are explained. */
    partly: boolean;
    views?: readonly View[];
    /** What rows can be filtered by; none where nothing was checked. */
    findings?: readonly string[];
  },
): State {
  const index = (value: number, end: number, least: number, otherwise: number) =>
    value >= least && value < end ? value : Math.min(otherwise, end - 1);
  const { systems, metrics } = limits;
  const measure = (value: number, otherwise: number) => index(value, metrics, limits.human ? PEOPLE : 0, otherwise);
  const sortable = (key: number) =>
    (key >= BY_LENGTH && key < metrics) ||
    (key === BY_PEOPLE && limits.human) ||
    (key === BY_FINDINGS && limits.findings !== undefined);
  const explainSystem = index(state.explainSystem, systems, 0, 0);
  const versus = index(state.versus, systems, -1, 1);
  return {
    ...state,
    view: !limits.views || limits.views.includes(state.view) ? state.view : INITIAL.view,
    finding: limits.findings?.includes(state.finding) ? state.finding : "",
    changeMetric: index(state.changeMetric, metrics, 0, 0),
    table: metrics === 1 ? 0 : index(state.table, metrics, -1, -1),
    documentSort: index(state.documentSort, systems, BY_SEGMENTS, BY_LEAD),
    domainSort: index(state.domainSort, systems, BY_SEGMENTS, BY_LEAD),
    profile: index(state.profile, metrics, 0, 0),
    distribution: index(state.distribution, metrics, 0, 0),
    x: measure(state.x, 0),
    y: measure(state.y, metrics > 1 ? 1 : limits.human ? PEOPLE : 0),
    of: index(state.of, systems, -1, -1),
    left: index(state.left, systems, 0, 0),
    right: index(state.right, systems, 0, 1),
    by: index(state.by, metrics, 0, 0),
    system: index(state.system, systems, -1, -1),
    document: index(state.document, limits.documents, -1, -1),
    domain: index(state.domain, limits.domains ?? 0, -1, -1),
    first: index(state.first, systems, 0, 0),
    second: index(state.second, systems, 0, 1),
    metric: index(state.metric, metrics, 0, 0),
    otherMetric: measure(state.otherMetric, metrics > 1 ? 1 : limits.human ? PEOPLE : 0),
    sort: sortable(state.sort) ? state.sort : 0,
    choice: state.choice === "explained" && !limits.partly ? "all" : state.choice,
    most: state.most > 0 ? state.most : INITIAL.most,
    segment: index(state.segment, limits.segments, -1, -1),
    explainSystem,
    explainMetric: index(state.explainMetric, metrics, 0, 0),
    // Nothing is compared with itself, but with the first of the others.
    versus: versus === explainSystem ? Number(explainSystem === 0) : versus,
  };
}

/** Holds the state and tells whoever watches a part of it. */
export class Store {
  #state: State;
  readonly #limit: (state: State) => State;
  readonly #watchers: { keys: readonly (keyof State)[]; run: (state: State) => void }[] = [];

  constructor(state: State, limit: (state: State) => State = (state) => state) {
    this.#limit = limit;
    this.#state = limit(state);
  }

  get state(): Readonly<State> {
    return this.#state;
  }

  update(changes: Partial<State>): void {
    const before = this.#state;
    this.#state = this.#limit({ ...before, ...changes });
    for (const { keys, run } of this.#watchers) {
      if (keys.some((key) => before[key] !== this.#state[key])) run(this.#state);
    }
  }

  /** Runs on every later change of one of the keys. */
  watch(keys: readonly (keyof State)[], run: (state: State) => void): void {
    this.#watchers.push({ keys, run });
  }
}
