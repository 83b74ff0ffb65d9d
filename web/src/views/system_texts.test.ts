// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import type { Overview } from "../data/overview.ts";
import { chosenSystem, otherSystems, type Translations } from "./system_texts.ts";

const metric = (name: string, higherIsBetter: boolean) => ({
  name,
  signature: name,
  higherIsBetter,
  bounds: [null, null] as [null, null],
  explains: true,
});

const OVERVIEW = {
  lang: "en",
  segments: 2,
  systems: ["a", "b", "c", "d"],
  metrics: [metric("bleu", true), metric("ter", false)],
} as unknown as Overview;

/** The second of two segments; system d has no score. */
const OF: Translations = {
  segment: 1,
  texts: {
    source: null,
    references: ["one two"],
    hypotheses: ["one", "two", "one two", ""],
    unit: null,
    tags: { source: [], references: [], hypotheses: [] },
  },
  scores: [Float64Array.of(0, 10, 0, 20, 0, 30, 0, NaN), Float64Array.of(0, 90, 0, 80, 0, 10, 0, NaN)],
  human: null,
  findings: [],
};

const order = (system: number, by: number) =>
  otherSystems(OVERVIEW, OF, system, by, () => undefined).map((one) => one.dataset["system"]);

describe("systems of a segment", () => {
  it("begin with the chosen one and all of its scores", () => {
    const chosen = chosenSystem(OVERVIEW, OF, 1, 1);
    expect(chosen.querySelector("h3")?.textContent).toBe("b");
    expect(chosen.querySelectorAll(".scores li")).toHaveLength(2);
    expect(chosen.querySelector(".explained-metric")?.getAttribute("data-metric")).toBe("ter");
  });

  it("go on with the others, the best by the explained metric first", () => {
    expect(order(0, 0)).toEqual(["2", "1", "3"]);
    expect(order(2, 0)).toEqual(["1", "0", "3"]);
    expect(order(0, 1)).toEqual(["2", "1", "3"]); // lower is better
  });

  it("are chosen by pressing their name or their text, once", () => {
    const choose = vi.fn();
    const [first] = otherSystems(OVERVIEW, OF, 0, 0, choose);
    document.body.replaceChildren(first ?? "");
    first?.querySelector<HTMLElement>("button")?.click();
    expect(choose.mock.calls).toEqual([[2]]);
    first?.querySelector<HTMLElement>(".passage")?.click();
    expect(choose.mock.calls).toEqual([[2], [2]]);
  });
});
