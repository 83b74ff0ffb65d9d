// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { el } from "../base/dom.ts";
import type { Finding, FindingKind, Place, Tag } from "../data/overview.ts";
import { difference } from "../data/text_difference.ts";
import { annotated, type Notes, placedIn } from "./annotated_text.ts";

const KINDS: FindingKind[] = [
  { code: "tags/missing", severity: "critical", description: "", counts: [] },
  { code: "numbers/changed", severity: "major", description: "", counts: [] },
];
const finding = (kind: number, start: number, end: number, more: Partial<Finding> = {}): Finding & Place => ({
  kind,
  side: "target",
  start,
  end,
  message: "wrong",
  ...(more as Partial<Finding & Place>),
});
const BOLD: Tag[] = [
  [6, "open", "1", '<g id="1">'],
  [10, "close", "1", "</g>"],
];

const drawn = (text: string, notes: Notes, other = text) =>
  el("p", {}, ...annotated(text, difference(text, other, "en")?.[0] ?? [], "ins", { kinds: KINDS, ...notes }));

/** The text that a reader copies: chips are not part of it. */
function copied(passage: HTMLElement): string {
  const copy = passage.cloneNode(true) as HTMLElement;
  copy.querySelectorAll(".tag").forEach((chip) => chip.remove());
  return copy.textContent ?? "";
}

describe("a text with notes", () => {
  it("has chips for its tags where they stood, and the words as they were", () => {
    const passage = drawn("Press Save.", { tags: BOLD });
    expect(passage.textContent).toBe("Press <1>Save</1>.");
    expect(copied(passage)).toBe("Press Save.");
    expect(passage.querySelector(".tag")?.getAttribute("title")).toBe('<g id="1">');
  });

  it("marks the words of a finding, the worst where two overlap", () => {
    const passage = drawn("in 41 days", { findings: [finding(1, 3, 5), finding(0, 4, 10)] });
    const marks = [...passage.querySelectorAll("mark")];
    expect(marks.map((mark) => mark.textContent)).toEqual(["4", "1 days"]);
    expect(marks.map((mark) => mark.className)).toEqual(["finding major", "finding critical"]);
  });

  it("marks differences inside of findings, too", () => {
    const passage = drawn("in 41 days", { findings: [finding(1, 0, 10)] }, "in 14 days");
    expect(passage.querySelectorAll("mark")).toHaveLength(1);
    expect(passage.querySelector("mark ins")?.textContent).toBe("41");
  });

  it("shows where something is missing, at its tag if it is one", () => {
    const lost = finding(0, 6, 6, { expected: '<g id="1">' });
    const passage = drawn("Press Save.", { tags: BOLD, findings: [lost] });
    expect(passage.querySelectorAll("mark")).toHaveLength(0);
    expect(passage.querySelector(".tag.critical")?.textContent).toBe("<1>");
    const end = drawn("Press Save", { findings: [finding(1, 10, 10)] });
    expect(end.lastElementChild?.className).toBe("missing major");
    expect(drawn("", { findings: [finding(0, 0, 0)] }).querySelectorAll("mark.missing")).toHaveLength(1);
  });

  it("has only the findings that are known to be in it", () => {
    const found: Finding[] = [finding(0, 0, 1), { kind: 0, message: "somewhere" }, finding(1, 1, 2, { side: "source" })];
    expect(placedIn("target", found)).toEqual([found[0]]);
    expect(placedIn("source", found)).toEqual([found[2]]);
  });

  it("keeps every character, whatever places it is told", () => {
    const odd = [finding(0, 3, 99), finding(1, 5, 2), finding(1, 0, 1), finding(0, 99, 99)];
    for (const text of ["", "a", "👩‍👩‍👧 ok", "<b>&amp;</b>"]) {
      expect(copied(drawn(text, { findings: odd, tags: [[50, "standalone", "", "<br/>"]] }))).toBe(text);
    }
  });

  it("calls a tag without an id by its name", () => {
    expect(drawn("ab", { tags: [[1, "standalone", "", "<br/>"]] }).textContent).toBe("a<br/>b");
    expect(drawn("ab", { tags: [[1, "standalone", "", "{0}"]] }).textContent).toBe("a<{0}/>b");
  });
});
