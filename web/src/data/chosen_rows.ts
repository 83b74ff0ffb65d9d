/** Which rows the segment browser shows, and in which order. A row is a segment of a system. */

import { AS_WRITTEN, BY_FINDINGS, BY_LENGTH, BY_PEOPLE, PEOPLE, type State } from "../state/state.ts";
import type { FindingIndex } from "./finding_index.ts";
import { relativeRanks } from "./statistics.ts";

export interface Table {
  systems: number;
  segments: number;
  /** By metric: systems × segments. */
  scores: readonly Float64Array[];
  higherIsBetter: readonly boolean[];
  /** What people said, systems × segments; null if nothing. More is better. */
  human: Float64Array | null;
  documents: Uint32Array;
  domains: Uint32Array;
  /** Systems and then references × segments. */
  lengths: Uint32Array;
  /** By metric, the rows that are explained; null if that is no choice. */
  explained: readonly ReadonlySet<number>[] | null;
  /** What checks found; null if nothing was checked. */
  findings: FindingIndex | null;
}

export interface Rows {
  /** system × segments + segment. */
  order: Uint32Array;
  /** Of each row, what it was chosen for: a difference of scores, or of ranks from -1 to 1. */
  difference: Float64Array | null;
}

export type Request = Pick<
  State,
  | "system"
  | "document"
  | "domain"
  | "shortest"
  | "longest"
  | "finding"
  | "choice"
  | "most"
  | "first"
  | "second"
  | "metric"
  | "otherMetric"
  | "sort"
  | "reversed"
>;

/** `found` holds rows of a text search by the same number as `order`, or is null without a search. */
export function chooseRows(table: Table, request: Request, found: Uint8Array | null): Rows {
  const { systems, segments } = table;
  const shown =
    request.choice === "systems" ? [request.first, request.second] : request.system < 0 ? null : [request.system];
  const candidates = (shown ?? Array.from({ length: systems }, (_, system) => system)).filter(
    (system, place, all) => all.indexOf(system) === place,
  );
  const checked = table.findings?.filter(request.finding) ?? (() => true);
  // Segment by segment, so that the order of the text has the systems of one segment side by side.
  const kept: number[] = [];
  for (let segment = 0; segment < segments; segment++) {
    if (request.document >= 0 && table.documents[segment] !== request.document) continue;
    if (request.domain >= 0 && table.domains[segment] !== request.domain) continue;
    const length = table.lengths[systems * segments + segment] ?? 0; // of the first reference
    if (length < request.shortest || (request.longest > 0 && length > request.longest)) continue;
    const matches = (system: number) => {
      const row = system * segments + segment;
      return (found === null || found[row] === 1) && checked(row);
    };
    // A pair of systems stays together: what is found in one text shows both.
    if (request.choice === "systems" && !candidates.some(matches)) continue;
    for (const system of candidates) {
      if (request.choice === "systems" || matches(system)) kept.push(system * segments + segment);
    }
  }
  const rows = Uint32Array.from(kept);
  if (request.choice === "systems") return apart(table, request, rows);
  if (request.choice === "metrics") return disagreeing(table, request, rows);
  const explained = request.choice === "explained" ? table.explained?.[request.metric] : undefined;
  const chosen = explained ? rows.filter((row) => explained.has(row)) : rows;
  return { order: sorted(table, request, chosen), difference: null };
}

function scoresOf(table: Table, metric: number): Float64Array {
  return (metric === PEOPLE ? table.human : table.scores[metric]) ?? new Float64Array(table.systems * table.segments).fill(NaN);
}

/** Ascending by key; rows without one come last, whichever way; the rest keeps its order. */
function byKey(rows: Uint32Array, key: (row: number) => number, descending: boolean): Uint32Array {
  const keys = Float64Array.from(rows, key);
  const sign = descending ? -1 : 1;
  return Uint32Array.from({ length: rows.length }, (_, place) => place)
    .sort((a, b) => {
      const x = keys[a] ?? NaN;
      const y = keys[b] ?? NaN;
      if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
      return sign * (x - y) || a - b;
    })
    .map((place) => rows[place] ?? 0);
}

/** Whether large numbers come first: the worst do, unless the order is reversed. */
export function descends({ sort, reversed }: Pick<State, "sort" | "reversed">, higherIsBetter: readonly boolean[]): boolean {
  if (sort === BY_FINDINGS) return !reversed;
  return (higherIsBetter[sort] ?? true) === reversed;
}

function sorted(table: Table, request: Request, rows: Uint32Array): Uint32Array {
  const { sort, reversed } = request;
  if (sort === AS_WRITTEN) return reversed ? rows.slice().reverse() : rows;
  const descending = descends(request, table.higherIsBetter);
  if (sort === BY_LENGTH) {
    const from = table.systems * table.segments;
    return byKey(rows, (row) => table.lengths[from + (row % table.segments)] ?? 0, descending);
  }
  if (sort === BY_FINDINGS) return byKey(rows, (row) => table.findings?.weight(row) ?? 0, descending);
  const scores = scoresOf(table, sort === BY_PEOPLE ? PEOPLE : sort);
  return byKey(rows, (row) => scores[row] ?? NaN, descending);
}

function apart(table: Table, request: Request, rows: Uint32Array): Rows {
  const scores = scoresOf(table, request.metric);
  const gap = (row: number) => {
    const segment = row % table.segments;
    return (
      (scores[request.first * table.segments + segment] ?? NaN) -
      (scores[request.second * table.segments + segment] ?? NaN)
    );
  };
  const compared = rows.filter((row) => !Number.isNaN(gap(row)));
  const order = byKey(compared, (row) => Math.abs(gap(row)), true).subarray(0, 2 * request.most);
  return { order, difference: Float64Array.from(order, gap) };
}

function disagreeing(table: Table, request: Request, rows: Uint32Array): Rows {
  const ranks = [request.metric, request.otherMetric].map((metric) => {
    const sign = (table.higherIsBetter[metric] ?? true) ? 1 : -1;
    return relativeRanks(scoresOf(table, metric).map((score) => sign * score));
  });
  const gap = (row: number) => (ranks[0]?.[row] ?? NaN) - (ranks[1]?.[row] ?? NaN);
  const compared = rows.filter((row) => !Number.isNaN(gap(row)));
  const order = byKey(compared, (row) => Math.abs(gap(row)), true).subarray(0, request.most);
  return { order, difference: Float64Array.from(order, gap) };
}
