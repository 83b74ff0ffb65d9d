/** The data of one report, each block read once and only when somebody looks. */

import { FindingIndex } from "./finding_index.ts";
import type { Finding, Overview, Shown, Tag, Texts } from "./overview.ts";
import type { Profile } from "./profile.ts";
import { type Answer, parseJson, type Source } from "./source.ts";

/** What segments are of, beside the whole text. */
export type Grouping = "document" | "domain";

/** All texts of one segment. */
export interface Segment {
  source: string | null;
  references: string[];
  hypotheses: string[];
  /** What a localisation file calls it. */
  unit: string | null;
  tags: { source: readonly Tag[]; references: readonly (readonly Tag[])[]; hypotheses: readonly (readonly Tag[])[] };
}

const NO_TAGS: readonly Tag[] = [];

export class Dataset {
  readonly overview: Overview;
  readonly local: boolean;
  readonly chunks: number;
  readonly #source: Source;
  readonly #kept = new Map<string, Promise<unknown>>();

  constructor(source: Source, overview: Overview) {
    this.#source = source;
    this.overview = overview;
    this.local = source.local;
    this.chunks = Math.ceil(overview.segments / overview.chunk);
  }

  #once<T>(name: string, read: (bytes: ArrayBuffer) => T): Promise<T> {
    let block = this.#kept.get(name) as Promise<T> | undefined;
    if (!block) {
      block = this.#source.block(name).then(read);
      this.#kept.set(name, block);
      block.catch(() => this.#kept.delete(name)); // so that a later look tries again
    }
    return block;
  }

  /** Systems × segments; NaN where there is no score. */
  scores(metric: number): Promise<Float64Array> {
    return this.#once(`scores/${metric}`, (bytes) => new Float64Array(bytes));
  }

  allScores(): Promise<Float64Array[]> {
    return Promise.all(this.overview.metrics.map((_, metric) => this.scores(metric)));
  }

  human(): Promise<Float64Array> {
    return this.#once("human", (bytes) => new Float64Array(bytes));
  }

  /** Systems × documents or domains, where the overview says that they are there. */
  groupScores(of: Grouping, metric: number): Promise<Float64Array> {
    return this.#once(`${of}-scores/${metric}`, (bytes) => new Float64Array(bytes));
  }

  /** What systems lose by kind of error, where `overview.profiles` names the metric. */
  profile(metric: number): Promise<Profile> {
    return this.#once(`profile/${metric}`, (bytes) => parseJson<Profile>(bytes));
  }

  /** Of each segment; all zero where the corpus has none. */
  documents(): Promise<Uint32Array> {
    if (this.overview.documents === null) return Promise.resolve(new Uint32Array(this.overview.segments));
    return this.#once("documents", (bytes) => new Uint32Array(bytes));
  }

  /** Of each segment; all zero where the corpus has none. */
  domains(): Promise<Uint32Array> {
    if (!this.overview.domains) return Promise.resolve(new Uint32Array(this.overview.segments));
    return this.#once("domains", (bytes) => new Uint32Array(bytes));
  }

  /** Systems and then references × segments. */
  lengths(): Promise<Uint32Array> {
    return this.#once("lengths", (bytes) => new Uint32Array(bytes));
  }

  texts(chunk: number): Promise<Texts> {
    return this.#once(`texts/${chunk}`, (bytes) => parseJson<Texts>(bytes));
  }

  async segment(index: number): Promise<Segment> {
    const chunk = Math.floor(index / this.overview.chunk);
    const row = index - chunk * this.overview.chunk;
    const texts = await this.texts(chunk);
    return {
      source: texts.sources?.[row] ?? null,
      references: texts.references.map((texts) => texts[row] ?? ""),
      hypotheses: texts.hypotheses.map((texts) => texts[row] ?? ""),
      unit: texts.units?.[row] ?? null,
      tags: {
        source: texts.tags?.sources[row] ?? NO_TAGS,
        references: texts.references.map((_, i) => texts.tags?.references[i]?.[row] ?? NO_TAGS),
        hypotheses: texts.hypotheses.map((_, i) => texts.tags?.hypotheses[i]?.[row] ?? NO_TAGS),
      },
    };
  }

  /** Which kinds of findings each row has, or null if nothing was checked. */
  findingIndex(): Promise<FindingIndex | null> {
    const { findings, segments, systems } = this.overview;
    if (!findings) return Promise.resolve(null);
    return this.#once(
      "finding-rows",
      (bytes) => new FindingIndex(new Uint32Array(bytes), systems.length * segments, findings.kinds),
    );
  }

  /** What was found in a segment, by system. */
  async findings(segment: number): Promise<Finding[][]> {
    const { chunk, segments, systems } = this.overview;
    const index = await this.findingIndex();
    if (!index || !systems.some((_, system) => index.kindsOf(system * segments + segment).length > 0))
      return systems.map(() => []);
    const block = await this.#once(`findings/${Math.floor(segment / chunk)}`, (bytes) =>
      parseJson<Record<string, Finding[]>>(bytes),
    );
    return systems.map((_, system) => block[`${system}/${segment}`] ?? []);
  }

  /** Of each changed segment its number, and how many findings are new and gone; where versions are compared. */
  changes(): Promise<Uint32Array> {
    return this.#once("changes", (bytes) => new Uint32Array(bytes));
  }

  /** Rows (system × segments + segment) by metric that the report explains, or null if it is not a matter of choice. */
  explained(): Promise<ReadonlySet<number>[] | null> {
    if (this.overview.explained !== "some") return Promise.resolve(null);
    return this.#once("explained", (bytes) => {
      const rows = this.overview.metrics.map(() => new Set<number>());
      for (const [metric, system, segment] of parseJson<[number, number, number][]>(bytes))
        rows[metric]?.add(system * this.overview.segments + segment);
      return rows;
    });
  }

  /** What a page of explanations shows, in order. */
  shown(): Promise<Shown[]> {
    return this.#once("shown", (bytes) => parseJson<Shown[]>(bytes));
  }

  explanation(...cell: [metric: number, system: number, segment: number, reference?: number]): Promise<Answer> {
    return this.#source.explanation(...cell);
  }
}
