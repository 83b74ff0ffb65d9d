/** Two versions of one system: the segments that changed, side by side, and whether that was for the better. */

import { bdi, choice, el, labelled, on, problem } from "../base/dom.ts";
import { count, counted, score } from "../base/numbers.ts";
import { cut } from "../base/text.ts";
import type { Dataset } from "../data/dataset.ts";
import { type ChangedSegment, changedSegments, chooseChanges } from "../data/changed_rows.ts";
import { difference } from "../data/text_difference.ts";
import type { Texts } from "../data/overview.ts";
import { CHANGE_ORDERS, CHANGED, type State, type Store } from "../state/state.ts";
import { annotated } from "./annotated_text.ts";
import { direction } from "./metric_direction.ts";
import { type Drawn, section } from "./section.ts";
import { shortName } from "./system_names.ts";
import { VirtualGrid } from "./virtual_grid.ts";

/** More of a text than any row has room for. */
const LINE = 500;
/** Rem of two texts that stand beside each other. */
const READABLE = 36;
/** Rem of the columns of numbers: segment, findings, difference. */
const BESIDE = [4, 6.5, 7];

const SHOWN: Record<State["changed"], string> = {
  all: "All changes",
  better: "Improved",
  worse: "Worse",
  alike: "Alike",
  new: "New findings",
  gone: "Findings gone",
};
const ORDERS: Record<State["changeOrder"], string> = {
  worst: "Worst first",
  best: "Best first",
  text: "Order of the text",
};

/** Null where no versions are compared. */
export function changesView(
  data: Dataset,
  store: Store,
  open: (segment: number, system: number, metric?: number) => void,
): Changes | null {
  return data.overview.changes ? new Changes(data, store, data.overview.changes, open) : null;
}

export class Changes implements Drawn {
  readonly element: HTMLElement;
  readonly ready: Promise<void>;
  readonly #data: Dataset;
  readonly #store: Store;
  readonly #versions: { before: number; after: number };
  readonly #grid: VirtualGrid;
  readonly #status = el("p", { class: "summary", role: "status" }, "Reading …");
  readonly #controls: { changeMetric: HTMLSelectElement; changed: HTMLSelectElement; changeOrder: HTMLSelectElement };
  readonly #texts = new Map<number, Texts>();
  #rows: ChangedSegment[] = [];

  constructor(
    data: Dataset,
    store: Store,
    versions: { before: number; after: number },
    open: (segment: number, system: number, metric?: number) => void,
  ) {
    this.#data = data;
    this.#store = store;
    this.#versions = versions;
    const { findings, metrics, systems } = data.overview;
    const shown = CHANGED.filter((one) => findings || (one !== "new" && one !== "gone"));
    this.#controls = {
      changeMetric: choice(
        metrics.map(({ name }, i) => [i, name] as const),
        (value) => store.update({ changeMetric: Number(value) }),
      ),
      changed: choice(
        shown.map((one) => [one, SHOWN[one]] as const),
        (value) => store.update({ changed: value as State["changed"] }),
      ),
      changeOrder: choice(
        CHANGE_ORDERS.map((one) => [one, ORDERS[one]] as const),
        (value) => store.update({ changeOrder: value as State["changeOrder"] }),
      ),
    };
    const press = (place: number) => {
      const row = this.#rows[place];
      if (!row) return;
      store.update({ versus: versions.before });
      open(row.segment, versions.after, store.state.changeMetric);
    };
    this.#grid = new VirtualGrid("Changed segments", press, (room) => this.#arrange(room));
    this.#grid.element.classList.add("changes");
    const { changed, changeMetric, changeOrder } = this.#controls;
    const form = el(
      "form",
      { class: "controls filters", "aria-label": "Filter changes" },
      labelled("Show", changed),
      metrics.length > 1 && labelled("Metric", changeMetric),
      labelled("Order", changeOrder),
    );
    this.element = section(
      "changes",
      "Changes",
      el(
        "p",
        {},
        "From ",
        el("b", {}, shortName(systems, versions.before)),
        " to ",
        el("b", {}, shortName(systems, versions.after)),
        ": ",
        el("del", {}, "marked"),
        " words are gone, ",
        el("ins", {}, "marked"),
        " ones are new.",
      ),
      on(form, { submit: (event) => event.preventDefault() }),
      this.#status,
      this.#grid.element,
    );
    this.element.classList.add("versions");
    store.watch(["changed", "changeMetric", "changeOrder"], () => void this.#draw());
    this.ready = this.#draw();
  }

