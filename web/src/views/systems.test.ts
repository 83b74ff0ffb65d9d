// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Metric } from "../data/overview.ts";
import { meanings } from "./systems.ts";

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
