/** What each system scores on each document or domain, first those where the best system does worst. */

import type { Dataset, Grouping } from "../data/dataset.ts";
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
function heading(store: Store, of: Grouping, key: number, name: string, ...label: (Node | string)[]): HTMLElement {
  const descending = store.state[`${of}Descending`];
  const sorted = store.state[`${of}Sort`] === key;
  const press = () =>
    store.update(
      sorted ? { [`${of}Descending`]: !descending } : { [`${of}Sort`]: key, [`${of}Descending`]: false },
    );
  const pressed = on(el("button", { type: "button", class: "link" }, ...label), { click: press });
  return el(
    "th",
    { scope: "col", class: name, "aria-sort": sorted ? (descending ? "descending" : "ascending") : null },
    pressed,
    el("span", { "aria-hidden": "true" }, sorted ? (descending ? " ▾" : " ▴") : ""),
  );
}

function table(
  data: Dataset,
  store: Store,
  of: Grouping,
  metric: Metric,
  ranked: readonly number[],
  rows: readonly DocumentRow[],
): HTMLElement {
  const { systems } = data.overview;
  const names = data.overview[`${of}s`] ?? [];
  const title = of === "domain" ? "Domain" : "Document";
  const [first, second] = ranked;
  const compared = first !== undefined && second !== undefined;
  const row = ({ document, segments, scores, lead }: DocumentRow) => {
    const open = () => {
      store.update({ [of]: document, view: "segments" });
      reveal("segments", true);
    };
    const name = names[document] ?? "";
    const pressed = on(el("button", { type: "button", class: "link" }, name ? bdi(name) : `No ${of}`), {
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
    `${title}s by ${metric.name}`,
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
      `Press a ${of} for its segments.`,
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
          heading(store, of, IN_TEXT, "", title),
          // Before the systems, since a small screen has no room for all of them.
          compared && heading(store, of, BY_LEAD, "number", "Lead"),
          ...ranked.map((system) => heading(store, of, system, "number", systemName(systems, system))),
          heading(store, of, BY_SEGMENTS, "number", "Segments"),
        ),
      ),
      el("tbody", {}, ...rows.map(row)),
    ),
  );
}

/** Null where there are no two documents or domains, or their scores are not known. */
export function documentsView(data: Dataset, store: Store, of: Grouping): Drawn | null {
  const { documents, documentScores, domains, metrics, systems, table: tables } = data.overview;
  const names = of === "domain" ? domains : documentScores && documents;
  if (!names || names.length < 2) return null;
  const shown = el("div", { class: "stack" }, el("p", { class: "muted" }, "Reading …"));
  let all = false;
  const draw = async () => {
    const index = Math.max(0, store.state.table);
    const metric = metrics[index];
    if (!metric) return;
    try {
      const [scores, places] = await Promise.all([data.groupScores(of, index), data[`${of}s`]()]);
      if (Math.max(0, store.state.table) !== index) return;
      const ranked = tables.find((one) => one.metric === index)?.rows.map((row) => row.system) ?? systems.map((_, i) => i);
      const [documentSort, documentDescending] = [store.state[`${of}Sort`], store.state[`${of}Descending`]];
      // With one system there is no lead, and the worst are those with the worst scores.
      const order =
        documentSort === BY_LEAD && systems.length === 1
          ? { documentSort: 0, documentDescending: !metric.higherIsBetter }
          : { documentSort, documentDescending };
      const rows = sortedDocuments(documentRows(scores, places, ranked, metric.higherIsBetter), order);
      const rest = !all && rows.length > FIRST;
      // The heading that was pressed keeps the cursor, though it is made anew.
      const headings = () => [...shown.querySelectorAll<HTMLElement>("thead button")];
      const pressed = headings().findIndex((one) => one === document.activeElement);
      shown.replaceChildren(table(data, store, of, metric, ranked, rest ? rows.slice(0, FIRST) : rows));
      headings()[pressed]?.focus();
      if (rest) {
        const showAll = () => {
          all = true;
          void draw();
        };
        shown.append(el("p", {}, button(`Show all ${counted(rows.length, of)}`, showAll)));
      }
    } catch (error) {
      shown.replaceChildren(problem(error));
    }
  };
  store.watch(["table", `${of}Sort`, `${of}Descending`], () => void draw());
  const ready = draw();
  return { element: section(`${of}s`, counted(names.length, of), shown), ready };
}
