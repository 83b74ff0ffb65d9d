import { describe, expect, it, vi } from "vitest";
import { fromFragment, INITIAL, Store, toFragment, within } from "./state.ts";

const LIMITS = { systems: 2, metrics: 3, segments: 10, documents: 0, human: false, partly: false };

describe("state", () => {
  it("at its beginning needs no address", () => {
    expect(toFragment(INITIAL)).toBe("");
    expect(fromFragment("")).toEqual(INITIAL);
  });

  it("comes back from its address", () => {
    const state = {
      ...INITIAL,
      view: "segments",
      query: "a&b=c #é",
      choice: "systems",
      sort: 2,
      reversed: true,
      segment: 7,
    } as const;
    expect(fromFragment(`#${toFragment(state)}`)).toEqual(state);
  });

  it("takes nothing odd from an address", () => {
    expect(fromFragment("#view=nonsense&sort=1e9&segment=NaN&choice=x&unknown=1&compare=y&__proto__=1")).toEqual(
      INITIAL,
    );
  });

  it("compares no system with itself", () => {
    const versus = (explainSystem: number, versus: number) =>
      within({ ...INITIAL, explainSystem, versus }, { ...LIMITS, systems: 3 }).versus;
    expect([versus(0, 1), versus(1, 1), versus(2, 2), versus(0, 0), versus(1, -1), versus(2, 9)]).toEqual([
      1, 0, 0, 1, -1, 1,
    ]);
  });

  it("stays within the report", () => {
    const state = within({ ...INITIAL, table: 9, x: -1, y: 5, second: 7, segment: 99, document: 3, most: 0 }, LIMITS);
    expect(state).toMatchObject({ table: -1, x: 0, y: 1, second: 1, segment: -1, document: -1, most: 100 });
    expect(within(INITIAL, { ...LIMITS, systems: 1, metrics: 1 })).toMatchObject({
      table: 0,
      right: 0,
      second: 0,
      y: 0,
      otherMetric: 0,
    });
    expect(within(INITIAL, { ...LIMITS, metrics: 1, human: true }).y).toBe(-1);
    expect(within({ ...INITIAL, sort: -3, otherMetric: -1 }, LIMITS)).toMatchObject({ sort: 0, otherMetric: 1 });
    expect(within({ ...INITIAL, sort: -3, otherMetric: -1 }, { ...LIMITS, human: true })).toMatchObject({
      sort: -3,
      otherMetric: -1,
    });
    expect(within({ ...INITIAL, choice: "explained" }, LIMITS).choice).toBe("all");
    expect(within({ ...INITIAL, choice: "explained" }, { ...LIMITS, partly: true }).choice).toBe("explained");
  });

  it("filters by findings that the report has, and shows views that it has", () => {
    const found = { ...LIMITS, findings: ["any", "numbers/changed"], views: ["systems", "findings", "segments"] as const };
    const asked = { ...INITIAL, view: "findings", finding: "numbers/changed", sort: -4 } as const;
    expect(within(asked, found)).toMatchObject({ view: "findings", finding: "numbers/changed", sort: -4 });
    const none = { ...LIMITS, views: ["systems", "segments"] as const };
    expect(within(asked, none)).toMatchObject({ view: "systems", finding: "", sort: 0 });
    expect(within({ ...asked, finding: "tags/order" }, found).finding).toBe("");
    expect(fromFragment("#changed=odd&changeOrder=1")).toEqual(INITIAL);
  });

  it("tells those who watch a part of it, and nobody else", () => {
    const store = new Store(INITIAL);
    const [of, other] = [vi.fn(), vi.fn()];
    store.watch(["query"], of);
    store.watch(["sort", "reversed"], other);
    store.update({ query: "x" });
    store.update({ query: "x" });
    expect(of).toHaveBeenCalledTimes(1);
    expect(other).not.toHaveBeenCalled();
  });
});
