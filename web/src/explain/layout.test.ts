// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Word } from "../data/explanation.ts";
import { gapBefore, lanes, layout, stretch } from "./layout.ts";

const none = { reference: 0, hypothesis: 0 };
const room = { outside: none, inside: none };

function sentence(text: string): Word[] {
  let start = 0;
  return text.split(" ").map((form) => {
    const word = { form, start, end: start + form.length, weight: 1, lemma: null, tag: null };
    start = word.end + 1;
    return word;
  });
}

describe("the layout", () => {
  const words = {
    reference: sentence("the cat sat"),
    hypothesis: sentence("a cat was sitting there this morning already"),
  };

  it("is in rows where these fit, and else in columns no wider than the space", () => {
    expect(layout(words, room, 1000).orientation).toBe("rows");
    const narrow = layout(words, room, 300);
    expect(narrow.orientation).toBe("columns");
    expect(narrow.width).toBeLessThanOrEqual(300);
  });

  it("has no two words in one place", () => {
    for (const available of [1000, 300]) {
      const boxes = layout(words, room, available).boxes.hypothesis;
      boxes.slice(1).forEach((box, at) => expect(box.from).toBeGreaterThan(boxes[at]?.to ?? 0));
    }
  });

  it("begins at the right with a sentence that is read from there", () => {
    const hebrew = { reference: sentence("שלום עולם"), hypothesis: sentence("hello world") };
    const plan = layout(hebrew, room, 1000);
    expect(plan.reversed).toEqual({ reference: true, hypothesis: false });
    expect(plan.boxes.reference[0]?.from).toBeGreaterThan(plan.boxes.reference[1]?.to ?? 0);
    expect(gapBefore(plan, "reference", 0)).toBeGreaterThan(plan.boxes.reference[0]?.to ?? 0);
  });

  it("exists for sentences without words", () => {
    const plan = layout({ reference: [], hypothesis: [] }, room, 500);
    expect(plan.boxes).toEqual({ reference: [], hypothesis: [] });
    expect(stretch([], [0, 3])).toBeNull();
    expect(Number.isFinite(gapBefore(plan, "reference", 0))).toBe(true);
  });
});

describe("lanes", () => {
  it("hold stretches that do not overlap", () => {
    const stretches = [
      { from: 0, to: 2 },
      { from: 1, to: 3 },
      { from: 2, to: 4 },
      { from: 3, to: 5 },
    ];
    expect(lanes(stretches, 8)).toEqual([0, 1, 0, 1]);
  });

  it("are never more than allowed", () => {
    const same = Array.from({ length: 9 }, () => ({ from: 0, to: 1 }));
    expect(Math.max(...lanes(same, 3))).toBe(2);
  });
});
