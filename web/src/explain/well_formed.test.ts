import { describe, expect, it } from "vitest";
import { wellFormed } from "./well_formed.ts";

const WORDS = { hypothesis: [{ form: "a" }, null], reference: [{ form: "b", lemma: 3, weight: Infinity }] };

describe("a well-formed explanation", () => {
  it("has every entry, whatever was given", () => {
    for (const odd of [{}, null, [], { links: [null], edits: 3, hypothesis: "x", prediction: {} }]) {
      const found = wellFormed(odd);
      expect(found).toMatchObject({ metric: "", score: null, edits: [], prediction: null, higher_is_better: true });
    }
    expect(wellFormed({ links: [7] }).links).toMatchObject([{ kind: "", context: [], block: 0, factors: {} }]);
  });

  it("has words with numbers that are finite", () => {
    expect(wellFormed(WORDS).reference).toEqual([{ form: "b", start: 0, end: 0, weight: null, lemma: "3", tag: null }]);
  });

  it("names words of its sides alone", () => {
    const place = { side: "reference", words: [0, 1, -1, 0.5, "0"] };
    const link = { hypothesis: [0, 1, 2], reference: [0, 1], context: [{ side: "reference", word: 1, governor: 0 }] };
    const found = wellFormed({ ...WORDS, leftovers: [place], links: [link], improbable_words: [{ word: 1 }, { word: 2 }] });
    expect(found.leftovers[0]?.words).toEqual([0]);
    expect(found.links).toMatchObject([{ hypothesis: [0, 1], reference: [0] }]);
    expect(found.links[0]?.context).toMatchObject([{ word: -1, governor: 0, dependent: -1, matched: false }]);
    expect(found.improbable_words.map((one) => one.word)).toEqual([1, -1]);
  });

  it("jumps to places between words, and has spans that do not run backwards", () => {
    const jump = { side: "hypothesis", start: -3, target: 99, moved: [0, 7] };
    const found = wellFormed({ ...WORDS, edits: [{ jump }, { jump: 4 }], repairs: [{ hypothesis: { start: 5, end: 2 } }] });
    expect(found.edits.map((one) => one.jump)).toEqual([{ side: "hypothesis", start: 0, target: 2, moved: [0] }, null]);
    expect(found.repairs[0]).toMatchObject({ hypothesis: { start: 5, end: 5 }, reference: { start: 0, end: 0 } });
  });
});
