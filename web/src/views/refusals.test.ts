import { describe, expect, it } from "vitest";
import type { Overview } from "../data/overview.ts";
import { refusal, refusedNote } from "./refusals.ts";

const overview = {
  systems: ["old", "new"],
  segments: 1200,
  metrics: [{ name: "ter", skipped: 2 }, { name: "chrf" }],
  refusals: [{ metric: 0, segment: 4, system: 1, code: "MP518", message: "too long." }],
} as unknown as Overview;

describe("a segment without a score", () => {
  it("says why it was refused, and for whom", () => {
    expect(refusal(overview, 0, 4, NaN)).toBe("Refused for new: [MP518] too long.");
  });
  it("says that it was refused if nobody knows why", () => {
    expect(refusal(overview, 0, 5, NaN)).toBe("Refused, and left out for all systems.");
  });
  it("says nothing where there is a score, or where nothing was refused", () => {
    expect(refusal(overview, 0, 6, 0.5)).toBeNull();
    expect(refusal(overview, 1, 4, NaN)).toBeNull();
    expect(refusal(overview, 0, 4, undefined)).toBeNull();
  });
});

describe("a metric", () => {
  it("says how many it refused", () => {
    expect(overview.metrics.map((metric) => refusedNote(overview, metric))).toEqual([
      "Without 2 of 1,200 segments, which it refused.",
      null,
    ]);
  });
});
