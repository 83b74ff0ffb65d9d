import { describe, expect, it } from "vitest";
import { stepOf } from "./address.ts";
import { INITIAL } from "./state.ts";

describe("the history", () => {
  const open = { ...INITIAL, segment: 3 };

  it("has an entry for every choice and none for what is typed", () => {
    expect(stepOf(INITIAL, { ...INITIAL, view: "scatter" }, false)).toBe("push");
    expect(stepOf(INITIAL, { ...INITIAL, sort: 1 }, false)).toBe("push");
    expect(stepOf(INITIAL, { ...INITIAL, query: "a" }, false)).toBe("replace");
    expect(stepOf(INITIAL, { ...INITIAL, shortest: 3 }, false)).toBe("replace");
  });

  it("has one entry for an open segment, whatever is looked at in it", () => {
    expect(stepOf(INITIAL, open, false)).toBe("push");
    expect(stepOf(open, { ...open, segment: 4 }, true)).toBe("replace");
    expect(stepOf(open, { ...open, explainMetric: 1 }, true)).toBe("replace");
  });

  it("loses that entry when the segment is closed, unless a link led to it", () => {
    expect(stepOf(open, INITIAL, true)).toBe("back");
    expect(stepOf(open, INITIAL, false)).toBe("replace");
  });
});
