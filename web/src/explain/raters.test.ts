import { describe, expect, it } from "vitest";
import { preference, ratersWould } from "./raters.ts";

const TABLE = { calibratedOn: "WMT 2021", segments: 3, differences: [1, 2], probabilities: [0.6, 0.8] };

describe("what raters prefer", () => {
  it("is straight between the points of the table, and flat beyond them", () => {
    // Of one segment a difference counts 1 / √(1 + 3/1), a half.
    expect(preference(TABLE, 0)).toBe(0.5);
    expect(preference(TABLE, 2)).toBeCloseTo(0.6, 12);
    expect(preference(TABLE, -3)).toBeCloseTo(0.7, 12);
    expect(preference(TABLE, 100)).toBe(0.8);
  });

  it("is surer of more segments", () => {
    // 1.5 / √(1 + 3/3e12) is 1.5, between 0.6 and 0.8.
    expect(preference(TABLE, 1.5, 3e12)).toBeCloseTo(0.7, 6);
  });

  it("is a sentence around a name", () => {
    expect(ratersWould(TABLE, 3).join("new")).toBe(
      "Raters would prefer new with probability 0.70 (calibrated on WMT 2021).",
    );
  });
});
