/** The rows of a table of documents or domains, and their order. */

import { BY_LEAD, BY_SEGMENTS, IN_TEXT, type State } from "../state/state.ts";

export interface DocumentRow {
  document: number;
  segments: number;
  /** By system. */
  scores: number[];
  /** How far the first system is ahead of the second, whichever way is better; NaN with one system. */
  lead: number;
}

/**
 * `scores` are systems × documents; `of` says of each segment which document it is in; `ranked` are the systems,
 * best first.
 */
export function documentRows(
  scores: Float64Array,
  of: Uint32Array,
  ranked: readonly number[],
  higherIsBetter: boolean,
): DocumentRow[] {
  const documents = scores.length / ranked.length;
  const sizes = new Uint32Array(documents);
  for (const document of of) sizes[document] = (sizes[document] ?? 0) + 1;
  const [first, second] = ranked;
  return Array.from({ length: documents }, (_, document) => {
    const at = (system: number | undefined) => (system === undefined ? NaN : (scores[system * documents + document] ?? NaN));
    const gap = at(first) - at(second);
    return {
      document,
      segments: sizes[document] ?? 0,
      scores: ranked.map((_, system) => at(system)),
      lead: higherIsBetter ? gap : -gap,
    };
  });
}

/** Ascending or descending; what has no number comes last, and the rest keeps the order of the text. */
export function sortedDocuments(
  rows: readonly DocumentRow[],
  { documentSort, documentDescending }: Pick<State, "documentSort" | "documentDescending">,
): DocumentRow[] {
  const key = (row: DocumentRow) => {
    if (documentSort === BY_LEAD) return row.lead;
    if (documentSort === BY_SEGMENTS) return row.segments;
    return documentSort === IN_TEXT ? row.document : (row.scores[documentSort] ?? NaN);
  };
  const sign = documentDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return sign * (x - y);
  });
}
