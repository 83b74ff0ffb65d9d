import { inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Dataset } from "./dataset.ts";
import type { Overview } from "./overview.ts";
import { reportSheets } from "./report_sheets.ts";
import type { Source } from "./source.ts";
import { type Cell, escaped, letters, type Sheet, workbook } from "./workbook.ts";

/** The files of an archive by name, read from its headers one after the other. */
async function unzipped(archive: Blob): Promise<Map<string, string>> {
  const bytes = Buffer.from(await archive.arrayBuffer());
  const files = new Map<string, string>();
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const [size, name] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)];
    const begin = at + 30 + name;
    const text = inflateRawSync(bytes.subarray(begin, begin + size));
    expect(text.length).toBe(bytes.readUInt32LE(at + 22));
    files.set(bytes.toString("utf8", at + 30, begin), text.toString("utf8"));
    at = begin + size;
  }
  return files;
}

const sheet = (rows: Cell[][], length = rows.length): Sheet => ({
  name: "Texts",
  columns: [
    { name: "Text", width: 10 },
    { name: "Score", width: 10, digits: 4 },
  ],
  length,
  rows: () => [rows],
});

describe("a workbook", () => {
  it("has numbers as numbers, and text as text whatever it begins with", async () => {
    const files = await unzipped(await workbook([sheet([["=1+1", 0.25], ["<b>&", NaN], [null, -3]])]));
    const xml = files.get("xl/worksheets/sheet1.xml") ?? "";
    expect(xml).toContain('<c r="A2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c><c r="B2" s="3"><v>0.25</v></c>');
    expect(xml).toContain('&lt;b&gt;&amp;</t></is></c></row><row r="4"><c r="B4" s="3"><v>-3</v></c></row>');
    expect(xml).not.toContain("<f>");
  });

  it("has a row of names that stays in sight and filters", async () => {
    const xml = (await unzipped(await workbook([sheet([["a", 1]])]))).get("xl/worksheets/sheet1.xml");
    expect(xml).toMatch(/<pane ySplit="1"[^>]* state="frozen"\/>/);
    expect(xml).toContain('<autoFilter ref="A1:B2"/>');
  });

  it("writes control characters as Excel does", () => {
    expect(escaped("a\x00\x07\r\t\n\uffff_x0041_ _x1_")).toBe("a_x0000__x0007__x000D_\t\n_xFFFF__x005F_x0041_ _x1_");
  });

  it("cuts what no cell can hold, and no character in half", async () => {
    const long = `${"x".repeat(32_765)}😀😀`;
    const xml = (await unzipped(await workbook([sheet([[long, 1]])]))).get("xl/worksheets/sheet1.xml");
    expect(xml).toContain(`>${"x".repeat(32_765)}…<`);
  });

  it("is refused where a sheet has no room for it", () => {
    expect(() => workbook([sheet([], 1_048_576)])).toThrow("1,048,576 rows in a sheet, and “Texts” would have 1,048,577");
  });

  it("counts columns with letters", () => {
    expect([0, 25, 26, 701, 702, 16_383].map(letters)).toEqual(["A", "Z", "AA", "ZZ", "AAA", "XFD"]);
  });
});

describe("the sheets of a report", () => {
  const row = (system: number, score: number) => ({ system, score, low: null, high: null, cluster: null, rank: 1 });
  const overview = {
    segments: 3,
    chunk: 2,
    references: 1,
    systems: ["a", "b"],
    metrics: [{ name: "chrf", signature: "chrf|v1", digits: 2 }],
    documents: ["d", "e"],
    documentScores: true,
    table: [{ metric: 0, rows: [row(1, 60), row(0, 50)], p: [] }],
    resampling: null,
    human: null,
  } as unknown as Overview;
  const blocks: Record<string, ArrayBufferLike> = {
    "scores/0": Float64Array.of(1, 2, 3, 4, NaN, 6).buffer,
    "document-scores/0": Float64Array.of(10, 20, 30, 40).buffer,
    documents: Uint32Array.of(0, 0, 1).buffer,
  };
  const texts = (...rows: string[]) =>
    new TextEncoder().encode(
      JSON.stringify({ sources: null, references: [rows], hypotheses: [rows, rows.map((one) => one.toUpperCase())] }),
    ).buffer;
  blocks["texts/0"] = texts("x", "y");
  blocks["texts/1"] = texts("z");
  const source: Source = {
    local: true,
    overview: () => Promise.resolve(overview),
    block: (name) => Promise.resolve(blocks[name] as ArrayBuffer),
    explanation: () => Promise.resolve(null),
  };

  const sheets = async (of: Overview) => {
    const seen: Record<string, Cell[][]> = {};
    for (const { name, columns, length, rows } of await reportSheets(new Dataset(source, of))) {
      const all: Cell[][] = [columns.map((column) => column.name)];
      for await (const some of rows()) all.push(...some);
      expect(all.length).toBe(length + 1);
      seen[name] = all;
    }
    return seen;
  };

  it("have findings with their texts where something was checked", async () => {
    const kinds = [{ code: "numbers/changed", severity: "major", description: "", counts: [0, 1] }];
    blocks["finding-rows"] = Uint32Array.of(5, 0).buffer;
    const found = { kind: 0, side: "target", start: 0, end: 1, message: "2 is 3.", expected: "2", found: "3" };
    blocks["findings/1"] = new TextEncoder().encode(JSON.stringify({ "1/2": [found] })).buffer;
    const seen = await sheets({ ...overview, findings: { checks: [], kinds } } as Overview);
    expect(seen["Findings"]?.slice(1)).toEqual([
      ["b", 3, "major", "numbers/changed", "2 is 3.", "2", "3", null, "Z"],
    ]);
    expect(seen["Segments"]?.[3]).toEqual([3, "e", "z", "z", 3, "", "Z", 6, "numbers/changed"]);
  });

  it("have domains where segments are of some", async () => {
    blocks["domains"] = Uint32Array.of(1, 0, 1).buffer;
    blocks["domain-scores/0"] = Float64Array.of(15, 25, 35, 45).buffer;
    const seen = await sheets({ ...overview, domains: ["news", "chat"] } as Overview);
    expect(Object.keys(seen)).toEqual(["Systems", "Documents", "Domains", "Segments"]);
    expect(seen["Domains"]).toEqual([
      ["Domain", "Segments", "a: chrf", "b: chrf"],
      ["news", 1, 15, 35],
      ["chat", 2, 25, 45],
    ]);
    expect(seen["Segments"]?.[1]).toEqual([1, "d", "chat", "x", "x", 1, "X", 4]);
  });

  it("have systems, documents and segments", async () => {
    expect(await sheets(overview)).toEqual({
      Systems: [
        ["Metric", "Rank", "System", "Score", "Signature"],
        ["chrf", 1, "b", 60, "chrf|v1"],
        ["chrf", 1, "a", 50, "chrf|v1"],
      ],
      Documents: [
        ["Document", "Segments", "a: chrf", "b: chrf"],
        ["d", 2, 10, 30],
        ["e", 1, 20, 40],
      ],
      Segments: [
        ["Segment", "Document", "Reference", "a", "a: chrf", "b", "b: chrf"],
        [1, "d", "x", "x", 1, "X", 4],
        [2, "d", "y", "y", 2, "Y", NaN],
        [3, "e", "z", "z", 3, "Z", 6],
      ],
    });
  });
});
