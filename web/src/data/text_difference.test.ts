import { describe, expect, it } from "vitest";
import { difference, pieces } from "./text_difference.ts";

const shown = (first: string, second: string, lang = "en", exact = false) =>
  difference(first, second, lang, exact)?.map((side) =>
    side.map((piece) => (piece.common || piece.space ? piece.text : `[${piece.text}]`)).join(""),
  );

describe("difference", () => {
  it("marks what one text has and the other has not", () => {
    expect(shown("the cat sat here", "the dog sat")).toEqual(["the [cat] sat [here]", "the [dog] sat"]);
  });

  it("is blind to case and keeps every character", () => {
    expect(shown("The  Cat.", "the cat .")).toEqual(["The  Cat.", "the cat ."]);
  });

  it("marks neighbours as one", () => {
    expect(shown("a x y b", "a b")).toEqual(["a [x y] b", "a b"]);
  });

  it("goes by characters where words are not separated", () => {
    expect(shown("我喜欢猫", "我喜欢狗", "zh")).toEqual(["我喜欢[猫]", "我喜欢[狗]"]);
    expect(pieces("GPT很好", "zh")).toEqual(["GPT", "很", "好"]);
  });

  it("of versions sees case, and spaces where words are the same", () => {
    expect(shown("save it", "Save it", "en", true)).toEqual(["[save] it", "[Save] it"]);
    expect(shown("a  b c", "a b c", "en", true)).toEqual(["a[  ]b c", "a[ ]b c"]);
    expect(shown("a", "a ", "en", true)).toEqual(["a", "a[ ]"]);
  });

  it("gives both texts back, whatever is in them", () => {
    for (const text of ["", " ", "a\u0000b\u202e", "<b>&amp;</b>", "👩‍👩‍👧 ok", "e\u0301te\u0301", "\ud83d"]) {
      for (const lang of ["en", "zh"]) {
        const made = difference(text, "another text", lang);
        expect(made?.[0].map((piece) => piece.text).join("")).toBe(text);
      }
    }
  });

  it("gives up on texts that would stall the page", () => {
    expect(difference("x".repeat(1_000_000), "y", "en")).toBeNull();
    expect(difference("x ".repeat(5000), "y ".repeat(5000), "en")).toBeNull();
  });
});
