import { describe, expect, it } from "vitest";
import type { Word } from "../data/explanation.ts";
import { dashes, knownTone, tones } from "./link_looks.ts";
import { cut, phrase } from "./words.ts";

const word = (form: string, start: number): Word => ({
  form,
  start,
  end: start + form.length,
  weight: 1,
  lemma: null,
  tag: null,
});

describe("a phrase", () => {
  const words = [word("do", 0), word("n't", 2), word("go", 6), word("there", 9)];

  it("has spaces where the text has them, and dots where words are left out", () => {
    expect(phrase(words, [0, 1, 2])).toBe("don't go");
    expect(phrase(words, [0, 3])).toBe("do … there");
    expect(phrase(words, [17])).toBe("");
  });

  it("is kept from reordering its surroundings if it runs from right to left", () => {
    expect(phrase([word("שלום", 0)], [0])).toBe("\u2068שלום\u2069");
  });

  it("cannot end its isolation by itself", () => {
    expect(phrase([word("ש\u2069x", 0)], [0])).toBe("\u2068ש⟨U+2069⟩x\u2069");
  });
});

describe("a long text", () => {
  it("is cut between characters", () => {
    expect(cut("a".repeat(1_000_000), 5)).toBe("aaaa…");
    expect(cut("ab😀cd", 4)).toBe("ab…");
  });
});

describe("kinds", () => {
  it("that are joined look like the least sure one", () => {
    expect(knownTone("lemma + synonym")).toBe(knownTone("synonym"));
    expect(knownTone("lemma + tag")).toBe(knownTone("tag"));
  });

  it("that nobody knows differ from each other, in their dashes, too", () => {
    const looks = tones(["telepathy", "osmosis", "exact"]);
    expect(new Set([...looks.values()].map(dashes)).size).toBe(3);
  });
});
