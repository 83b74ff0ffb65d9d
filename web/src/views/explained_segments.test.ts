// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Explanation } from "../data/explanation.ts";
import type { Overview, Shown } from "../data/overview.ts";
import type { Source } from "../data/source.ts";
import { byTranslation, pairs, showExplanations } from "./explained_segments.ts";

const SHOWN: Shown[] = [
  [0, 1, 0, 0, "reference 1 of 2, averaged"],
  [0, 0, 0, 0, ""],
  [1, 1, 0, 0, ""],
];

function source(overview: Partial<Overview>, shown: Shown[]): Source {
  const blocks: Record<string, unknown> = {
    shown,
    "texts/0": { sources: null, references: [["the cat sat"]], hypotheses: [["a cat sat"], ["<b>cat</b>"]] },
  };
  return {
    local: true,
    overview: () =>
      Promise.resolve({
        systems: ["a", "b"],
        metrics: ["x", "y"].map((name) => ({ name })),
        lang: "en",
        metaphrase: "1",
        segments: 1,
        chunk: 1,
        documents: null,
        notes: [],
        segmentNumbers: [7],
        ...overview,
      } as Overview),
    block: (name) => Promise.resolve(new TextEncoder().encode(JSON.stringify(blocks[name])).buffer as ArrayBuffer),
    explanation: (metric) => Promise.resolve({ metric: `metric ${metric}`, score: 0.5 } as unknown as Explanation),
  };
}

async function page(overview: Partial<Overview> = {}, shown = SHOWN): Promise<HTMLElement> {
  const root = document.createElement("div");
  await showExplanations(root, source(overview, shown));
  return root;
}

const texts = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.textContent);

describe("a page of explanations", () => {
  it("has each translation once, in the order of its first explanation", () => {
    expect(byTranslation(SHOWN)).toEqual([[SHOWN[0], SHOWN[2]], [SHOWN[1]]]);
  });

  it("shows the texts and below them every explanation with its caption", async () => {
    const root = await page();
    expect(texts(root, "h1")).toEqual(["Explanations by x, y"]);
    expect(texts(root, "h2")).toEqual(["Segment 7, b", "Segment 7, a"]);
    const [first] = root.querySelectorAll("section.view");
    expect(texts(first ?? root, ".passage")).toEqual(["the cat sat", "<b>cat</b>"]);
    expect(texts(first ?? root, "h4")).toEqual(["metric 0 0.5000", "metric 1 0.5000"]);
    expect(texts(first ?? root, ".why > p")).toEqual(["Reference 1 of 2, averaged"]);
  });

  it("says first which of two systems scores higher, if it compares them", async () => {
    expect(pairs(SHOWN)).toEqual([[SHOWN[0], SHOWN[1]]]);
    const root = await page({ compared: true, references: 1, verdict: "b scores 1.00 x higher than a." });
    expect(texts(root, ".verdict")).toEqual(["b scores 1.00 x higher than a."]);
    expect(texts(root, "h2")[0]).toBe("Why the scores differ: segment 7, x");
    expect(texts(root, ".explain-contrast summary")).toEqual(["b and a have the same score"]);
    expect(texts(await page(), ".explain-contrast")).toEqual([]);
  });

  it("names nothing that texts without a file do not have", async () => {
    const root = await page({ systems: ["hypothesis"], segmentNumbers: [null] }, [[0, 0, 0, 0, ""]]);
    expect(texts(root, "h1")).toEqual(["Explanation by x, y"]);
    expect(texts(root, "h2")).toEqual(["Texts"]);
  });
});
