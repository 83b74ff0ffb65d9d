/** Why one translation scores higher than another: as `metaphrase.metrics.explanation_contrast`, for the page. */

import type { Explanation, Link, Num } from "../data/explanation.ts";
import { layersOf, worth } from "./layers.ts";
import { partsOf } from "./score_sums.ts";

/** A part of both scores, or a feature; `difference` is what the better one has more of it. */
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

/** What a word without a partner costs, if the metric can tell. */
export interface UnmatchedWord {
  at: number;
  form: string;
  cost: Num;
}

export interface Contrast {
  better: Explanation;
  worse: Explanation;
  /** Whether the second one given is the better one. */
  swapped: boolean;
  difference: number;
  /** The largest difference first; they add up to `difference` if `adds` says so. */
  numbers: ContrastedNumber[];
  adds: boolean;
  /** None where the translations are measured against different references. */
  sameReference: boolean;
  words: (ContrastedWord & { cost: Num })[];
  betterExtra: UnmatchedWord[];
  worseExtra: UnmatchedWord[];
}

/** What is between a score and the sum of its parts, if it was cut at the end of its scale. */
const LIMIT = "limit of the scale";
/** Explanations come with six digits. */
const ROUNDING = 1e-4;

/** Both explanations must be well formed, and of one metric. */
export function contrast(one: Explanation, other: Explanation): Contrast {
  const sign = one.higher_is_better === false ? -1 : 1;
  const swapped = sign * ((one.score ?? 0) - (other.score ?? 0)) < 0;
  const [better, worse] = swapped ? [other, one] : [one, other];
  const parts = numbers(whole(better), whole(worse));
  const sameReference = better.reference_text === worse.reference_text;
  const [high, low] = [new Fates(better), new Fates(worse)];
  return {
    better,
    worse,
    swapped,
    difference: (better.score ?? 0) - (worse.score ?? 0),
    numbers: parts.length > 0 ? parts : numbers(features(better, worse), features(worse, better)),
    adds: parts.length > 0,
    sameReference,
    words: sameReference ? words(high, low) : [],
    betterExtra: sameReference ? high.extra(low) : [],
    worseExtra: sameReference ? low.extra(high) : [],
  };
}

function whole(explanation: Explanation): Map<string, number> {
  const parts = new Map(partsOf(explanation).map(([name, value]) => [name, value ?? 0]));
  const values = [...parts.values()];
  const rest = (explanation.score ?? 0) - values.reduce((sum, value) => sum + value, 0);
  const size = values.reduce((sum, value) => sum + Math.abs(value), 1);
  if (parts.size > 0 && Math.abs(rest) > ROUNDING * size) parts.set(LIMIT, rest);
  return parts;
}

/** The features that have a value in both. */
function features(explanation: Explanation, other: Explanation): Map<string, number> {
  const known = new Set(other.features.filter((one) => one.value !== null).map((one) => one.name));
  const shared = explanation.features.filter((one) => one.value !== null && known.has(one.name));
  return new Map(shared.map((one) => [one.description, one.value ?? 0]));
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
  readonly #costs: ReadonlyMap<string, Num>;

  constructor(explanation: Explanation) {
    this.explanation = explanation;
    const [layer] = layersOf(explanation);
    const links = (layer?.links ?? []).filter((link) => (link.similarity ?? 0) > 0);
    for (const link of [...links].sort((a, b) => worth(b) - worth(a)))
      for (const at of link.reference) if (!this.#best.has(at)) this.#best.set(at, link);
    this.#costs = new Map(
      (layer?.leftovers ?? []).map((rest) => [`${rest.side} ${rest.words.join()}`, rest.cost ?? null]),
    );
    const used = new Set(links.flatMap((link) => link.hypothesis));
    this.#unused = explanation.hypothesis
      .map((word, at) => ({ at, form: word.form, cost: this.cost("hypothesis", at) }))
      .filter(({ at }) => !used.has(at) && explanation.hypothesis[at]?.weight !== 0);
  }

  cost(side: string, at: number): Num {
    return this.#costs.get(`${side} ${at}`) ?? null;
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
  const all = better.explanation.reference.map((word, at) => {
    const [high, low] = [better.of(at), worse.of(at)];
    const lacking = low === null ? worse : better;
    return { form: word.form, better: high, worse: low, cost: high && low ? null : lacking.cost("reference", at) };
  });
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
