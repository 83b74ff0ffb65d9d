// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { Dataset } from "../data/dataset.ts";
import type { Overview } from "../data/overview.ts";
import { endsOf, type Group, groupsBy, type KindLoss, kindsOf, type Profile, type SystemProfile } from "../data/profile.ts";
import { INITIAL, Store } from "../state/state.ts";
import { profileView } from "./profile.ts";

const loss = (kind: string, points: number, reach = 0.5): KindLoss => ({
  kind,
  points,
  low: points - reach,
  high: points + reach,
  segments: 3,
});

function system(number: number, kinds: KindLoss[], more: Partial<SystemProfile> = {}): SystemProfile {
  const lost = kinds.reduce((sum, one) => sum + one.points, 0);
  return { system: number, score: 100 - lost, low: 1, high: 99, scoreOfAll: null, lost, kinds, frequent: [], ...more };
}

const again = { kind: "extra words", before: "<b>has</b>", after: "", count: 12, points: 6.5 };
const group = (name: string, ...points: number[]): Group => ({ by: "document", name, segments: 4, points, mostly: ["", ""] });
const TWO: Profile = {
  digits: 1,
  segments: 1000,
  ofSegments: 2000,
  paragraph: "a scores 3.0 x higher than b.",
  systems: [
    system(0, [loss("word order", 1)], { scoreOfAll: 98.5 }),
    system(1, [loss("word order", 1.5), loss("wrong word", 2.5)], { scoreOfAll: 95.5, frequent: [again] }),
  ],
  groups: [group("<i>one</i>", 1, 2), group("two", 2, 3)],
  lengths: null,
  difference: { better: 0, worse: 1, kinds: [loss("wrong word", 2.5), loss("word order", -0.25)] },
};

async function view(profiles: Record<number, Profile>, systems = ["a", "b"]): Promise<HTMLElement | null> {
  const overview = {
    systems,
    metrics: [{ name: "x" }, { name: "nist" }, { name: "y" }],
    segments: 2000,
    chunk: 64,
    ...(Object.keys(profiles).length > 0 ? { profiles: Object.keys(profiles).map(Number) } : {}),
  } as Overview;
  const bytes = (name: string) => new TextEncoder().encode(JSON.stringify(profiles[Number(name.split("/")[1])]));
  const source = {
    local: true,
    overview: () => Promise.resolve(overview),
    block: (name: string) => Promise.resolve(bytes(name).buffer as ArrayBuffer),
    explanation: () => Promise.resolve(null),
  };
  const drawn = profileView(new Dataset(source, overview), new Store(INITIAL));
  await drawn?.ready;
  return drawn?.element ?? null;
}

const texts = (root: ParentNode | null, selector: string) =>
  [...(root?.querySelectorAll(selector) ?? [])].map((element) => element.textContent);

describe("points lost by kind of error", () => {
  it("orders kinds by what they cost over all systems", () => {
    expect(kindsOf(TWO)).toEqual(["word order", "wrong word"]);
    expect(endsOf(TWO.difference?.kinds ?? [])).toEqual([-0.75, 3]);
  });

  it("shows of many documents those that lose most", () => {
    expect(groupsBy(TWO, "document", 1).map(({ name }) => name)).toEqual(["two"]);
    expect(groupsBy(TWO, "document", 2).map(({ name }) => name)).toEqual(["<i>one</i>", "two"]);
    expect(groupsBy(TWO, "length", 2)).toEqual([]);
  });

  it("says what is summed up, and what is long", async () => {
    const long: Group = { ...group("long", 1, 2), by: "length" };
    const page = await view({ 0: { ...TWO, groups: [long], lengths: "long is up to 9 words" } });
    expect(texts(page, ".frequent thead th")).toEqual(["Repair", "Kind", "Times", "Points in all"]);
    expect(page?.textContent).toContain("error that costs most; long is up to 9 words.");
  });

  it("is not there where nothing was profiled", async () => {
    expect(await view({})).toBeNull();
  });

  it("has systems side by side, their difference, and what the sample misses", async () => {
    const page = await view({ 0: TWO });
    expect(texts(page, ".verdict")).toEqual(["a scores 3.0 x higher than b."]);
    expect(texts(page, "thead th").slice(0, 4)).toEqual(["Points lost by", "a", "b", "a loses less by"]);
    expect(texts(page, ".profile tbody tr")[1]).toContain("wrong word–2.52.0 to 3.0+2.52.0 to 3.0");
    expect(texts(page, ".ahead .value")).toEqual(["+2.5"]);
    expect(texts(page, ".behind .value")).toEqual([]); // its interval has 0 in it
    expect(texts(page, "tfoot tr")[2]).toBe("Mean score of all 2,00098.595.5");
    expect(texts(page, ".explained p")[0]).toContain("a sample of 1,000 of 2,000 segments");
    expect(texts(page, ".controls option")).toEqual([]);
  });

  it("shows repairs and names as text", async () => {
    const page = await view({ 0: TWO });
    expect(texts(page, ".frequent tbody tr")).toEqual(["remove <b>has</b>extra words126.5"]);
    expect(texts(page, "details b, details i")).toEqual([]);
  });

  it("has a row for each of many systems, and a choice of those metrics that can tell", async () => {
    const systems = Array.from({ length: 5 }, (_, number) => system(number, [loss("wrong word", 5 - number)]));
    const many: Profile = { ...TWO, systems, difference: null, paragraph: null, groups: [] };
    const page = await view({ 0: many, 2: many }, ["a", "b", "c", "d", "e"]);
    expect(texts(page, ".profile tbody th")).toEqual(["e", "d", "c", "b", "a"]);
    expect(texts(page, "thead th")).toEqual(["System", "All points lost", "Mean score", "wrong word"]);
    expect(texts(page, ".controls option")).toEqual(["x", "y"]);
    expect(texts(page, "table")).toHaveLength(1);
  });
});
