/** Plain text search in source, references and hypotheses, without regard to case. */

import type { Dataset } from "./dataset.ts";
import { idle } from "../base/dom.ts";
import type { Texts } from "./overview.ts";

/** A frame of the page must not wait for the search longer than this. */
const SLICE = 12;

export function fold(text: string): string {
  return text.toLowerCase().normalize("NFC");
}

function folded(texts: Texts): Texts {
  return {
    sources: texts.sources?.map(fold) ?? null,
    references: texts.references.map((list) => list.map(fold)),
    hypotheses: texts.hypotheses.map((list) => list.map(fold)),
  };
}

/** Marks the rows (system × segments + segment) of one chunk whose texts hold the folded query. */
export function markMatches(texts: Texts, query: string, start: number, segments: number, found: Uint8Array): void {
  const rows = Math.max(0, ...texts.hypotheses.map((list) => list.length));
  for (let row = 0; row < rows; row++) {
    const shared = [texts.sources, ...texts.references].some((list) => list?.[row]?.includes(query));
    texts.hypotheses.forEach((list, system) => {
      if (shared || list[row]?.includes(query)) found[system * segments + start + row] = 1;
    });
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

export class Search {
  readonly #data: Dataset;
  readonly #chunks = new Map<number, Promise<Texts>>();

  constructor(data: Dataset) {
    this.#data = data;
  }

  #chunk(chunk: number): Promise<Texts> {
    let texts = this.#chunks.get(chunk);
    if (!texts) {
      texts = this.#data.texts(chunk).then(folded);
      this.#chunks.set(chunk, texts);
      texts.catch(() => this.#chunks.delete(chunk));
    }
    return texts;
  }

  /** Reads ahead whenever the page has nothing else to do. */
  async prepare(): Promise<void> {
    for (let chunk = 0; chunk < this.#data.chunks; chunk++) {
      await idle();
      await this.#chunk(chunk);
    }
  }

  /** Rows that hold the query, or null if somebody has asked for something else meanwhile. */
  async find(query: string, signal: AbortSignal, progress: (part: number) => void): Promise<Uint8Array | null> {
    const { systems, segments, chunk: size } = this.#data.overview;
    const wanted = fold(query);
    const found = new Uint8Array(systems.length * segments);
    let since = performance.now();
    for (let chunk = 0; chunk < this.#data.chunks; chunk++) {
      const texts = await this.#chunk(chunk);
      if (signal.aborted) return null;
      markMatches(texts, wanted, chunk * size, segments, found);
      if (performance.now() - since > SLICE) {
        progress(chunk / this.#data.chunks);
        await pause();
        if (signal.aborted) return null;
        since = performance.now();
      }
    }
    return found;
  }
}
