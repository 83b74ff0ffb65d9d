/** All segments of all systems: search, filter, sort, open. */

import type { Dataset } from "../data/dataset.ts";
import { bdi, button, el, idle, problem } from "../base/dom.ts";
import { count, counted, fixed, score } from "../base/numbers.ts";
import type { Texts } from "../data/overview.ts";
import { chooseRows, type Rows, type Table } from "../data/chosen_rows.ts";
import { Search } from "../data/search.ts";
import { nameWidth } from "../base/short_names.ts";
import { BY_PEOPLE, PEOPLE, type Store } from "../state/state.ts";
import { cut, visible } from "../base/text.ts";
import { FILTERS, filterControls } from "./segment_filters.ts";
import { PRINTED, VirtualGrid } from "./virtual_grid.ts";
import { arrow } from "./metric_direction.ts";
import { section } from "./section.ts";
import { series, shortName, systemLabels } from "./system_names.ts";

/** More of a text than any line of the grid has room for. */
const LINE = 400;
/** Rem that a letter of a name takes, and a figure of a bold score. */
const LETTER = 0.53;
const FIGURE = 0.62;

/** Rem of a column of scores: the longest number is never cut, a long name of a metric may be. */
export function columnWidth(name: string, scores: Float64Array | undefined, digits: number): number {
  const ends = [Infinity, -Infinity];
  for (const value of scores ?? []) {
    if (!Number.isFinite(value)) continue;
    ends[0] = Math.min(ends[0] ?? value, value);
    ends[1] = Math.max(ends[1] ?? value, value);
  }
  const longest = Math.max(...ends.map((end) => fixed(end, digits).length));
  return Math.max(5.25, longest * FIGURE + 1.125, Math.min(9, name.length * 0.55 + 2));
}

export interface Browser {
  element: HTMLElement;
  /** Puts the cursor into the search field. */
  search: () => void;
  /** Puts the cursor on the list. */
  focus: () => void;
  /** The row beside that of a segment and system, however they were opened, or null at the end of the list. */
  step: (by: number, segment: number, system: number) => { segment: number; system: number } | null;
}

