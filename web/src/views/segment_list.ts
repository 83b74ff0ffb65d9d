/** All segments of all systems: search, filter, sort, open. */

import type { Dataset } from "../data/dataset.ts";
import { bdi, button, el, idle, problem } from "../base/dom.ts";
import { count, counted, fixed, score } from "../base/numbers.ts";
import type { Texts } from "../data/overview.ts";
import { chooseRows, descends, type Rows, type Table } from "../data/chosen_rows.ts";
import type { FindingIndex } from "../data/finding_index.ts";
import { Search } from "../data/search.ts";
import { nameWidth } from "../base/short_names.ts";
import type { Tag } from "../data/overview.ts";
import { AS_WRITTEN, BY_FINDINGS, BY_LENGTH, BY_PEOPLE, PEOPLE, type Store } from "../state/state.ts";
import { cut, visible } from "../base/text.ts";
import { annotated } from "./annotated_text.ts";
import { FILTERS, FilterControls, findingWords, orderBy } from "./segment_filters.ts";
import { PRINTED, VirtualGrid } from "./virtual_grid.ts";
import { arrow } from "./metric_direction.ts";
import { refusal, refusedSign } from "./refusals.ts";
import { section } from "./section.ts";
import { severityCounts } from "./severities.ts";
import { series, shortName, systemLabels } from "./system_names.ts";

/** More of a text than any line of the grid has room for. */
const LINE = 400;
/** Rem that a letter of a name takes, and a figure of a bold score. */
const LETTER = 0.53;
const FIGURE = 0.62;
/** Rem of the column of findings: room for three severities. */
const FINDINGS = 7.5;
/** Rem of a text without which it stands below the others, not beside them. */
const READABLE = 19;
/** Rem of texts below each other that are given two lines each. */
const NARROW = 34;

/** The texts of a row, by their headings. */
const SIDES = ["Translation", "Reference", "Source"] as const;
type Side = (typeof SIDES)[number];

interface ShownText {
  text: string;
  tags: readonly Tag[];
}

/** Rem of a column of scores: the longest number is never cut, a long name of a metric may be. */
export function columnWidth(name: string, scores: Float64Array | undefined, digits: number): number {
  const ends = [Infinity, -Infinity];
  for (const value of scores ?? []) {
    if (!Number.isFinite(value)) continue;
    ends[0] = Math.min(ends[0] ?? value, value);
    ends[1] = Math.max(ends[1] ?? value, value);
  }
  const longest = Math.max(...ends.map((end) => fixed(end, digits).length));
  return Math.max(5.25, longest * FIGURE + 1.125, Math.min(9, name.length * 0.55 + 3));
}

export class SegmentList {
  readonly element: HTMLElement;
  readonly #data: Dataset;
  readonly #store: Store;
  readonly #found: Search;
  readonly #controls: FilterControls;
  readonly #grid: VirtualGrid;
  readonly #status = el("p", { class: "summary", role: "status" }, "Reading …");
  readonly #printed = el("p", { class: "print-only muted" });
  readonly #texts = new Map<number, Texts>();
  readonly #human: boolean;
  /** Letters of the longest name of a document. */
  readonly #longest: number;
  #rows: Rows = { order: new Uint32Array(), difference: null };
  #table: Table | null = null;
  #widths: number[] = [];
  #sides: readonly Side[] = SIDES.slice(0, 2);
  #running: AbortController | null = null;
  #matches: { query: string; rows: Uint8Array } | null = null;

  constructor(data: Dataset, store: Store, open: (segment: number, system: number) => void) {
    this.#data = data;
    this.#store = store;
    this.#human = data.overview.human?.segments === true;
    this.#longest = (data.overview.documents ?? []).reduce((most, name) => Math.max(most, name.length), 0);
    this.#found = new Search(data);
    this.#controls = new FilterControls(data, store);
    const press = (place: number) => {
      const { segment, system } = this.#at(place);
      if (this.#rows.order.length > 0) open(segment, system);
    };
    this.#grid = new VirtualGrid("Segments", press, (room) => this.#arrange(room));
    this.element = section(
      "segments",
      "Segments",
      this.#controls.element,
      this.#status,
      this.#printed,
      this.#grid.element,
    );
    store.watch(FILTERS, () => void this.#draw());
    // The table of systems is on the screen before the first block is unpacked.
    setTimeout(() => {
      void this.#draw().then(() => {
        if (data.local) this.#found.prepare().catch(() => undefined);
      });
    });
  }

