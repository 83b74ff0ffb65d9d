import { describe, expect, it } from "vitest";
import { columnWidth } from "./segment_list.ts";

describe("a column of scores", () => {
  it("is as wide as its longest number", () => {
    const narrow = columnWidth("bleu", Float64Array.of(1, NaN), 2);
    expect(columnWidth("bleu", Float64Array.of(-12345.67, 1), 2)).toBeGreaterThan(narrow + 1);
    expect(columnWidth("bleu", Float64Array.of(1, 123456.78), 2)).toBeGreaterThan(narrow + 1);
    expect(columnWidth("bleu", undefined, 2)).toBe(narrow);
  });
});
