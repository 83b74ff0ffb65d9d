import { describe, expect, it } from "vitest";
import { extent } from "./distributions.ts";

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
});
