import { describe, expect, it } from "vitest";
import { nameWidth, shortNames } from "./short_names.ts";

describe("names", () => {
  it("that are short stay as they are", () => {
    expect(shortNames(["a", "system-b"], 24)).toEqual(["a", "system-b"]);
  });

  it("that are long lose their middle", () => {
    expect(shortNames(["wmt23.en-de.Lan-BridgeMT.run1.hyp", "wmt23.en-de.Lan-BridgeMT.run2.hyp"], 20)).toEqual([
      "wmt23.en-d….run1.hyp",
      "wmt23.en-d….run2.hyp",
    ]);
  });

  it("that differ in the middle show it", () => {
    const names = ["one", "two"].map((part) => `${"a".repeat(100)}-${part}-${"b".repeat(100)}`);
    expect(shortNames(names, 20)).toEqual(["aaaaaa…-one-b…bbbbbb", "aaaaaa…-two-b…bbbbbb"]);
  });

  it("can always be told apart and are never too wide", () => {
    const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(60));
    const names = [..."xyz"].flatMap((one) => [..."xyz"].map((other) => `${a}${one}${b}${other}${c}`));
    for (const most of [16, 24, 60]) {
      const shown = shortNames(names, most);
      expect(new Set(shown).size).toBe(names.length);
      expect(Math.max(...shown.map(nameWidth))).toBeLessThanOrEqual(most);
    }
  });

  it("of wide characters have fewer of them, and none is cut in two", () => {
    const [name = ""] = shortNames(["訳".repeat(40) + "😀"], 20);
    expect(name).toBe("訳訳訳訳訳…訳訳訳😀");
  });
});
