import { describe, expect, it } from "vitest";
import { chooseRows, type Table } from "./chosen_rows.ts";
import { FindingIndex } from "./finding_index.ts";
import { INITIAL } from "../state/state.ts";

/** Two systems, four segments; rows 0–3 are of the first system. */
const TABLE: Table = {
  systems: 2,
  segments: 4,
  scores: [Float64Array.of(0.1, 0.9, 0.5, NaN, 0.2, 0.3, 0.6, 0.4), Float64Array.of(9, 1, 5, 7, 8, 3, 4, 6)],
  higherIsBetter: [true, false],
  human: Float64Array.of(4, 3, 2, 1, NaN, 6, 7, 8),
  documents: Uint32Array.of(0, 0, 1, 1),
  domains: Uint32Array.of(0, 1, 1, 0),
  lengths: Uint32Array.of(1, 1, 1, 1, 2, 2, 2, 2, 5, 10, 15, 20),
  explained: [new Set([6, 1]), new Set()],
  findings: null,
};

const rows = (request: Partial<typeof INITIAL>, found: Uint8Array | null = null) => {
  const made = chooseRows(TABLE, { ...INITIAL, ...request }, found);
  return { order: [...made.order], difference: made.difference ? [...made.difference] : null };
};

describe("rows", () => {
  it("begin with the worst by the first metric", () => {
    expect(rows({}).order).toEqual([0, 4, 5, 7, 2, 6, 1, 3]);
    expect(rows({ system: 1 }).order).toEqual([4, 5, 7, 6]);
    expect(rows({ reversed: true }).order).toEqual([1, 6, 2, 7, 5, 4, 0, 3]);
  });

  it("keep the order of the text if asked, systems side by side", () => {
    expect(rows({ sort: -1 }).order).toEqual([0, 4, 1, 5, 2, 6, 3, 7]);
    expect(rows({ sort: -1, reversed: true }).order).toEqual([7, 3, 6, 2, 5, 1, 4, 0]);
  });

  it("are of one system, one document, one domain, a range of lengths of the reference", () => {
    expect(rows({ sort: -1, system: 1 }).order).toEqual([4, 5, 6, 7]);
    expect(rows({ sort: -1, document: 1 }).order).toEqual([2, 6, 3, 7]);
    expect(rows({ sort: -1, document: 1, domain: 1 }).order).toEqual([2, 6]);
    expect(rows({ sort: -1, shortest: 10, longest: 15 }).order).toEqual([1, 5, 2, 6]);
  });

  it("are sorted by a metric either way, with missing scores last", () => {
    expect(rows({ sort: 0, system: 0 }).order).toEqual([0, 2, 1, 3]);
    expect(rows({ sort: 0, system: 0, reversed: true }).order).toEqual([1, 2, 0, 3]);
    expect(rows({ sort: -2, system: 0, reversed: true }).order).toEqual([3, 2, 1, 0]);
  });

  it("are sorted by what people said, and compared with it", () => {
    expect(rows({ sort: -3, system: 0 }).order).toEqual([3, 2, 1, 0]);
    expect(rows({ sort: -3, system: 1, reversed: true }).order).toEqual([7, 6, 5, 4]);
    const made = rows({ choice: "metrics", metric: 0, otherMetric: -1, most: 1 });
    // Row 1 has the highest rank of the metric's seven and rank 2 of 0–6 by people.
    expect(made.order).toEqual([1]);
    expect(made.difference?.[0]).toBeCloseTo(1 - 2 / 6);
  });

  it("are those that a metric explains", () => {
    expect(rows({ choice: "explained" }).order).toEqual([6, 1]);
    expect(rows({ choice: "explained", metric: 1 }).order).toEqual([]);
    expect(rows({ choice: "explained", system: 1 }).order).toEqual([6]);
  });

  it("have the highest first where lower is better", () => {
    expect(rows({ sort: 1 }).order.slice(0, 3)).toEqual([0, 4, 3]);
    expect(rows({ sort: 1, reversed: true }).order.slice(0, 3)).toEqual([1, 5, 6]);
  });

  it("where two systems differ come in pairs, the farthest first", () => {
    const made = rows({ choice: "systems", first: 0, second: 1 });
    expect(made.order).toEqual([1, 5, 0, 4, 2, 6]);
    expect(made.difference).toEqual([0.9 - 0.3, 0.9 - 0.3, 0.1 - 0.2, 0.1 - 0.2, 0.5 - 0.6, 0.5 - 0.6]);
    expect(rows({ choice: "systems", most: 1 }).order).toEqual([1, 5]);
  });

  it("where two metrics disagree compare ranks, whichever way is better", () => {
    const made = rows({ choice: "metrics", metric: 0, otherMetric: 1, most: 2 });
    // Row 5 has rank 2 of 0–6 by the first metric and, as lower is better there, rank 6 of 0–7 by the other.
    expect(made.order).toEqual([5, 6]);
    expect(made.difference?.[0]).toBeCloseTo(2 / 6 - 6 / 7);
    const same = rows({ choice: "metrics", metric: 0, otherMetric: 0 });
    expect(same.difference?.every((gap) => gap === 0)).toBe(true);
  });

  it("are those with findings, the worst first if asked", () => {
    const kinds = (["critical", "minor"] as const).map((severity) => ({ code: severity, severity, description: "", counts: [] }));
    const checked = { ...TABLE, findings: new FindingIndex(Uint32Array.of(2, 1, 5, 0, 6, 1), 8, kinds) };
    const chosen = (request: Partial<typeof INITIAL>) => [...chooseRows(checked, { ...INITIAL, ...request }, null).order];
    expect(chosen({ finding: "any" })).toEqual([5, 2, 6]);
    expect(chosen({ finding: "minor", sort: -1 })).toEqual([2, 6]);
    expect(chosen({ sort: -4 }).slice(0, 3)).toEqual([5, 2, 6]);
    expect(chosen({ sort: -4, reversed: true }).at(-1)).toBe(5);
    // A pair stays whole here, too.
    expect(chosen({ choice: "systems", finding: "critical" })).toEqual([1, 5]);
  });

  it("keep to what a search has found; a pair stays whole", () => {
    const found = Uint8Array.of(0, 1, 0, 0, 0, 0, 1, 0);
    expect(rows({}, found).order).toEqual([6, 1]);
    expect(rows({ choice: "systems" }, found).order).toEqual([1, 5, 2, 6]);
  });
});
