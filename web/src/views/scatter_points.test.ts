import { describe, expect, it } from "vitest";
import { along, Nearest, pairUp, sample } from "./scatter_points.ts";

describe("points", () => {
  it("are pairs of numbers", () => {
    const points = pairUp(Float64Array.of(1, NaN, 3, 4), Float64Array.of(1, 2, NaN, 4));
    expect([...points.row]).toEqual([0, 3]);
  });

  it("are sampled evenly", () => {
    const many = Float64Array.from({ length: 100 }, (_, i) => i);
    const few = sample(pairUp(many, many), 30);
    expect(few.x.length).toBeLessThanOrEqual(30);
    expect([...few.x.slice(0, 3)]).toEqual([0, 4, 8]);
  });

  it("are found near the pointer, as by looking at all of them", () => {
    const x = Float32Array.from({ length: 400 }, (_, i) => (i * 37) % 211);
    const y = Float32Array.from({ length: 400 }, (_, i) => (i * 53) % 199);
    const nearest = new Nearest(x, y);
    for (let px = 0; px < 211; px += 13) {
      const distances = [...x].map((value, i) => (value - px) ** 2 + ((y[i] ?? 0) - 50) ** 2);
      const least = Math.min(...distances);
      const found = nearest.at(px, 50);
      if (least < 144) expect(distances[found]).toBe(least);
    }
    expect(nearest.at(-500, -500)).toBe(-1);
  });

  it("have an order for the keys", () => {
    expect([...along(Float64Array.of(3, 1, 1), Float64Array.of(0, 2, 1))]).toEqual([2, 1, 0]);
  });
});
