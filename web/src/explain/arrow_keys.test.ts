import { describe, expect, it } from "vitest";
import type { Explanation, Link } from "../data/explanation.ts";
import type { Target } from "./drawing.ts";
import type { Layer } from "./layers.ts";
import { direction, related, step } from "./arrow_keys.ts";
import { wellFormed } from "./well_formed.ts";

// the cat sat / a cat: "cat" is linked with "cat", everything else is not.
const words = (text: string) => text.split(" ").map((form) => ({ form }));
const explanation = wellFormed({
  reference: words("the cat sat"),
  hypothesis: words("a cat"),
  links: [{ layer: "a", kind: "exact", reference: [1], hypothesis: [1] }],
  edits: [{ state: "jump_forward", jump: { side: "hypothesis", start: 0, target: 1 } }],
} as unknown as Explanation);
const layer: Layer = { name: "a", feature: null, links: explanation.links as Link[], leftovers: [] };
const word = (side: "reference" | "hypothesis", at: number): Target => ({ type: "word", side, at });

describe("arrow keys", () => {
  it("go along a sentence and stop at its ends", () => {
    expect(step(explanation, layer, word("reference", 0), "on")).toEqual(word("reference", 1));
    expect(step(explanation, layer, word("reference", 0), "back")).toEqual(word("reference", 0));
    expect(step(explanation, layer, word("reference", 0), "last")).toEqual(word("reference", 2));
  });

  it("cross over a link to the other sentence and back", () => {
    const link = step(explanation, layer, word("reference", 1), "down");
    expect(link).toEqual({ type: "link", at: 0 });
    expect(step(explanation, layer, link, "down")).toEqual(word("hypothesis", 1));
    expect(step(explanation, layer, link, "up")).toEqual(word("reference", 1));
  });

  it("cross from a word without a link to the nearest word", () => {
    expect(step(explanation, layer, word("reference", 2), "down")).toEqual(word("hypothesis", 1));
  });

  it("reach jumps outside the words, and the word where a jump lands", () => {
    const jump = step(explanation, layer, word("hypothesis", 0), "down");
    expect(jump).toEqual({ type: "jump", at: 0 });
    expect(step(explanation, layer, jump, "up")).toEqual(word("hypothesis", 1));
    expect(step(explanation, layer, word("reference", 0), "up")).toEqual(word("reference", 0));
  });

  it("are exchanged in columns and turned in sentences from right to left", () => {
    expect(direction("ArrowDown", "rows", false)).toBe("down");
    expect(direction("ArrowDown", "columns", false)).toBe("on");
    expect(direction("ArrowLeft", "rows", true)).toBe("on");
    expect(direction("a", "rows", false)).toBeNull();
  });
});

describe("what is shown with a word", () => {
  it("is the word, its links and their words", () => {
    expect(related(layer, word("hypothesis", 1))).toEqual([
      word("hypothesis", 1),
      { type: "link", at: 0 },
      word("reference", 1),
      word("hypothesis", 1),
    ]);
  });
});
