// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Metric, MetricTable, Overview } from "../data/overview.ts";
import { meanings, rankRange, significance } from "./systems.ts";

function metric(name: string, summary: string | undefined, higherIsBetter = true): Metric {
  return { name, signature: name, ...(summary ? { summary } : {}), higherIsBetter, bounds: [0, 100], explains: true };
}

describe("what metrics measure", () => {
  it("is one line for each, with the direction said once", () => {
    const list = meanings([
      metric("bleu", "precision of n-grams"),
      metric("ter", "edits per word, lower is better", false),
    ]);
    expect(Array.from(list?.querySelectorAll("dd") ?? [], (line) => line.textContent)).toEqual([
      "precision of n-grams; higher is better",
      "edits per word, lower is better",
    ]);
  });

  it("is left out of results that do not say", () => {
    expect(meanings([metric("bleu", undefined)])).toBeNull();
  });
});

describe("p-values of all differences", () => {
  const overview = {
    systems: ["a", "b"],
    resampling: { test: "approximate-randomisation", resamples: 1000, seed: 1, level: 0.05 },
  } as Overview;
  const rows = [0, 1].map((system) => ({ system, score: 1, low: null, high: null, cluster: 1, rank: 1 }));
  const cells = (more: Partial<MetricTable>) => {
    const p = [
      [null, 0.03125],
      [0.03125, null],
    ];
    const found = significance(overview, metric("bleu", undefined), { metric: 0, rows, p, ...more });
    return Array.from(found?.querySelectorAll("tbody td") ?? [], (cell) => [cell.textContent, cell.getAttribute("title")]);
  };

  it("leave ranges of ranks", () => {
    const row = { system: 0, score: 1, low: null, high: null, cluster: 1, rank: 1 };
    expect(rankRange([], { ...row, best: 1, worst: 3 })).toBe("1–3");
    expect(rankRange([], { ...row, best: 2, worst: 2 })).toBe("2");
    expect(rankRange([row, { ...row, system: 1 }], row)).toBe("1–2");
  });

  it("say how many segments differ", () => {
    const differing = [
      [null, 6],
      [6, null],
    ];
    expect(cells({ differing })[1]).toEqual([".031", "6 segments differ"]);
    expect(cells({})[1]).toEqual([".031", null]);
  });

  it("say in words where no small one was possible", () => {
    const untestable = [
      [null, "too few segments to test"],
      ["too few segments to test", null],
    ];
    expect(cells({ untestable })[1]?.[0]).toBe("too few segments to test");
  });
});
