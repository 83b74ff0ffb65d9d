import { describe, expect, it } from "vitest";
import { Dataset } from "./dataset.ts";
import type { Overview, Texts } from "./overview.ts";
import { fold, markMatches, Search } from "./search.ts";
import type { Source } from "./source.ts";

const CHUNKS: Texts[] = [
  {
    sources: ["eins", "zwei"],
    references: [["one", "two"]],
    hypotheses: [
      ["One!", "too"],
      ["none", "TWO"],
    ],
  },
  { sources: ["drei"], references: [["three"]], hypotheses: [["tree"], ["three"]] },
];

const source: Source = {
  local: true,
  overview: () => Promise.reject(new Error("not asked")),
  block: (name) =>
    Promise.resolve(new TextEncoder().encode(JSON.stringify(CHUNKS[Number(name.split("/")[1])])).buffer as ArrayBuffer),
  explanation: () => Promise.resolve(null),
};
const data = new Dataset(source, {
  segments: 3,
  chunk: 2,
  systems: ["a", "b"],
  metrics: [],
  documents: null,
} as unknown as Overview);
const find = async (query: string) => [
  ...((await new Search(data).find(query, new AbortController().signal, () => undefined)) ?? []),
];

describe("search", () => {
  it("looks at every text and forgets case", async () => {
    expect(await find("TWO")).toEqual([0, 1, 0, 0, 1, 0]); // the reference has it: both systems' rows
    expect(await find("tree")).toEqual([0, 0, 1, 0, 0, 0]);
    expect(await find("drei")).toEqual([0, 0, 1, 0, 0, 1]);
    expect(await find("absent")).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("takes the query as it stands, not as a pattern", () => {
    const found = new Uint8Array(1);
    markMatches({ sources: null, references: [], hypotheses: [["a.b"]] }, fold("a*b"), 0, 1, found);
    expect(found[0]).toBe(0);
  });

  it("stops when nobody waits any more", async () => {
    const stopped = AbortSignal.abort();
    expect(await new Search(data).find("two", stopped, () => undefined)).toBeNull();
  });
});
