// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Explanation, Repair } from "../data/explanation.ts";
import { renderExplanation } from "./index.ts";
import { repairWords } from "./repairs.ts";
import { wellFormed } from "./well_formed.ts";

const NAME = { start: 0, end: 4, text: "Kobe" };
const WHOLE = { hypothesis_marks: [], reference_marks: [] };
const REPAIRS: Repair[] = [
  { kind: "wrong name", hypothesis: NAME, reference: { start: 0, end: 6, text: "Bryant" }, before: "Kobe", after: "Bryant", points: 14.1, ...WHOLE },
  { kind: "missing words", hypothesis: { start: 9, end: 9, text: "" }, reference: { start: 12, end: 16, text: "late" }, before: "", after: "late", points: 5.9, ...WHOLE },
  { kind: "casing", hypothesis: NAME, reference: NAME, before: "Kobe", after: "Kobe", points: 0.01, ...WHOLE },
];
const GIVEN = wellFormed({
  metric: "accord",
  score: 80,
  maximum: 100,
  hypothesis_text: "Kobe came.",
  reference_text: "Bryant came late.",
  repairs: REPAIRS,
  matched: 0.6,
} as Explanation);

function shown(explanation: Explanation): string {
  return renderExplanation(explanation).querySelector(".explain-repairs")?.textContent ?? "";
}

describe("repairs", () => {
  it("are numbered in both texts and in a table, those without effect only counted", () => {
    const root = renderExplanation(GIVEN);
    const lines = [...root.querySelectorAll(".explain-repairs dd")].map((line) => line.textContent);
    expect(lines).toEqual(["Bryant1 came late2.", "Kobe1 came␣2\u2005."]);
    const rows = [...root.querySelectorAll(".explain-repairs tbody tr")].map((row) => row.textContent);
    expect(rows).toEqual(["1Kobe → Bryantwrong name+14.1", "2add latemissing words+5.9"]);
    expect(shown(GIVEN)).toContain("add up to +20.0, from 80.0 to 100.0");
    expect(shown(GIVEN)).toContain("One more edit is without effect.");
  });

  it("count characters, not units of UTF-16", () => {
    const text = "😀 Kobe";
    const span = { start: 2, end: 6, text: "Kobe" };
    const repairs = [{ ...REPAIRS[0], hypothesis: span, reference: span } as Repair];
    const root = renderExplanation({ ...GIVEN, hypothesis_text: text, reference_text: text, repairs });
    expect(root.querySelector(".explain-repairs mark")?.textContent).toBe("Kobe");
  });

  it("mark the words that moved, not what stands between them", () => {
    const text = "Mary loves John";
    const span = { start: 0, end: 15, text };
    const marks = [{ start: 0, end: 4, text: "Mary" }, { start: 11, end: 15, text: "John" }];
    const repairs = [{ ...REPAIRS[0], hypothesis: span, hypothesis_marks: marks } as Repair];
    const root = renderExplanation({ ...GIVEN, hypothesis_text: text, repairs });
    expect(root.querySelector(".explain-repairs dd:last-child")?.textContent).toBe("Mary1 loves John1");
  });

  it("say what is to be done", () => {
    const move = { ...REPAIRS[0], kind: "word order", before: "at night", after: "at night" } as Repair;
    expect(REPAIRS.slice(0, 2).map(repairWords)).toEqual(["Kobe → Bryant", "add late"]);
    expect(repairWords({ ...move, before: "so", after: "" })).toBe("remove so");
    expect(repairWords(move)).toBe("move at night");
  });

  it("are not told apart where hardly any words match", () => {
    expect(shown({ ...GIVEN, matched: 0.1 })).toContain("10% of the words match, so nothing can be told apart.");
  });

  it("of an empty hypothesis would be everything", () => {
    expect(shown({ ...GIVEN, hypothesis_text: "", matched: 0 })).toContain("The hypothesis is empty");
  });

  it("are none for the reference itself, and not shown for metrics that have no maximum", () => {
    expect(shown({ ...GIVEN, score: 100, repairs: [] })).toContain("Nothing to repair.");
    expect(shown({ ...GIVEN, maximum: null })).toBe("");
  });

  it("that come from files may be damaged", () => {
    const damaged = { ...GIVEN, repairs: [{ kind: 1, hypothesis: null, points: "x" }] } as unknown as Explanation;
    expect(shown(damaged)).toContain("What to repair");
  });

  it("of a long text show what stands around them", () => {
    const long = "word ".repeat(10_000);
    expect(shown({ ...GIVEN, hypothesis_text: long, reference_text: long }).length).toBeLessThan(10_000);
  });
});
