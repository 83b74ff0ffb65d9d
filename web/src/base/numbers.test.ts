import { describe, expect, it } from "vitest";
import { counted, fixed, probability, rounded, tickLabel, ticks, withDigits } from "./numbers.ts";
import type { Overview } from "../data/overview.ts";

describe("numbers", () => {
  it("have a true minus sign, and none before zero", () => {
    expect(fixed(-0.25, 2)).toBe("−0.25");
    expect(fixed(-0.001, 2)).toBe("0.00");
    expect(fixed(1 / 3, 4)).toBe("0.3333");
  });

  it("rounds as Python does, so that the terminal shows the same", () => {
    // f"{value:.{digits}f}" of Python; 1.005 is a little less than that.
    const python: [number, number, string][] = [
      [55.625, 2, "55.62"],
      [55.635, 2, "55.63"],
      [0.375, 2, "0.38"],
      [-0.125, 2, "-0.12"],
      [-0.375, 2, "-0.38"],
      [1.005, 2, "1.00"],
      [0.03125, 4, "0.0312"],
      [0.09375, 4, "0.0938"],
      [0.5, 0, "0"],
      [1.5, 0, "2"],
      [0.0625, 3, "0.062"],
    ];
    for (const [value, digits, text] of python) expect(rounded(value, digits)).toBe(text);
  });

  it("that are missing are a dash", () => {
    for (const value of [null, undefined, NaN, Infinity]) expect(fixed(value, 2)).toBe("–");
    expect(probability(null)).toBe("–");
  });

  it("of a p-value say when they are below what is told apart", () => {
    expect(probability(0.0004)).toBe("<.001");
    expect(probability(0.05)).toBe(".050");
    expect(probability(1)).toBe("1.000");
  });

  it("count in words", () => {
    expect(counted(1, "segment")).toBe("1 segment");
    expect(counted(5000, "segment")).toBe("5,000 segments");
  });

  it("on an axis are round", () => {
    expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, expect.closeTo(0.6), 0.8, 1]);
    expect(ticks(-3, 97, 5)).toEqual([0, 20, 40, 60, 80]);
    expect(ticks(2, 2, 5)).toEqual([2]);
    expect(tickLabel(0.2, [0, 0.2])).toBe("0.2");
    expect(tickLabel(20, [0, 20])).toBe("20");
  });

  it("of scores up to 100 have two decimals, even where a metric has no upper bound", () => {
    const metric = { name: "", signature: "", higherIsBetter: true, explains: false };
    const overview = {
      metrics: [
        { ...metric, bounds: [0, 1] },
        { ...metric, bounds: [0, 100] },
        { ...metric, bounds: [0, null] },
      ],
      table: [{ metric: 2, rows: [{ score: 38.5 }] }],
    } as unknown as Overview;
    expect(withDigits(overview).metrics.map((metric) => metric.digits)).toEqual([4, 2, 2]);
  });
});
