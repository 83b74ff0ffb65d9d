/** Which rows (system × segments + segment) have which kinds of findings. */

import { type FindingKind, SEVERITIES, type Severity } from "./overview.ts";

/** What a reader wants to see: everything (""), any finding, none, one severity, or one code. */
export type WantedFinding = string;

export const ANY = "any";
export const NONE = "none";

export function isSeverity(text: string): text is Severity {
  return (SEVERITIES as readonly string[]).includes(text);
}

export class FindingIndex {
  readonly #kinds: readonly FindingKind[];
  /** Where the kinds of each row begin. */
  readonly #starts: Uint32Array;
  readonly #found: Uint32Array;

  /** `pairs` are a row and a kind each, ordered by row. */
  constructor(pairs: Uint32Array, rows: number, kinds: readonly FindingKind[]) {
    this.#kinds = kinds;
    this.#starts = new Uint32Array(rows + 1);
    this.#found = pairs.filter((_, place) => place % 2 === 1);
    for (let place = 0; place < pairs.length; place += 2) {
      const next = (pairs[place] ?? 0) + 1;
      this.#starts[next] = (this.#starts[next] ?? 0) + 1;
    }
    for (let row = 0; row < rows; row++) this.#starts[row + 1] = (this.#starts[row + 1] ?? 0) + (this.#starts[row] ?? 0);
  }

  /** One number for each finding of the row. */
  kindsOf(row: number): Uint32Array {
    return this.#found.subarray(this.#starts[row], this.#starts[row + 1]);
  }

  /** How many findings of each severity the row has, in the order of SEVERITIES. */
  counts(row: number): number[] {
    const result = SEVERITIES.map(() => 0);
    for (const kind of this.kindsOf(row)) {
      const place = SEVERITIES.indexOf(this.#kinds[kind]?.severity ?? "minor");
      result[place] = (result[place] ?? 0) + 1;
    }
    return result;
  }

  /** How bad the row is: a finding outweighs any number of less severe ones. */
  weight(row: number): number {
    return this.counts(row).reduce((sum, count) => sum * 1000 + Math.min(count, 999), 0);
  }

  /** Tells rows that have what is wanted from the others. */
  filter(wanted: WantedFinding): (row: number) => boolean {
    if (wanted === "") return () => true;
    if (wanted === NONE) return (row) => this.kindsOf(row).length === 0;
    const fits = this.#kinds.map(
      ({ code, severity }) => wanted === ANY || wanted === severity || wanted === code,
    );
    return (row) => this.kindsOf(row).some((kind) => fits[kind] ?? false);
  }

  /** The codes of a row with their severities, each once, the worst first. */
  codes(row: number): FindingKind[] {
    const seen = [...new Set(this.kindsOf(row))].sort((a, b) => a - b);
    return seen.flatMap((kind) => this.#kinds[kind] ?? []);
  }
}
