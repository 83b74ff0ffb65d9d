/** What each system scores on each document, first those where the best system does worst. */

import type { Dataset } from "../data/dataset.ts";
import { type DocumentRow, documentRows, sortedDocuments } from "../data/document_rows.ts";
import { bdi, button, el, explained, on, problem } from "../base/dom.ts";
import { count, counted, score } from "../base/numbers.ts";
import type { Metric } from "../data/overview.ts";
import { BY_LEAD, BY_SEGMENTS, IN_TEXT, type Store } from "../state/state.ts";
import { direction } from "./metric_direction.ts";
import { type Drawn, section } from "./section.ts";
import { shortName, systemName } from "./system_names.ts";
import { reveal } from "./view_links.ts";

/** Rows that are shown before somebody asks for all. */
const FIRST = 12;

/** A heading that orders the rows. */
function heading(store: Store, key: number, name: string, ...label: (Node | string)[]): HTMLElement {
  const { documentSort, documentDescending } = store.state;
  const sorted = documentSort === key;
  const press = () =>
    store.update(
      sorted ? { documentDescending: !documentDescending } : { documentSort: key, documentDescending: false },
    );
  const pressed = on(el("button", { type: "button", class: "link" }, ...label), { click: press });
  return el(
    "th",
    { scope: "col", class: name, "aria-sort": sorted ? (documentDescending ? "descending" : "ascending") : null },
    pressed,
    el("span", { "aria-hidden": "true" }, sorted ? (documentDescending ? " ▾" : " ▴") : ""),
  );
}

function table(
  data: Dataset,
  store: Store,
  metric: Metric,
  ranked: readonly number[],
  rows: readonly DocumentRow[],
): HTMLElement {
  const { systems } = data.overview;
  const names = data.overview.documents ?? [];
  const [first, second] = ranked;
  const compared = first !== undefined && second !== undefined;
  const row = ({ document, segments, scores, lead }: DocumentRow) => {
    const open = () => {
      store.update({ document, view: "segments" });
      reveal("segments", true);
    };
    const name = names[document] ?? "";
    const pressed = on(el("button", { type: "button", class: "link" }, name ? bdi(name) : "No document"), {
      click: open,
    });
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, pressed),
      compared && el("td", { class: lead < 0 ? "number strong behind" : "number strong" }, score(lead, metric)),
      ...ranked.map((system) => el("td", { class: "number" }, score(scores[system], metric))),
      el("td", { class: "number" }, count(segments)),
    );
  };
  return explained(
    `Documents by ${metric.name}`,
    [
      "Scores by ",
      bdi(metric.name),
      ` (${direction(metric)}). `,
      ...(compared
        ? [
            "Lead is how far ",
            shortName(systems, first),
            " is ahead of ",
            shortName(systems, second),
            "; below zero it is behind. ",
          ]
        : []),
      "Press a document for its segments.",
    ],
    el(
      "table",
      { class: "documents" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heading(store, IN_TEXT, "", "Document"),
          // Before the systems, since a small screen has no room for all of them.
          compared && heading(store, BY_LEAD, "number", "Lead"),
          ...ranked.map((system) => heading(store, system, "number", systemName(systems, system))),
          heading(store, BY_SEGMENTS, "number", "Segments"),
        ),
      ),
      el("tbody", {}, ...rows.map(row)),
    ),
  );
}

/** Null where there are no two documents, or their scores are not known. */
export function documentsView(data: Dataset, store: Store): Drawn | null {
  const { documents, documentScores, metrics, systems, table: tables } = data.overview;
  if (!documents || documents.length < 2 || !documentScores) return null;
  const shown = el("div", { class: "stack" }, el("p", { class: "muted" }, "Reading …"));
  let all = false;
  const draw = async () => {
    const index = Math.max(0, store.state.table);
    const metric = metrics[index];
    if (!metric) return;
    try {
      const [scores, of] = await Promise.all([data.documentScores(index), data.documents()]);
      if (Math.max(0, store.state.table) !== index) return;
      const ranked = tables.find((one) => one.metric === index)?.rows.map((row) => row.system) ?? systems.map((_, i) => i);
      const { documentSort, documentDescending } = store.state;
      // With one system there is no lead, and the worst documents are those with the worst scores.
      const order =
        documentSort === BY_LEAD && systems.length === 1
          ? { documentSort: 0, documentDescending: !metric.higherIsBetter }
          : { documentSort, documentDescending };
      const rows = sortedDocuments(documentRows(scores, of, ranked, metric.higherIsBetter), order);
      const rest = !all && rows.length > FIRST;
      // The heading that was pressed keeps the cursor, though it is made anew.
      const headings = () => [...shown.querySelectorAll<HTMLElement>("thead button")];
      const pressed = headings().findIndex((one) => one === document.activeElement);
      shown.replaceChildren(table(data, store, metric, ranked, rest ? rows.slice(0, FIRST) : rows));
      headings()[pressed]?.focus();
      if (rest) {
        const showAll = () => {
          all = true;
          void draw();
        };
        shown.append(el("p", {}, button(`Show all ${counted(rows.length, "document")}`, showAll)));
      }
    } catch (error) {
      shown.replaceChildren(problem(error));
    }
  };
  store.watch(["table", "documentSort", "documentDescending"], () => void draw());
  const ready = draw();
  return { element: section("documents", counted(documents.length, "document"), shown), ready };
}
