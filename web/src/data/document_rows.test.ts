import { describe, expect, it } from "vitest";
import { documentRows, sortedDocuments } from "./document_rows.ts";

// Two systems × three documents; the second system is the better one.
const SCORES = Float64Array.of(10, 50, 30, 40, 20, NaN);
const OF = Uint32Array.of(0, 0, 1, 2, 2, 2);
const rows = documentRows(SCORES, OF, [1, 0], true);
const order = (documentSort: number, documentDescending = false) =>
  sortedDocuments(rows, { documentSort, documentDescending }).map((row) => row.document);

describe("rows of documents", () => {
  it("have the number of segments and the scores of all systems", () => {
    expect(rows.map((row) => row.segments)).toEqual([2, 1, 3]);
    expect(rows.map((row) => row.scores)).toEqual([
      [10, 40],
      [50, 20],
      [30, NaN],
    ]);
  });

  it("say how far the best system is ahead, whichever way is better", () => {
    expect(rows.map((row) => row.lead)).toEqual([30, -30, NaN]);
    expect(documentRows(SCORES, OF, [0, 1], false).map((row) => row.lead)).toEqual([30, -30, NaN]);
    expect(documentRows(SCORES.subarray(0, 3), OF, [0], true)[0]?.lead).toBeNaN();
  });

  it("stand worst first, in the order of the text, by size or by the score of a system; without a score last", () => {
    expect(order(-1)).toEqual([1, 0, 2]);
    expect(order(-1, true)).toEqual([0, 1, 2]);
    expect(order(-2, true)).toEqual([2, 1, 0]);
    expect(order(-3)).toEqual([1, 0, 2]);
    expect(order(0)).toEqual([0, 2, 1]);
    expect(order(1, true)).toEqual([0, 1, 2]);
  });
});