  /** Puts the cursor into the search field. */
  search(): void {
    this.#controls.search.focus();
    this.#controls.search.select();
  }

  /** Puts the cursor on the list. */
  focus(): void {
    this.#grid.element.focus();
  }

  /** The row beside that of a segment and system, however they were opened, or null at the end of the list. */
  step(by: number, segment: number, system: number): { segment: number; system: number } | null {
    const from = this.#rows.order.indexOf(system * this.#data.overview.segments + segment);
    const place = (from < 0 ? this.#grid.active : from) + by;
    if (place < 0 || place >= this.#rows.order.length) return null;
    this.#grid.activate(place);
    return this.#at(place);
  }

  #at(place: number): { segment: number; system: number } {
    const { segments } = this.#data.overview;
    const row = this.#rows.order[place] ?? 0;
    return { segment: row % segments, system: Math.floor(row / segments) };
  }

  /** The texts of a row by their headings, or null while they are being read. */
  #textsOf(place: number): Record<Side, ShownText> | null {
    const { segment, system } = this.#at(place);
    const { chunk: size } = this.#data.overview;
    const chunk = Math.floor(segment / size);
    const known = this.#texts.get(chunk);
    const at = segment - chunk * size;
    if (known)
      return {
        Translation: { text: known.hypotheses[system]?.[at] ?? "", tags: known.tags?.hypotheses[system]?.[at] ?? [] },
        Reference: { text: known.references[0]?.[at] ?? "", tags: known.tags?.references[0]?.[at] ?? [] },
        Source: { text: known.sources?.[at] ?? "", tags: known.tags?.sources[at] ?? [] },
      };
    this.#data.texts(chunk).then(
      (read) => {
        this.#texts.set(chunk, read);
        this.#grid.refresh();
      },
      () => undefined,
    );
    return null;
  }

  #cells(place: number): HTMLElement[] {
    const { documents, metrics, segments, systems } = this.#data.overview;
    const { segment, system } = this.#at(place);
    const cell = segment + system * segments;
    const table = this.#table;
    const texts = this.#textsOf(place);
    const document = documents?.[table?.documents[segment] ?? 0] ?? "";
    const difference = this.#rows.difference;
    return [
      gridCell("segment", count(segment + 1)),
      ...(documents ? [titled(gridCell("document", bdi(cut(document, LINE))), document)] : []),
      gridCell(
        `of-system ${series(system)}`,
        el("span", { class: "swatch", "aria-hidden": "true" }),
        shortName(systems, system),
      ),
      el(
        "div",
        { class: "row-texts", role: "presentation" },
        ...this.#sides.map((side) => {
          const cell = gridCell(`text ${side.toLowerCase()}`, shownText(texts?.[side]));
          cell.dataset["side"] = side;
          return cell;
        }),
      ),
      ...(table?.findings ? [findingsCell(table.findings, cell)] : []),
      ...(difference ? [gridCell("score difference", this.#gap(difference[place] ?? NaN))] : []),
      ...metrics.map((metric, i) => {
        const value = table?.scores[i]?.[cell];
        const refused = refusal(this.#data.overview, i, segment, value);
        if (refused !== null) return titled(gridCell(this.#scoreClass(i), refusedSign()), refused);
        return gridCell(this.#scoreClass(i), score(value, metric));
      }),
      ...(this.#human ? [gridCell(this.#scoreClass(BY_PEOPLE), fixed(table?.human?.[cell], 3))] : []),
    ];
  }

  #gap(value: number): string {
    const { choice, metric } = this.#store.state;
    const metrics = this.#data.overview.metrics;
    const text = choice === "metrics" ? `${fixed(value * 100, 0)} %` : score(value, metrics[metric] ?? {});
    return value > 0 ? `+${text}` : text;
  }

  /** Small screens show only the leading column: the metric, or people, that rows are chosen or ordered by. */
  #scoreClass(column: number): string {
    const { choice, sort, metric } = this.#store.state;
    const leading = choice !== "all" ? metric : sort === BY_PEOPLE ? BY_PEOPLE : Math.max(0, sort);
    return column === leading ? "score leading" : "score";
  }

  #head(): HTMLElement {
    const { documents, metrics } = this.#data.overview;
    const { choice } = this.#store.state;
    return el(
      "div",
      { class: "grid-row", role: "row", "aria-rowindex": 1 },
      this.#heading("segment", AS_WRITTEN, "№"),
      ...(documents ? [this.#heading("document", null, "Document")] : []),
      this.#heading("of-system", null, "System"),
      el(
        "div",
        { class: "row-texts", role: "presentation" },
        ...this.#sides.map((side) => this.#heading(`text ${side.toLowerCase()}`, null, side)),
      ),
      ...(this.#table?.findings ? [this.#heading("found", BY_FINDINGS, "Findings")] : []),
      ...(this.#rows.difference
        ? [this.#heading("score difference", null, choice === "metrics" ? "Rank gap" : "Difference")]
        : []),
      ...metrics.map((metric, i) => this.#heading(this.#scoreClass(i), i, metric.name, arrow(metric))),
      ...(this.#human ? [this.#heading(this.#scoreClass(BY_PEOPLE), BY_PEOPLE, "Human")] : []),
    );
  }

  /** A heading, which orders the rows if `key` says by what. */
  #heading(name: string, key: number | null, label: string, ...extra: (Node | string)[]): HTMLElement {
    const { sort, reversed, choice } = this.#store.state;
    const fixedOrder = choice === "systems" || choice === "metrics";
    const sorted = !fixedOrder && key !== null && sort === key;
    const descending = descends({ sort, reversed }, this.#table?.higherIsBetter ?? []);
    const attributes = {
      class: `cell ${name}`,
      role: "columnheader",
      "aria-sort": sorted ? (descending ? "descending" : "ascending") : null,
    };
    if (key === null || fixedOrder) return el("div", attributes, bdi(label), ...extra);
    const press = () => {
      const { state } = this.#store;
      this.#store.update(state.sort === key ? { reversed: !state.reversed } : orderBy(key));
    };
    const sign = el("span", { class: "sort", "aria-hidden": "true" }, sorted ? (descending ? " ▾" : " ▴") : "");
    return el("div", attributes, button(label, press, { title: `Order by ${label}` }), sign, ...extra);
  }

  /** Sets the columns for a list that has `room` rem: texts stand beside each other where all can be read. */
  #arrange(room: number): void {
    const { documents, systems } = this.#data.overview;
    const named = Math.max(...systemLabels(systems).map(nameWidth)) * LETTER + 2.25;
    const filed = Math.min(12, Math.max(6, this.#longest * LETTER + 1.25));
    const before = [4, ...(documents ? [filed] : []), Math.min(14, Math.max(7, named))];
    const checked = this.#table?.findings ? [FINDINGS] : [];
    const behind = [...checked, ...(this.#rows.difference ? [6.5] : []), ...this.#widths];
    const rest = room - [...before, ...behind].reduce((sum, width) => sum + width, 0);
    const rem = (width: number) => `${width}rem`;
    const grid = this.#grid.element;
    grid.style.setProperty("--columns", [...before.map(rem), "minmax(16rem, 1fr)", ...behind.map(rem)].join(" "));
    grid.classList.toggle("beside", rest >= READABLE * this.#sides.length);
    grid.classList.toggle("narrow", rest < NARROW);
    grid.classList.toggle("sourced", this.#sides.length > 2);
  }

  /** Says how many rows there are and why these. */
  #say(): void {
    const { metrics, segments, systems } = this.#data.overview;
    const state = this.#store.state;
    const shown = this.#rows.order.length;
    const all = systems.length * segments;
    const metric = metrics[state.metric]?.name ?? "";
    const other = state.otherMetric === PEOPLE ? "people" : (metrics[state.otherMetric]?.name ?? "");
    const [first, second] = [state.first, state.second].map((system) => systemLabels(systems)[system] ?? "");
    const better = metrics[state.metric]?.higherIsBetter === false ? "lower" : "higher";
    const why = {
      all: shown === all ? "" : ` of ${count(all)}`,
      systems: `, where ${first} and ${second} differ most by ${metric} (difference: ${first} minus ${second}; ${better} is better)`,
      metrics: `, where ${metric} and ${other} rank a text most differently (+: ${metric} rates it higher)`,
      explained: `, explained by ${metric}`,
    }[state.choice];
    const ordered = state.choice === "systems" || state.choice === "metrics" || shown < 2 ? "" : `, ${this.#order()}`;
    const found = state.finding === "" ? "" : ` with ${findingWords(state.finding)}`;
    const these = state.choice === "all" ? why + found : found + why;
    const said = `${counted(shown, "row")}${these}${ordered}${shown === 0 ? ": nothing matches" : ""}.`;
    this.#status.replaceChildren(bdi(said));
    this.#printed.textContent =
      shown > PRINTED ? `Printed here: the first ${count(PRINTED)}. Use the filters of the page to choose others.` : "";
    // Their texts are read beforehand, because paper does not wait; from a server that would be many requests.
    const read = () => this.#rows.order.subarray(0, PRINTED).forEach((_, place) => this.#textsOf(place));
    if (this.#data.local) void idle().then(read);
  }

  /** `the worst by accord first`. */
  #order(): string {
    const { sort, reversed } = this.#store.state;
    if (sort === AS_WRITTEN) return reversed ? "the last first" : "in the order of the text";
    if (sort === BY_LENGTH) return `the ${reversed ? "longest" : "shortest"} first`;
    if (sort === BY_FINDINGS) return `the ${reversed ? "best" : "worst"} findings first`;
    const by = sort === BY_PEOPLE ? "people’s scores" : (this.#data.overview.metrics[sort]?.name ?? "");
    return `the ${reversed ? "best" : "worst"} by ${by} first`;
  }

  /** Reads all that rows are chosen by, once. */
  async #read(): Promise<Table> {
    const data = this.#data;
    const { metrics, segments, systems } = data.overview;
    const [scores, human, documents, domains, lengths, explained, findings] = await Promise.all([
      data.allScores(),
      this.#human ? data.human() : null,
      data.documents(),
      data.domains(),
      data.lengths(),
      data.explained(),
      data.findingIndex(),
    ]);
    this.#sides = (await data.texts(0)).sources ? SIDES : SIDES.slice(0, 2);
    this.#widths = [
      ...metrics.map((metric, i) => columnWidth(metric.name, scores[i], metric.digits ?? 4)),
      ...(human ? [columnWidth("Human", human, 3)] : []),
    ];
    const higherIsBetter = metrics.map((metric) => metric.higherIsBetter);
    return {
      systems: systems.length,
      segments,
      scores,
      documents,
      domains,
      lengths,
      explained,
      higherIsBetter,
      human,
      findings,
    };
  }

  async #draw(): Promise<void> {
    this.#running?.abort();
    const control = new AbortController();
    this.#running = control;
    try {
      this.#table ??= await this.#read();
      const { query } = this.#store.state;
      if (query && this.#matches?.query !== query) {
        const rows = await this.#found.find(query, control.signal, (part) => {
          this.#status.textContent = `Searching … ${Math.round(part * 100)} %`;
        });
        if (rows) this.#matches = { query, rows };
      }
      if (control.signal.aborted) return;
      const { documents, metrics } = this.#data.overview;
      this.#rows = chooseRows(this.#table, this.#store.state, query ? (this.#matches?.rows ?? null) : null);
      const more = [this.#human, documents !== null, this.#table.findings !== null, this.#rows.difference !== null];
      const others = more.filter(Boolean).length;
      this.#grid.show(this.#head(), {
        count: this.#rows.order.length,
        columns: metrics.length + 2 + this.#sides.length + others,
        cells: (place) => this.#cells(place),
      });
      this.#say();
    } catch (error) {
      this.#status.replaceChildren(problem(error));
    }
  }
}

/** A text in one line or two, with its tags; `…` while it is being read. */
function shownText(shown: ShownText | undefined): Node {
  if (!shown) return el("span", { class: "muted" }, "…");
  const { text, tags } = shown;
  if (!text && tags.length === 0) return el("span", { class: "muted" }, "(empty)");
  const short = cut(text, LINE);
  const near = tags.filter(([position]) => position <= short.length);
  return near.length > 0 ? el("bdi", { dir: "auto" }, ...annotated(short, [], "ins", { tags: near })) : bdi(short);
}

function findingsCell(findings: FindingIndex, row: number): HTMLElement {
  const codes = findings.codes(row).map(({ code, severity }) => `${code} (${severity})`);
  const cell = gridCell("found", ...severityCounts(findings.counts(row)));
  return codes.length > 0 ? titled(cell, codes.join("\n")) : cell;
}

function gridCell(name: string, ...children: (Node | string)[]): HTMLElement {
  return el("div", { class: `cell ${name}`, role: "gridcell" }, ...children);
}

function titled(element: HTMLElement, title: string): HTMLElement {
  element.title = visible(cut(title, LINE));
  return element;
}
