// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Explanation, Leftover, Link, Repair, Word } from "../data/explanation.ts";
import { contrast } from "./contrast.ts";
import { renderContrast } from "./contrast_view.ts";
import { wellFormed } from "./well_formed.ts";

const REFERENCE = ["he", "does", "remember", "it"];

function words(forms: readonly string[]): Word[] {
  return forms.map((form, at) => ({ form, start: 2 * at, end: 2 * at + 1, weight: 0.5, lemma: null, tag: null }));
}

/** Links are pairs of a reference word and a word of the translation, with what the pair is worth. */
function explained(
  forms: readonly string[],
  pairs: readonly (readonly [number, number, number])[],
  more: Partial<Explanation> = {},
): Explanation {
  const links = pairs.map(([reference, hypothesis, similarity]): Link => ({
    layer: "alignment",
    kind: similarity < 1 ? "paraphrase" : "identical",
    hypothesis: [hypothesis],
    reference: [reference],
    similarity,
    weight: 0.5,
    penalty: 0,
    stage: "",
    context: [],
    word_pairs: [],
    factors: {},
    block: 0,
  }));
  const left = (side: "reference" | "hypothesis", size: number): Leftover[] =>
    Array.from({ length: size }, (_, at) => at)
      .filter((at) => !links.some((link) => link[side].includes(at)))
      .map((at) => ({ layer: "alignment", side, words: [at], weight: 0.5 }));
  return wellFormed({
    metric: "m",
    reference: words(REFERENCE),
    hypothesis: words(forms),
    reference_text: REFERENCE.join(" "),
    links,
    leftovers: [...left("reference", REFERENCE.length), ...left("hypothesis", forms.length)],
    ...more,
  } as Explanation);
}

/** What repairs of these kinds and points add to a translation's score, up to 100. */
function repaired(...kinds: [string, number][]): Partial<Explanation> {
  const span = { start: 0, end: 0, text: "" };
  const repairs = kinds.map(([kind, points]): Repair => ({
    kind,
    hypothesis: span,
    reference: span,
    before: "a",
    after: "b",
    points,
    hypothesis_marks: [],
    reference_marks: [],
  }));
  return { maximum: 100, repairs, matched: 1 };
}

const GOOD = explained(
  ["he", "does", "remember", "it"],
  [0, 1, 2, 3].map((at) => [at, at, 1] as const),
  { score: 97, ...repaired(["word order", 3]) },
);
const BAD = explained(
  ["he", "reminds", "it", "well"],
  [
    [0, 0, 1],
    [2, 1, 0.6],
    [3, 2, 1],
  ],
  { score: 50, ...repaired(["word order", 10], ["missing words", 40]) },
);

const texts = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.textContent);

describe("two translations", () => {
  it("are in the order of their scores, whichever comes first", () => {
    expect(contrast(GOOD, BAD)).toMatchObject({ swapped: false, difference: 47 });
    expect(contrast(BAD, GOOD)).toMatchObject({ swapped: true, difference: 47 });
    const errors = [GOOD, BAD].map((one) => ({ ...one, higher_is_better: false })) as [Explanation, Explanation];
    expect(contrast(...errors)).toMatchObject({ swapped: true, difference: -47 });
  });

  it("differ by parts that add up, the largest first", () => {
    const { parts } = contrast(GOOD, BAD);
    expect(parts.map((one) => [one.name, one.difference])).toEqual([
      ["missing words", 40],
      ["word order", 7],
      ["score of the reference", 0],
    ]);
  });

  it("differ by repairs of no kind where too few words match", () => {
    const found = contrast(GOOD, { ...BAD, matched: 0.1 }).parts;
    expect(found.map((one) => one.name)).toEqual(["too different to say", "word order", "score of the reference"]);
  });

  it("differ by features if there are no repairs and the score is their sum", () => {
    const feature = (contribution: number | null) => ({ name: "f", description: "bits", value: 1, details: {}, contribution });
    const [one, other] = [GOOD, BAD].map((given) => ({ ...given, maximum: null })) as [Explanation, Explanation];
    const found = contrast({ ...one, features: [feature(1)] }, { ...other, features: [feature(0.25)] });
    expect(found.parts).toMatchObject([{ name: "bits", difference: 0.75 }]);
    expect(contrast({ ...one, features: [feature(null)] }, { ...other, features: [] }).parts).toEqual([]);
  });

  it("differ by words that one lacks, words that are not the same, and words too many", () => {
    const found = contrast(GOOD, BAD);
    expect(found.words.map((word) => [word.form, word.better?.forms, word.worse?.forms])).toEqual([
      ["does", "does", undefined],
      ["remember", "remember", "reminds"],
    ]);
    expect(found.betterExtra).toEqual([]);
    expect(found.worseExtra).toEqual([{ at: 3, form: "well" }]);
  });

  it("that both have a word too many do not differ by it", () => {
    const also = explained([...REFERENCE, "well"], [0, 1, 2, 3].map((at) => [at, at, 1] as const));
    expect(contrast(also, BAD)).toMatchObject({ betterExtra: [], worseExtra: [] });
  });

  it("with different references are compared by their parts alone", () => {
    const elsewhere = { ...BAD, reference_text: "another" };
    const found = contrast(GOOD, elsewhere);
    expect(found).toMatchObject({ sameReference: false, words: [], worseExtra: [] });
    expect(found.parts).toHaveLength(3);
    expect(renderContrast(GOOD, elsewhere, ["a", "b"]).textContent).toContain("another reference");
  });
});

describe("the view of two translations", () => {
  it("names the better one, the parts of both and the words", () => {
    const root = renderContrast(BAD, GOOD, ["b", "a"]);
    expect(root.querySelector("summary")?.textContent).toBe("a scores higher than b by 47.00");
    const [numbers, rows] = root.querySelectorAll("table");
    expect(texts(numbers ?? root, "th")).toEqual(["part of the score", "a", "b", "difference"]);
    expect(texts(numbers ?? root, "tbody tr:first-child td").slice(0, 4)).toEqual([
      "missing words",
      "0.00",
      "−40.00",
      "+40.00",
    ]);
    expect(texts(numbers ?? root, "tbody tr:last-child td").slice(0, 4)).toEqual(["score", "97.00", "50.00", "+47.00"]);
    expect(texts(rows ?? root, "tbody td")).toEqual([
      ...["does", "does", "missing"],
      ...["remember", "remember", "reminds (paraphrase 0.60)"],
      ...["–", "", "well: too many"],
    ]);
  });

  it("says so if they score the same", () => {
    expect(renderContrast(GOOD, GOOD, ["a", "b"]).querySelector("summary")?.textContent).toBe(
      "a and b have the same score",
    );
  });

  it("shows markup in names as text", () => {
    const root = renderContrast(GOOD, BAD, ["<b>a</b>", "\u202eb"]);
    expect(root.querySelector("b")).toBeNull();
    expect(root.textContent).toContain("<b>a</b>");
    expect(root.textContent).not.toContain("\u202e");
  });
});

describe("what raters prefer", () => {
  it("is told of the better one, where it is known", () => {
    const table = { calibratedOn: "WMT 2021", segments: 3, differences: [1, 2], probabilities: [0.6, 0.8] };
    const root = renderContrast(BAD, GOOD, ["bad", "good"], table);
    expect(root.querySelector("summary + p")?.textContent).toMatch(
      /^Raters would prefer good with probability 0\.\d\d \(calibrated on WMT 2021\)\.$/,
    );
    expect(renderContrast(GOOD, BAD, ["good", "bad"]).textContent).not.toContain("Raters");
  });
});
