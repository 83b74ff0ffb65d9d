/**
 * How a kind of link, or a state of an edit, looks: a colour of the page and a dash pattern, so that kinds
 * can be told apart without colour.
 */

/** A colour `--kind-N` of the page, from 1; each has a dash pattern of its own. */
export type Tone = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const DASHES: Readonly<Record<Tone, string>> = {
  1: "",
  2: "9 3",
  3: "2 3",
  4: "10 3 2 3",
  5: "5 5",
  6: "3 5",
  7: "14 4",
  8: "12 3 2 3 2 3",
};

/** Kinds that metrics have in common, the surest first. */
const KNOWN: readonly (readonly [Tone, readonly string[]])[] = [
  [6, ["substitute", "substitution", "other", "mismatch"]],
  [5, ["tag", "similar words", "similar", "distributional", "vectors"]],
  [4, ["paraphrase", "composed"]],
  [3, ["synonym", "same meaning", "wordnet"]],
  [2, ["lemma", "stem", "contraction"]],
  [7, ["punctuation"]],
  [1, ["identical", "exact", "word", "match", "same words"]],
];

/** What an unknown kind may look like, in the order of appearance. */
const OTHERS: readonly Tone[] = [8, 7, 5, 4, 3, 2];

/** The tone of a kind; of several joined by “+” the least sure one counts. */
export function knownTone(kind: string): Tone | null {
  const names = kind
    .toLowerCase()
    .split("+")
    .map((name) => name.trim());
  if (kind.startsWith("within ")) return 5;
  return KNOWN.find(([, kinds]) => names.some((name) => kinds.includes(name)))?.[0] ?? null;
}

/** The tone of each kind, in the order given. */
export function tones(kinds: Iterable<string>): Map<string, Tone> {
  const found = new Map<string, Tone>();
  let others = 0;
  for (const kind of kinds) {
    if (found.has(kind)) continue;
    found.set(kind, knownTone(kind) ?? OTHERS[others++ % OTHERS.length] ?? 7);
  }
  return found;
}

export function dashes(tone: Tone): string {
  return DASHES[tone];
}
