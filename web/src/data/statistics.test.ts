import { describe, expect, it } from "vitest";
import {
  histogram,
  kendall,
  mean,
  pearson,
  quantile,
  relativeRanks,
  robustEnds,
  smoothed,
  sortedFinite,
} from "./statistics.ts";

/** All pairs, one by one. */
function slowKendall(x: number[], y: number[]): number {
  let [score, untiedX, untiedY] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const a = Math.sign((x[i] ?? 0) - (x[j] ?? 0));
      const b = Math.sign((y[i] ?? 0) - (y[j] ?? 0));
      score += a * b;
      untiedX += a * a;
      untiedY += b * b;
    }
  }
  return score / Math.sqrt(untiedX * untiedY);
}

/** A small generator of numbers, always the same. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

describe("statistics", () => {
  it("takes quantiles as numpy does", () => {
    const values = sortedFinite([3, NaN, 1, 2, 4]);
    expect([...values]).toEqual([1, 2, 3, 4]);
    // numpy.quantile([1, 2, 3, 4], [0, .25, .5, 1]) = [1, 1.75, 2.5, 4]
    expect([0, 0.25, 0.5, 1].map((q) => quantile(values, q))).toEqual([1, 1.75, 2.5, 4]);
    expect(quantile(new Float64Array(), 0.5)).toBeNaN();
  });

  it("counts every value once", () => {
    expect([...histogram([0, 0.1, 0.5, 1, NaN, 2], 0, 1, 2)]).toEqual([2, 2]);
    expect(mean(smoothed([0, 0, 8, 0, 0], 1))).toBeCloseTo(1.6, 0);
  });

  it("knows perfect, opposite and undefined correlations", () => {
    expect(pearson([1, 2, 3], [2, 4, 6])).toBeCloseTo(1);
    expect(pearson([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1);
    expect(pearson([1, 1, 1], [3, 2, 1])).toBeNaN();
    expect(kendall([1, 2, 3], [1, 2, 3])).toBe(1);
    expect(kendall([1, 2, 3], [3, 2, 1])).toBe(-1);
    expect(kendall([1, 1], [1, 2])).toBeNaN();
  });

  it("counts pairs as the slow way does, with ties", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const draw = numbers(seed);
      const x = Array.from({ length: 3 + seed * 2 }, () => Math.floor(draw.next().value * 6));
      const y = x.map((value) => Math.floor(value / 2 + draw.next().value * 4));
      const expected = slowKendall(x, y);
      if (Number.isNaN(expected)) expect(kendall(x, y)).toBeNaN();
      else expect(kendall(x, y)).toBeCloseTo(expected, 12);
    }
  });

  it("ranks from 0 to 1 and lets ties share", () => {
    expect([...relativeRanks([10, 30, 20])]).toEqual([0, 1, 0.5]);
    expect([...relativeRanks([1, 1, NaN, 5])]).toEqual([0.25, 0.25, NaN, 1]);
  });
});

describe("the ends of an axis", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i);

  it("are those of the values", () => {
    expect(robustEnds(sortedFinite(hundred))).toEqual([0, 99]);
    expect(robustEnds(Float64Array.of())).toEqual([0, 1]);
    expect(robustEnds(Float64Array.of(7))).toEqual([7, 7]);
  });

  it("are not stretched by a few", () => {
    expect(robustEnds(sortedFinite([...hundred, -9_000, 5_000, 9_000]))).toEqual([0, 99]);
  });

  it("are not cut where that gains little", () => {
    expect(robustEnds(sortedFinite([...hundred, 110]))).toEqual([0, 110]);
  });

  it("leave out no more than one in fifty, or three, and none of fewer than ten", () => {
    expect(robustEnds(sortedFinite([...hundred, 600, 700, 800, 900]))).toEqual([0, 600]);
    const many = sortedFinite([...Array<number>(1_000).fill(1), ...Array.from({ length: 100 }, (_, i) => 100 + i)]);
    expect(robustEnds(many)).toEqual([1, 199]);
    expect(robustEnds(Float64Array.of(1, 2, 3, 900))).toEqual([1, 900]);
  });
});