export function segmentBrowser(data: Dataset, store: Store, open: (segment: number, system: number) => void): Browser {
  const { overview } = data;
  const { metrics, systems, segments, documents, chunk: size } = overview;
  const human = overview.human?.segments === true;
  const search = new Search(data);
  const status = el("p", { class: "summary", role: "status" }, "Reading …");
  const printed = el("p", { class: "print-only muted" });
  const controls = filterControls(data, store);
  const texts = new Map<number, Texts>();
  let rows: Rows = { order: new Uint32Array(), difference: null };
  let table: Table | null = null;
  let widths: number[] | null = null;
  let running: AbortController | null = null;
  let found: { query: string; rows: Uint8Array } | null = null;

  const at = (place: number) => {
    const row = rows.order[place] ?? 0;
    return { segment: row % segments, system: Math.floor(row / segments) };
  };
  const grid = new VirtualGrid("Segments", (place) => {
    const { segment, system } = at(place);
    if (rows.order.length > 0) open(segment, system);
  });

  /** The text of a row, or null while it is being read. */
  function textOf(segment: number, system: number): string | null {
    const chunk = Math.floor(segment / size);
    const known = texts.get(chunk);
    if (known) return known.hypotheses[system]?.[segment - chunk * size] ?? "";
    data.texts(chunk).then(
      (read) => {
        texts.set(chunk, read);
        grid.refresh();
      },
      () => undefined,
    );
    return null;
  }

  function readText(place: number): void {
    const { segment, system } = at(place);
    textOf(segment, system);
  }

  function cells(place: number): HTMLElement[] {
    const { segment, system } = at(place);
    const text = textOf(segment, system);
    const cell = (name: string, ...children: (Node | string)[]) =>
      el("div", { class: `cell ${name}`, role: "gridcell" }, ...children);
    const titled = (element: HTMLElement, title: string) => {
      element.title = visible(cut(title, LINE));
      return element;
    };
    const document = documents?.[table?.documents[segment] ?? 0];
    return [
      cell("segment", count(segment + 1)),
      ...(documents ? [titled(cell("document", bdi(cut(document ?? "", LINE))), document ?? "")] : []),
      cell(
        `of-system ${series(system)}`,
        el("span", { class: "swatch", "aria-hidden": "true" }),
        shortName(systems, system),
      ),
      cell("text", text === null ? el("span", { class: "muted" }, "…") : bdi(cut(text, LINE))),
      ...(rows.difference ? [cell("score difference", gap(rows.difference[place] ?? NaN))] : []),
      ...metrics.map((metric, i) =>
        cell(
          i === leading() ? "score leading" : "score",
          score(table?.scores[i]?.[segment + system * segments], metric),
        ),
      ),
      ...(human
        ? [cell(sortedByPeople() ? "score leading" : "score", fixed(table?.human?.[segment + system * segments], 3))]
        : []),
    ];
  }

  function gap(value: number): string {
    const { choice, metric } = store.state;
    const text = choice === "metrics" ? `${fixed(value * 100, 0)} %` : score(value, metrics[metric] ?? {});
    return value > 0 ? `+${text}` : text;
  }

  function sortedByPeople(): boolean {
    return store.state.choice === "all" && store.state.sort === BY_PEOPLE;
  }

  /** The metric that small screens show; none if rows are ordered by what people said. */
  function leading(): number {
    const { choice, sort, metric } = store.state;
    return choice !== "all" ? metric : sortedByPeople() ? -1 : Math.max(0, sort);
  }

  function head(): HTMLElement {
    const { sort, descending, choice } = store.state;
    const fixedOrder = choice === "systems" || choice === "metrics";
    const column = (name: string, key: number | null, label: string, ...extra: (Node | string)[]) => {
      const sorted = !fixedOrder && key !== null && sort === key && (choice !== "worst" || key !== -1);
      const attributes = {
        class: `cell ${name}`,
        role: "columnheader",
        "aria-sort": sorted ? (descending ? "descending" : "ascending") : null,
      };
      if (key === null || fixedOrder) return el("div", attributes, bdi(label), ...extra);
      const press = () =>
        store.update(
          store.state.sort === key ? { descending: !store.state.descending } : { sort: key, descending: false },
        );
      const sign = el("span", { class: "sort", "aria-hidden": "true" }, sorted ? (descending ? " ▾" : " ▴") : "");
      return el("div", attributes, button(label, press, { title: `Order by ${label}` }), sign, ...extra);
    };
    return el(
      "div",
      { class: "grid-row", role: "row", "aria-rowindex": 1 },
      column("segment", -1, "№"),
      ...(documents ? [column("document", null, "Document")] : []),
      column("of-system", null, "System"),
      column("text", null, "Text"),
      ...(rows.difference ? [column("score difference", null, choice === "metrics" ? "Rank gap" : "Difference")] : []),
      ...metrics.map((metric, i) => column(i === leading() ? "score leading" : "score", i, metric.name, arrow(metric))),
      ...(human ? [column(sortedByPeople() ? "score leading" : "score", BY_PEOPLE, "Human")] : []),
    );
  }

  function layout(): void {
    const named = Math.max(...systemLabels(systems).map(nameWidth)) * LETTER + 2.25;
    const columns = [
      "4rem",
      ...(documents ? ["minmax(5rem, 8rem)"] : []),
      `minmax(6rem, ${Math.max(9, named)}rem)`,
      "minmax(14rem, 1fr)",
      ...(rows.difference ? ["6.5rem"] : []),
      ...(widths ?? []).map((width) => `${width}rem`),
    ];
    grid.element.style.setProperty("--columns", columns.join(" "));
    grid.element.classList.toggle("documented", documents !== null);
  }

  function say(): void {
    const shown = rows.order.length;
    const all = systems.length * segments;
    const state = store.state;
    const what = counted(shown, "row");
    const other = state.otherMetric === PEOPLE ? "people" : metrics[state.otherMetric]?.name;
    const names = { metric: metrics[state.metric]?.name ?? "", other: other ?? "" };
    const [first, second] = [state.first, state.second].map((system) => systemLabels(systems)[system] ?? "");
    const lower = metrics[state.metric]?.higherIsBetter === false;
    const why = {
      all: shown === all ? "" : ` of ${count(all)}`,
      worst: `, the worst by ${names.metric}`,
      systems: `, where ${first} and ${second} differ most by ${names.metric} (difference: ${first} minus ${second}; ${lower ? "lower" : "higher"} is better)`,
      metrics: `, where ${names.metric} and ${names.other} rank a text most differently (+: ${names.metric} likes it better)`,
      explained: `, explained by ${names.metric}`,
    }[state.choice];
    status.replaceChildren(bdi(`${what}${why}${shown === 0 ? ": nothing matches" : ""}.`));
    printed.textContent =
      shown > PRINTED ? `Printed here: the first ${count(PRINTED)} of them. Filters of the page choose others.` : "";
    // Their texts are read beforehand, because paper does not wait; from a server that would be many requests.
    if (data.local) void idle().then(() => rows.order.subarray(0, PRINTED).forEach((_, place) => readText(place)));
  }

  async function draw(): Promise<void> {
    running?.abort();
    const control = new AbortController();
    running = control;
    try {
      if (!table) {
        const [scores, people, documents, lengths, explained] = await Promise.all([
          data.allScores(),
          human ? data.human() : null,
          data.documents(),
          data.lengths(),
          data.explained(),
        ]);
        table = {
          systems: systems.length,
          segments,
          scores,
          documents,
          lengths,
          explained,
          higherIsBetter: metrics.map((metric) => metric.higherIsBetter),
          human: people,
        };
        widths = [
          ...metrics.map((metric, i) => columnWidth(metric.name, scores[i], metric.digits ?? 4)),
          ...(people ? [columnWidth("Human", people, 3)] : []),
        ];
      }
      const { query } = store.state;
      if (query && found?.query !== query) {
        const matches = await search.find(query, control.signal, (part) => {
          status.textContent = `Searching … ${Math.round(part * 100)} %`;
        });
        if (matches) found = { query, rows: matches };
      }
      if (control.signal.aborted) return;
      rows = chooseRows(table, store.state, query ? (found?.rows ?? null) : null);
      layout();
      grid.show(head(), {
        count: rows.order.length,
        columns: metrics.length + 3 + Number(human) + Number(documents !== null) + Number(rows.difference !== null),
        cells,
      });
      say();
    } catch (error) {
      status.replaceChildren(problem(error));
    }
  }

  store.watch(FILTERS, () => void draw());
  // The table of systems is on the screen before the first block is unpacked.
  setTimeout(() => {
    void draw().then(() => {
      if (data.local) search.prepare().catch(() => undefined);
    });
  });

  return {
    element: section("segments", "Segments", controls.element, status, printed, grid.element),
    search: () => {
      controls.search.focus();
      controls.search.select();
    },
    focus: () => grid.element.focus(),
    step: (by, segment, system) => {
      const from = rows.order.indexOf(system * segments + segment);
      const place = (from < 0 ? grid.active : from) + by;
      if (place < 0 || place >= rows.order.length) return null;
      grid.activate(place);
      return at(place);
    },
  };
}
