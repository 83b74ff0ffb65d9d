import { describe, expect, it } from "vitest";
import { ANY, FindingIndex, NONE } from "./finding_index.ts";
import type { FindingKind } from "./overview.ts";

const kind = (code: string, severity: FindingKind["severity"]): FindingKind => ({
  code,
  severity,
  description: "",
  counts: [],
});
const KINDS = [kind("tags/missing", "critical"), kind("numbers/changed", "major"), kind("spaces/end", "minor")];
/** Of six rows, the second has two findings of one kind and one of another, the fifth has one. */
const INDEX = new FindingIndex(Uint32Array.of(1, 1, 1, 1, 1, 2, 4, 0), 6, KINDS);

const rows = (wanted: string) => [0, 1, 2, 3, 4, 5].filter(INDEX.filter(wanted));

describe("findings by row", () => {
  it("are chosen by severity and by code", () => {
    expect(rows("")).toHaveLength(6);
    expect(rows(ANY)).toEqual([1, 4]);
    expect(rows(NONE)).toEqual([0, 2, 3, 5]);
    expect(rows("critical")).toEqual([4]);
    expect(rows("numbers/changed")).toEqual([1]);
    expect(rows("nothing/such")).toEqual([]);
  });

  it("are counted, and a severe one outweighs all that are less so", () => {
    expect(INDEX.counts(1)).toEqual([0, 2, 1]);
    expect(INDEX.codes(1).map(({ code }) => code)).toEqual(["numbers/changed", "spaces/end"]);
    expect(INDEX.weight(4)).toBeGreaterThan(INDEX.weight(1));
    expect(INDEX.weight(0)).toBe(0);
  });

  it("may be none", () => {
    const empty = new FindingIndex(new Uint32Array(), 2, []);
    expect(empty.counts(1)).toEqual([0, 0, 0]);
    expect([0, 1].filter(empty.filter(ANY))).toEqual([]);
  });
});
