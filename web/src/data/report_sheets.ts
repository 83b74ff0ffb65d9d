/** What a report says, as the sheets of a workbook. */

import type { Dataset, Grouping } from "./dataset.ts";
import type { Finding, Metric } from "./overview.ts";
import type { Cell, Column, Sheet } from "./workbook.ts";

const NAME = 24;
const NUMBER = 12;
const TEXT = 60;

/** Blocks hold seven digits; what follows them is noise. */
function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(7));
}

const sheet = (name: string, columns: readonly (Column | null)[], rows: readonly Cell[][]): Sheet => ({
  name,
  columns: columns.filter((column) => column !== null),
  length: rows.length,
  rows: () => [rows.map((row) => row.filter((_, i) => columns[i] !== null))],
});

const number = (name: string, digits?: number): Column => ({ name, width: NUMBER, digits });
const text = (name: string, width: number): Column => ({ name, width });

/** A row for each metric and system, best first, as the table of systems has them. */
function systemsSheet({ overview }: Dataset): Sheet {
  const { human, metrics, systems } = overview;
  const predicted = metrics.some((metric) => metric.coverage);
  const rows = overview.table.flatMap((table) => {
    const metric = metrics[table.metric];
    return table.rows.map((row): Cell[] => [
      metric?.name ?? "",
      row.rank,
      row.cluster,
      systems[row.system] ?? "",
      row.score,
      row.low,
      row.high,
      row.predicted?.[0] ?? null,
      row.predicted?.[1] ?? null,
      human?.system[row.system] ?? null,
      metric?.signature ?? "",
    ]);
  });
  const digits = (kept: boolean, name: string) => (kept ? number(name, 4) : null);
  return sheet(
    "Systems",
    [
      text("Metric", NAME),
      number("Rank"),
      overview.resampling ? number("Cluster") : null,
      text("System", NAME),
      number("Score", 4),
      digits(overview.resampling !== null, "95 % from"),
      digits(overview.resampling !== null, "95 % to"),
      digits(predicted, "Predicted from"),
      digits(predicted, "Predicted to"),
      digits(human !== null, `Human: ${human?.name}`),
      text("Signature", TEXT),
    ],
    rows,
  );
}

/** The score columns of every system by every metric, and what is in them. */
function scoreColumns({ overview }: Dataset): { system: number; metric: number; column: Column }[] {
  const column = (name: string, system: string, { digits }: Metric) => number(`${system}: ${name}`, digits ?? 4);
  return overview.systems.flatMap((name, system) =>
    overview.metrics.map((metric, i) => ({ system, metric: i, column: column(metric.name, name, metric) })),
  );
}

/** A row for each document or domain, or null where there are none with scores. */
async function groupsSheet(data: Dataset, of: Grouping): Promise<Sheet | null> {
  const { documents, documentScores, domains, metrics } = data.overview;
  const names = of === "domain" ? domains : documentScores && documents;
  if (!names) return null;
  const scores = await Promise.all(metrics.map((_, metric) => data.groupScores(of, metric)));
  const sizes = new Uint32Array(names.length);
  for (const group of await data[`${of}s`]()) sizes[group] = (sizes[group] ?? 0) + 1;
  const columns = scoreColumns(data);
  const rows = names.map((name, group): Cell[] => [
    name,
    sizes[group] ?? 0,
    ...columns.map(({ system, metric }) => rounded(scores[metric]?.[system * names.length + group])),
  ]);
  const title = of === "domain" ? "Domain" : "Document";
  return sheet(`${title}s`, [text(title, NAME), number("Segments"), ...columns.map(({ column }) => column)], rows);
}

