import { describe, expect, it } from "vitest";
import { cut, parts, visible } from "./text.ts";

describe("visible", () => {
  it("leaves ordinary text of any script alone", () => {
    for (const text of ["", "a b\tc\nd", "été", "שלום", "中文", "👩‍👩‍👧", "क्‍ष", "می‌خواهم"]) {
      expect(visible(text)).toBe(text);
    }
  });

  it("shows what reorders or hides", () => {
    expect(visible("a\u202eb")).toBe("a⟨U+202E⟩b");
    expect(visible("\u0000\u0007\u007f\u0085")).toBe("⟨U+0000⟩⟨U+0007⟩⟨U+007F⟩⟨U+0085⟩");
    for (const point of [
      0x061c, 0x200b, 0x200e, 0x200f, 0x2028, 0x202a, 0x2060, 0x2066, 0x2069, 0xfeff, 0xe0001, 0xe0041,
    ]) {
      expect(visible(String.fromCodePoint(point))).toMatch(/^⟨U\+[0-9A-F]{4,}⟩$/);
    }
  });

  it("shows half a character as what it is", () => {
    expect(visible("a\ud83d")).toBe("a⟨U+D83D⟩");
  });
});

describe("cut and parts", () => {
  it("never cut a character into halves", () => {
    expect(cut("a😀b", 2)).toBe("a");
    expect(cut("a😀b", 3)).toBe("a😀");
    expect(cut("abc", 3)).toBe("abc");
  });

  it("give back the whole text", () => {
    for (const text of ["", "x".repeat(1001), "word ".repeat(321), "😀".repeat(300)]) {
      const made = parts(text, 100);
      expect(made.join("")).toBe(text);
      expect(made.every((part) => part.length > 0 && part.length <= 100 && !/[\ud800-\udbff]$/.test(part))).toBe(true);
    }
  });
});
