import { describe, expect, it } from "vitest";
import { extent, leftOut } from "./distributions.ts";

describe("the axis of distributions", () => {
  it("has the bounds that scores come near to", () => {
    expect(extent([Float64Array.of(0.1, 0.9)], [0, 1])).toEqual([0, 1]);
    expect(extent([Float64Array.of(50, 60)], [0, null])).toEqual([50, 60]);
  });

  it("has a single value inside", () => {
    const [low, high] = extent([Float64Array.of(0.4)], [0, 1]);
    expect(low).toBeCloseTo(0.2);
    expect(high).toBeCloseTo(0.6);
  });

  it("leaves out an outlier, which is counted", () => {
    const values = Float64Array.from([...Array.from({ length: 50 }, (_, i) => i), 4_000]);
    const ends = extent([values], [0, null]);
    expect(ends).toEqual([0, 49]);
    expect(leftOut(values, ends)).toEqual([0, 1]);
  });
});
