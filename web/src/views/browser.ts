/** All segments of all systems: search, filter, sort, open. */

import type { Dataset } from "../dataset.ts";
import { bdi, button, el, problem } from "../dom.ts";
import { count, counted, fixed, score } from "../numbers.ts";
import type { Texts } from "../overview.ts";
import { chooseRows, type Rows, type Table } from "../rows.ts";
import { Search } from "../search.ts";
import type { Store } from "../state.ts";
import { cut } from "../text.ts";
import { FILTERS, filterControls } from "./filters.ts";
import { VirtualGrid } from "./grid.ts";
import { arrow, section, series } from "./parts.ts";

/** More of a text than any line of the grid has room for. */
const LINE = 400;

export interface Browser {
  element: HTMLElement;
  /** Puts the cursor into the search field. */
  search: () => void;
  /** The row beside that of a segment and system, however they were opened, or null at the end of the list. */
  step: (by: number, segment: number, system: number) => { segment: number; system: number } | null;
}

export function segmentBrowser(data: Dataset, store: Store, open: (segment: number, system: number) => void): Browser {
  const { overview } = data;
  const { metrics, systems, segments, documents, chunk: size } = overview;
  const search = new Search(data);
  const status = el("p", { class: "summary", role: "status" }, "Reading …");
  const controls = filterControls(data, store);
  const texts = new Map<number, Texts>();
  let rows: Rows = { order: new Uint32Array(), difference: null };
  let table: Table | null = null;
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

  function cells(place: number): HTMLElement[] {
    const { segment, system } = at(place);
    const text = textOf(segment, system);
    const cell = (name: string, ...children: (Node | string)[]) =>
      el("div", { class: `cell ${name}`, role: "gridcell" }, ...children);
    const document = documents?.[table?.documents[segment] ?? 0];
    return [
      cell("segment", count(segment + 1)),
      ...(documents ? [cell("document", bdi(cut(document ?? "", LINE)))] : []),
      cell(
        `of-system ${series(system)}`,
        el("span", { class: "swatch", "aria-hidden": "true" }),
        bdi(cut(systems[system] ?? "", LINE)),
      ),
      cell("text", text === null ? el("span", { class: "muted" }, "…") : bdi(cut(text, LINE))),
      ...(rows.difference ? [cell("score difference", gap(rows.difference[place] ?? NaN))] : []),
      ...metrics.map((metric, i) =>
        cell(
          i === leading() ? "score leading" : "score",
          score(table?.scores[i]?.[segment + system * segments], metric),
        ),
      ),
    ];
  }

  function gap(value: number): string {
    const text = store.state.choice === "metrics" ? `${fixed(value * 100, 0)} %` : fixed(value, 4);
    return value > 0 ? `+${text}` : text;
  }

  /** The metric that small screens show. */
  function leading(): number {
    const { choice, sort, metric } = store.state;
    return choice !== "all" ? metric : Math.max(0, sort);
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
    );
  }

  function layout(): void {
    const columns = [
      "minmax(3.5rem, max-content)",
      ...(documents ? ["minmax(5rem, 8rem)"] : []),
      "minmax(6rem, 9rem)",
      "minmax(14rem, 1fr)",
      ...(rows.difference ? ["6.5rem"] : []),
      ...metrics.map((metric) => `${Math.max(5.25, Math.min(9, metric.name.length * 0.55 + 2))}rem`),
    ];
    grid.element.style.setProperty("--columns", columns.join(" ").replace("minmax(3.5rem, max-content)", "4rem"));
    grid.element.classList.toggle("documented", documents !== null);
  }

  function say(): void {
    const shown = rows.order.length;
    const all = systems.length * segments;
    const state = store.state;
    const what = counted(shown, "row");
    const names = { metric: metrics[state.metric]?.name ?? "", other: metrics[state.otherMetric]?.name ?? "" };
    const why = {
      all: shown === all ? "" : ` of ${count(all)}`,
      worst: `, the worst by ${names.metric}`,
      systems: `, where ${systems[state.first]} and ${systems[state.second]} differ most by ${names.metric}`,
      metrics: `, where ${names.metric} and ${names.other} rank a text most differently (+: ${names.metric} likes it better)`,
      explained: `, explained by ${names.metric}`,
    }[state.choice];
    status.replaceChildren(bdi(`${what}${why}${shown === 0 ? ": nothing matches" : ""}.`));
  }

  async function draw(): Promise<void> {
    running?.abort();
    const control = new AbortController();
    running = control;
    try {
      if (!table) {
        const [scores, documents, lengths, explained] = await Promise.all([
          data.allScores(),
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
        };
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
        columns: metrics.length + 3 + Number(documents !== null) + Number(rows.difference !== null),
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
    element: section("segments", "Segments", controls.element, status, grid.element),
    search: () => {
      controls.search.focus();
      controls.search.select();
    },
    step: (by, segment, system) => {
      const from = rows.order.indexOf(system * segments + segment);
      const place = (from < 0 ? grid.active : from) + by;
      if (place < 0 || place >= rows.order.length) return null;
      grid.activate(place);
      return at(place);
    },
  };
}