  /** The row beside that of a segment, or null at the end of the list. */
  step(by: number, segment: number): { segment: number; system: number } | null {
    const from = this.#rows.findIndex((row) => row.segment === segment);
    const place = (from < 0 ? this.#grid.active : from) + by;
    const row = this.#rows[place];
    if (!row) return null;
    this.#grid.activate(place);
    return { segment: row.segment, system: this.#versions.after };
  }

  #arrange(room: number): void {
    const { findings } = this.#data.overview;
    const [segment, found, gap] = BESIDE;
    const behind = [...(findings ? [found] : []), gap];
    const columns = [segment, null, ...behind].map((width) => (width === null ? "minmax(16rem, 1fr)" : `${width}rem`));
    const { element } = this.#grid;
    element.style.setProperty("--columns", columns.join(" "));
    const rest = room - [segment, ...behind].reduce<number>((sum, width) => sum + (width ?? 0), 0);
    element.classList.toggle("beside", rest >= READABLE);
    element.classList.toggle("narrow", rest < READABLE);
  }

  #head(): HTMLElement {
    const { findings, metrics, systems } = this.#data.overview;
    const { before, after } = this.#versions;
    const name = (label: string, kind: string, ...children: (Node | string)[]) =>
      el("div", { class: `cell ${kind}`, role: "columnheader" }, label, ...children);
    return el(
      "div",
      { class: "grid-row", role: "row", "aria-rowindex": 1 },
      name("№", "segment"),
      el(
        "div",
        { class: "row-texts", role: "presentation" },
        name("", "text", shortName(systems, before)),
        name("", "text", shortName(systems, after)),
      ),
      ...(findings ? [name("Findings", "found")] : []),
      name("", "score leading", bdi(metrics[this.#store.state.changeMetric]?.name ?? ""), " ±"),
    );
  }

  #cells(place: number): HTMLElement[] {
    const row = this.#rows[place];
    const { findings, metrics } = this.#data.overview;
    if (!row) return [];
    const metric = metrics[this.#store.state.changeMetric];
    const judged = row.gain > 0 ? "better" : row.gain < 0 ? "worse" : "alike";
    const gap = score(row.difference, metric ?? {});
    return [
      cell("segment", count(row.segment + 1)),
      el("div", { class: "row-texts", role: "presentation" }, ...this.#pair(row.segment)),
      ...(findings ? [cell("found", ...changeCounts(row))] : []),
      cell(
        `score leading ${judged}`,
        row.difference > 0 ? `+${gap}` : gap,
        el("span", { class: "hidden-text" }, `, ${SHOWN[judged].toLowerCase()}`),
      ),
    ];
  }

  /** Both texts, or dots while they are being read. */
  #pair(segment: number): HTMLElement[] {
    const { chunk: size, lang } = this.#data.overview;
    const { before, after } = this.#versions;
    const chunk = Math.floor(segment / size);
    const texts = this.#texts.get(chunk);
    if (!texts) {
      this.#data.texts(chunk).then(
        (read) => {
          this.#texts.set(chunk, read);
          this.#grid.refresh();
        },
        () => undefined,
      );
      return [before, after].map(() => cell("text", el("span", { class: "muted" }, "…")));
    }
    const at = segment - chunk * size;
    const [old, now] = [before, after].map((system) => ({
      text: cut(texts.hypotheses[system]?.[at] ?? "", LINE),
      tags: texts.tags?.hypotheses[system]?.[at] ?? [],
    })) as [Version, Version];
    const compared = difference(old.text, now.text, lang, true) ?? [[], []];
    return ([["del", old, now, 0], ["ins", now, old, 1]] as const).map(([mark, own, other, side]) => {
      const text = el(
        "bdi",
        { dir: "auto" },
        ...annotated(own.text, compared[side], mark, {
          tags: own.tags.filter(([position]) => position <= own.text.length),
          otherTags: other.tags,
        }),
      );
      const empty = el("span", { class: "muted" }, "(empty)");
      const shown = cell("text", own.text === "" && own.tags.length === 0 ? empty : text);
      shown.dataset["side"] = side === 0 ? "Before" : "After";
      return shown;
    });
  }

  async #draw(): Promise<void> {
    const { changeMetric, changed, changeOrder } = this.#store.state;
    this.#controls.changeMetric.value = String(changeMetric);
    this.#controls.changed.value = changed;
    this.#controls.changeOrder.value = changeOrder;
    const { metrics, segments } = this.#data.overview;
    const metric = metrics[changeMetric];
    if (!metric) return;
    try {
      const [rows, scores] = await Promise.all([this.#data.changes(), this.#data.scores(changeMetric)]);
      if (this.#store.state.changeMetric !== changeMetric) return;
      const all = changedSegments(rows, scores, segments, this.#versions, metric);
      this.#rows = chooseChanges(all, this.#store.state);
      this.#grid.show(this.#head(), {
        count: this.#rows.length,
        columns: this.#data.overview.findings ? 5 : 4,
        cells: (place) => this.#cells(place),
      });
      this.#grid.element.style.setProperty("--rows", String(Math.max(1, this.#rows.length)));
      const of = this.#rows.length === all.length ? "" : ` of ${count(all.length)}`;
      this.#status.replaceChildren(
        bdi(`${counted(this.#rows.length, "changed segment")}${of}; by ${metric.name}, ${direction(metric)}.`),
      );
    } catch (error) {
      this.#status.replaceChildren(problem(error));
    }
  }
}

interface Version {
  text: string;
  tags: NonNullable<Texts["tags"]>["sources"][string];
}

/** New and gone findings of a row, in words that fit. */
export function changeCounts({ fresh, gone }: Pick<ChangedSegment, "fresh" | "gone">): HTMLElement[] {
  return [
    ...(fresh > 0 ? [el("span", { class: "change new" }, `${count(fresh)} new`)] : []),
    ...(gone > 0 ? [el("span", { class: "change gone" }, `${count(gone)} gone`)] : []),
  ];
}

function cell(name: string, ...children: (Node | string)[]): HTMLElement {
  return el("div", { class: `cell ${name}`, role: "gridcell" }, ...children);
}
