import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = new URL(".", import.meta.url).pathname;
const FORBIDDEN: [RegExp, string][] = [
  [/\b(inner|outer)HTML\b/, "makes markup of text"],
  [
    /insertAdjacentHTML|document\.write|createContextualFragment|parseFromString|setHTMLUnsafe|srcdoc/,
    "makes markup of text",
  ],
  [/\beval\(|new Function\(/, "makes code of text"],
  [/setAttribute\(\s*["']style["']|\bstyle:\s*["'`]/, "is an inline style, which the policy of the page refuses"],
  [
    // The names of SVG and of the parts of a workbook look like addresses.
    /setAttribute\(\s*["']on|\bhttps?:\/\/(?!www\.w3\.org\/|schemas\.openxmlformats\.org\/)/,
    "is a handler in an attribute or an address of the network",
  ],
];

const sources = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
);

describe("the sources", () => {
  it("are there", () => expect(sources.length).toBeGreaterThan(20));

  it.each(sources)("%s makes neither markup nor code of text", (path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    for (const [pattern, why] of FORBIDDEN) expect(pattern.exec(text)?.[0], why).toBeUndefined();
  });
});
