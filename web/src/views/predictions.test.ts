// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Metric } from "../data/overview.ts";
import { bracketed, bracketsKey, range } from "./predictions.ts";

function metric(name: string, coverage: number | null, digits = 2): Metric {
  return { name, signature: name, higherIsBetter: true, bounds: [0, 100], explains: true, coverage, digits };
}

function text(children: readonly unknown[]): string {
  const box = document.createElement("p");
  box.append(...(children as (Node | string)[]));
  return box.textContent ?? "";
}

describe("a prediction interval", () => {
  it("has the digits of its scale", () => {
    expect(range([26.6, 100], metric("m", 0.9))).toBe("27–100");
    expect(range([0.266, 1], metric("m", 0.9, 4), " to ")).toBe("0.27 to 1.00");
  });

  it("stands in brackets, with words for those who ask", () => {
    const element = bracketed([26.6, 100], metric("m", 0.9));
    expect(element?.textContent).toContain("[27–100]");
    expect(element?.title).toBe("prediction interval 27 to 100: a percentile among systems judged together, right in 90 % of cases");
    expect(bracketed(null, metric("m", 0.9))).toBeNull();
    expect(bracketed([1, 2], metric("m", null))).toBeNull();
  });
});

describe("what brackets are", () => {
  it("is said once for metrics of one coverage", () => {
    const key = text(bracketsKey([metric("a", 0.9), metric("b", 0.9), metric("c", 0.8), metric("d", null)]));
    expect(key.match(/In brackets/g)).toHaveLength(2);
    expect(key).toContain("of a, b: a percentile among systems judged together, right in 90 % of cases.");
    expect(key).toContain("of c: a percentile among systems judged together, right in 80 %");
  });

  it("is nothing to say if there are none", () => {
    expect(bracketsKey([metric("d", null)])).toEqual([]);
  });
});
