/** Why one translation scores higher than another: as `metaphrase.metrics.explanation_contrast`, for the page. */

import type { Explanation, Link } from "../data/explanation.ts";
import { layersOf, worth } from "./layers.ts";
import { MATCHED } from "./repairs.ts";

/** A part of both scores; `difference` is what the better one has more of it. */
export interface ContrastedNumber {
  name: string;
  better: number;
  worse: number;
  difference: number;
}

/** A word of the reference that the translations do not render alike; null is a word that is missing. */
export interface ContrastedWord {
  form: string;
  better: Rendering | null;
  worse: Rendering | null;
}

/** What a translation has for a word of the reference, by the link that is worth most. */
export interface Rendering {
  link: Link;
  forms: string;
}

/** A word without a partner. */
export interface UnmatchedWord {
  at: number;
  form: string;
}

export interface Contrast {
  better: Explanation;
  worse: Explanation;
  /** Whether the second one given is the better one. */
  swapped: boolean;
  difference: number;
  /** The largest difference first; they add up to `difference`. */
  parts: ContrastedNumber[];
  /** None where the translations are measured against different references. */
  sameReference: boolean;
  words: ContrastedWord[];
  betterExtra: UnmatchedWord[];
  worseExtra: UnmatchedWord[];
}

/** What repairs of too few words in common add up to, and what they lead to. */
const UNTOLD = "too different to say";
const REFERENCE = "score of the reference";

/** Both explanations must be well formed, and of one metric. */
export function contrast(one: Explanation, other: Explanation): Contrast {
  const sign = one.higher_is_better ? 1 : -1;
  const swapped = sign * ((one.score ?? 0) - (other.score ?? 0)) < 0;
  const [better, worse] = swapped ? [other, one] : [one, other];
  const sameReference = better.reference_text === worse.reference_text;
  const [high, low] = [new Fates(better), new Fates(worse)];
  return {
    better,
    worse,
    swapped,
    difference: (better.score ?? 0) - (worse.score ?? 0),
    parts: numbers(partsOf(better), partsOf(worse)),
    sameReference,
    words: sameReference ? words(high, low) : [],
    betterExtra: sameReference ? high.extra(low) : [],
    worseExtra: sameReference ? low.extra(high) : [],
  };
}

/** What adds up to the score: that of the reference and what repairs of each kind would gain, or features. */
function partsOf({ maximum, repairs, matched, features }: Explanation): Map<string, number> {
  const summands = features.filter((one) => one.contribution !== null);
  if (maximum === null) return new Map(summands.map((one) => [one.description, one.contribution ?? 0]));
  const parts = new Map([[REFERENCE, maximum]]);
  for (const one of repairs) {
    const kind = (matched ?? 1) < MATCHED ? UNTOLD : one.kind;
    parts.set(kind, (parts.get(kind) ?? 0) - (one.points ?? 0));
  }
  return parts;
}

function numbers(better: ReadonlyMap<string, number>, worse: ReadonlyMap<string, number>): ContrastedNumber[] {
  return [...new Set([...better.keys(), ...worse.keys()])]
    .map((name) => {
      const [high, low] = [better.get(name) ?? 0, worse.get(name) ?? 0];
      return { name, better: high, worse: low, difference: high - low };
    })
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
}

/** What became of the words of one translation and of its reference. */
class Fates {
  readonly explanation: Explanation;
  readonly #best = new Map<number, Link>();
  readonly #unused: UnmatchedWord[];

  constructor(explanation: Explanation) {
    this.explanation = explanation;
    const [layer] = layersOf(explanation);
    const links = (layer?.links ?? []).filter((link) => (link.similarity ?? 0) > 0);
    for (const link of [...links].sort((a, b) => worth(b) - worth(a)))
      for (const at of link.reference) if (!this.#best.has(at)) this.#best.set(at, link);
    const used = new Set(links.flatMap((link) => link.hypothesis));
    this.#unused = explanation.hypothesis
      .map((word, at) => ({ at, form: word.form }))
      .filter(({ at }) => !used.has(at) && explanation.hypothesis[at]?.weight !== 0);
  }

  of(at: number): Rendering | null {
    const link = this.#best.get(at);
    if (link === undefined) return null;
    return { link, forms: link.hypothesis.map((place) => this.explanation.hypothesis[place]?.form).join(" ") };
  }

  /** The words too many that the other translation does not have too many as well. */
  extra(other: Fates): UnmatchedWord[] {
    const common = other.#unused.map((word) => word.form);
    return this.#unused.filter((word) => {
      const at = common.indexOf(word.form);
      if (at >= 0) common.splice(at, 1);
      return at < 0;
    });
  }
}

/** What only the better one has, what only the worse one has, and what both have, but not alike. */
function words(better: Fates, worse: Fates): Contrast["words"] {
  const all = better.explanation.reference.map((word, at) => ({
    form: word.form,
    better: better.of(at),
    worse: worse.of(at),
  }));
  return [
    ...all.filter((word) => word.better && !word.worse),
    ...all.filter((word) => !word.better && word.worse),
    ...all.filter((word) => word.better && word.worse && noticed(word.better, word.worse)),
  ];
}

/** Whether another word is there, or one that is worth clearly more. */
function noticed(one: Rendering, other: Rendering): boolean {
  return one.forms !== other.forms || Math.abs(worth(one.link) - worth(other.link)) >= 0.05;
}
