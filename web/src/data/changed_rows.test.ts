import { describe, expect, it } from "vitest";
import { changedSegments, chooseChanges } from "./changed_rows.ts";

/** Segments 0, 2, 3 and 4 of five changed; the third has no score before. */
const ROWS = Uint32Array.of(0, 1, 0, 2, 0, 2, 3, 0, 0, 4, 0, 0);
const SCORES = Float64Array.of(10, 50, 20, NaN, 30, 5, 50, 60, 1, 30.001);
const VERSIONS = { before: 0, after: 1 };

const changes = (higherIsBetter = true) =>
  changedSegments(ROWS, SCORES, 5, VERSIONS, { higherIsBetter, digits: 2 });
const shown = (changed: "all" | "better" | "worse" | "alike" | "new" | "gone", changeOrder: "worst" | "best" | "text") =>
  chooseChanges(changes(), { changed, changeOrder }).map(({ segment }) => segment);

describe("changed segments", () => {
  it("have the difference that a reader sees, and what it means", () => {
    expect(changes().map(({ difference }) => difference)).toEqual([-5, 40, NaN, 0]);
    expect(changes(false).map(({ gain }) => gain)).toEqual([5, -40, NaN, -0]);
  });

  it("begin with the worst, or the best; what has no score comes last", () => {
    expect(shown("all", "worst")).toEqual([0, 4, 2, 3]);
    expect(shown("all", "best")).toEqual([2, 4, 0, 3]);
    expect(shown("all", "text")).toEqual([0, 2, 3, 4]);
  });

  it("are chosen by what became of them", () => {
    expect(shown("better", "worst")).toEqual([2]);
    expect(shown("worse", "worst")).toEqual([0]);
    expect(shown("alike", "text")).toEqual([3, 4]);
    expect(shown("new", "text")).toEqual([0]);
    expect(shown("gone", "text")).toEqual([2]);
  });
});