/** A row for each segment, with the translation of every system and its scores. */
async function segmentsSheet(data: Dataset): Promise<Sheet> {
  const { chunk, documents, domains, human, metrics, references, segments, systems } = data.overview;
  const scores = await data.allScores();
  const judged = human?.segments ? await data.human() : null;
  const [documentOf, domainOf] = [await data.documents(), await data.domains()];
  const begin = segments > 0 ? await data.texts(0) : null;
  const hasSources = begin !== null && begin.sources !== null;
  const hasUnits = begin?.units !== undefined;
  const found = await data.findingIndex();
  const scored = scoreColumns(data);
  const columns = [
    number("Segment"),
    ...(hasUnits ? [text("Unit", NAME)] : []),
    ...(documents ? [text("Document", NAME)] : []),
    ...(domains ? [text("Domain", NAME)] : []),
    ...(hasSources ? [text("Source", TEXT)] : []),
    ...Array.from({ length: references }, (_, i) => text(references > 1 ? `Reference ${i + 1}` : "Reference", TEXT)),
    ...systems.flatMap((name, system) => [
      text(name, TEXT),
      ...scored.filter((one) => one.system === system).map(({ column }) => column),
      ...(judged ? [number(`${name}: human`, 4)] : []),
      ...(found ? [text(`${name}: findings`, NAME)] : []),
    ]),
  ];
  async function* rows(): AsyncGenerator<Cell[][]> {
    for (let part = 0; part < data.chunks; part++) {
      const texts = await data.texts(part);
      const first = part * chunk;
      yield Array.from({ length: Math.min(chunk, segments - first) }, (_, row): Cell[] => {
        const segment = first + row;
        return [
          segment + 1,
          ...(hasUnits ? [texts.units?.[row] ?? null] : []),
          ...(documents ? [documents[documentOf[segment] ?? 0] ?? ""] : []),
          ...(domains ? [domains[domainOf[segment] ?? 0] ?? ""] : []),
          ...(hasSources ? [texts.sources?.[row] ?? null] : []),
          ...texts.references.map((reference) => reference[row] ?? null),
          ...systems.flatMap((_, system) => {
            const place = system * segments + segment;
            const own = metrics.map((_, metric) => rounded(scores[metric]?.[place]));
            return [
              texts.hypotheses[system]?.[row] ?? null,
              ...own,
              ...(judged ? [judged[place] ?? null] : []),
              ...(found ? [found.codes(place).map(({ code }) => code).join(", ")] : []),
            ];
          }),
        ];
      });
    }
  }
  return { name: "Segments", columns, length: segments, rows };
}

/** A row for each finding with the texts that it is in, or null where nothing was checked. */
async function findingsSheet(data: Dataset): Promise<Sheet | null> {
  const { changes, findings, segments, systems } = data.overview;
  const index = await data.findingIndex();
  if (!findings || !index) return null;
  const first = segments > 0 ? await data.texts(0) : null;
  const kept = <T>(has: unknown, value: T): T[] => (has ? [value] : []);
  const columns = [
    text("System", NAME),
    number("Segment"),
    ...kept(first?.units, text("Unit", NAME)),
    text("Severity", NUMBER),
    text("Finding", NAME),
    text("Message", TEXT),
    text("Expected", NAME),
    text("Found", NAME),
    text("Suggestion", NAME),
    ...kept(changes, text("Change", NUMBER)),
    ...kept(first?.sources, text("Source", TEXT)),
    text("Translation", TEXT),
  ];
  const has = (segment: number) => systems.some((_, system) => index.kindsOf(system * segments + segment).length > 0);
  async function* rows(): AsyncGenerator<Cell[][]> {
    for (let segment = 0; segment < segments; segment++) {
      if (!has(segment)) continue;
      const [texts, found] = await Promise.all([data.segment(segment), data.findings(segment)]);
      const row = (one: Finding, system: number): Cell[] => {
        const kind = findings?.kinds[one.kind];
        return [
          systems[system] ?? "",
          segment + 1,
          ...kept(first?.units, texts.unit),
          kind?.severity ?? "",
          kind?.code ?? "",
          one.message,
          one.expected ?? null,
          one.found ?? null,
          one.suggestion ?? null,
          ...kept(changes, one.change ?? null),
          ...kept(first?.sources, texts.source),
          texts.hypotheses[system] ?? "",
        ];
      };
      yield found.flatMap((own, system) => own.map((one) => row(one, system)));
    }
  }
  const length = findings.kinds.reduce((sum, { counts }) => sum + counts.reduce((all, one) => all + one, 0), 0);
  return { name: "Findings", columns, length, rows };
}

export async function reportSheets(data: Dataset): Promise<Sheet[]> {
  const documents = await groupsSheet(data, "document");
  const domains = await groupsSheet(data, "domain");
  const findings = await findingsSheet(data);
  return [
    systemsSheet(data),
    ...(documents ? [documents] : []),
    ...(domains ? [domains] : []),
    ...(findings ? [findings] : []),
    await segmentsSheet(data),
  ];
}
