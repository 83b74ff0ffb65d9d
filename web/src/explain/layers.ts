/** The layers of an explanation: what each part of the metric linked and what it left over. */

import type { Explanation, Feature, Leftover, Link } from "../data/explanation.ts";
import { SIDES, wordsOf } from "./words.ts";
import type { SideName } from "./words.ts";

export interface Layer {
  name: string;
  /** The feature of the same name, if the metric has one. */
  feature: Feature | null;
  /** In the order of the reference. */
  links: readonly Link[];
  /** Heaviest first. */
  leftovers: readonly Leftover[];
}

/** What became of a word: `ignored` ones do not count for the metric. */
export type Fate = "matched" | "partly" | "lost" | "ignored";

export const FATE_NAMES: Readonly<Record<Fate, string>> = {
  matched: "matched",
  partly: "partly matched",
  lost: "not matched",
  ignored: "not counted",
};

/** Features first, then layers that have no feature of their own. One layer at least. */
export function layersOf(explanation: Explanation): Layer[] {
  const features = new Map(explanation.features.map((feature) => [feature.name, feature]));
  const filled = new Set([...explanation.links, ...explanation.leftovers].map((item) => item.layer));
  const names = [...features.keys()].filter((name) => filled.has(name));
  names.push(...[...filled].filter((name) => !features.has(name)));
  if (names.length === 0) names.push(explanation.features[0]?.name ?? "");
  return names.map((name) => ({
    name,
    feature: features.get(name) ?? null,
    links: explanation.links.filter((link) => link.layer === name).sort(inOrder),
    leftovers: explanation.leftovers
      .filter((rest) => rest.layer === name)
      .sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0)),
  }));
}

function inOrder(a: Link, b: Link): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (a.reference[0] ?? last) - (b.reference[0] ?? last) || (a.hypothesis[0] ?? last) - (b.hypothesis[0] ?? last);
}

/** What a link is worth: its similarity without the penalty, between 0 and 1. */
export function worth(link: Link): number {
  return Math.min(Math.max((link.similarity ?? 1) - (link.penalty ?? 0), 0), 1);
}

/** What became of each word in a layer, by the best of its links. */
export function fates(explanation: Explanation, layer: Layer): Record<SideName, Fate[]> {
  const result: Record<SideName, Fate[]> = { reference: [], hypothesis: [] };
  for (const side of SIDES) {
    const best = new Map<number, number>();
    for (const link of layer.links) {
      for (const at of link[side]) best.set(at, Math.max(best.get(at) ?? 0, worth(link)));
    }
    for (const edit of explanation.edits) {
      if (explanation.links.length > 0 || edit.reference.length === 0 || edit.hypothesis.length === 0) continue;
      for (const at of edit[side]) best.set(at, Math.max(best.get(at) ?? 0, 0.5));
    }
    result[side] = wordsOf(explanation, side).map((word, at) => {
      const value = best.get(at) ?? 0;
      if (word.weight === 0 && value === 0) return "ignored";
      return value > 0.99 ? "matched" : value > 0.05 ? "partly" : "lost";
    });
  }
  return result;
}

/** A layer's name in words. */
export function layerTitle(layer: Layer): string {
  return layer.feature?.description ?? (layer.name.replace(/[-_]/g, " ") || "links");
}
