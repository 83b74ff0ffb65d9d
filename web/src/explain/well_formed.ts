/**
 * A well-formed explanation: every list is there, every position is that of a word, every number is finite.
 *
 * Explanations come from files and servers, of metrics that may not have been written when this was. They
 * pass here once, so that nothing behind has to doubt them.
 */

import type {
  ContextRelation,
  Edit,
  Explanation,
  Feature,
  ImprobableWord,
  Jump,
  Leftover,
  Link,
  Num,
  Phrase,
  PivotMatch,
  PivotPhrase,
  Prediction,
  Repair,
  Span,
  Word,
  WordPair,
} from "../data/explanation.ts";

type Raw = Readonly<Record<string, unknown>>;

export function wellFormed(explanation: Explanation): Explanation {
  const raw = record(explanation);
  const hypothesis = list(raw["hypothesis"]).map(word);
  const reference = list(raw["reference"]).map(word);
  const sizes = { hypothesis: hypothesis.length, reference: reference.length };
  return {
    metric: text(raw["metric"]),
    signature: text(raw["signature"]),
    score: number(raw["score"]),
    hypothesis_text: text(raw["hypothesis_text"]),
    reference_text: text(raw["reference_text"]),
    hypothesis,
    reference,
    links: list(raw["links"]).map((item) => link(item, sizes)),
    leftovers: list(raw["leftovers"]).map((item): Leftover => ({
      layer: text(item["layer"]),
      ...sided(item, sizes),
      weight: number(item["weight"]),
      cost: number(item["cost"]),
    })),
    features: list(raw["features"]).map(feature),
    edits: list(raw["edits"]).map((item) => edit(item, sizes)),
    notes: values(raw["notes"]).map(text),
    phrases: list(raw["phrases"]).map((item): Phrase => ({
      ...sided(item, sizes),
      kind: text(item["kind"]),
      weight: number(item["weight"]),
      factors: numbers(item["factors"]),
    })),
    parts: numbers(raw["parts"]),
    pivot_phrases: list(raw["pivot_phrases"]).map((item): PivotPhrase => ({
      ...sided(item, sizes),
      language: text(item["language"]),
      known: item["known"] === true,
      readings: numbers(item["readings"]),
    })),
    pivot_matches: list(raw["pivot_matches"]).map(pivotMatch),
    improbable_words: list(raw["improbable_words"]).map((item) => improbableWord(item, sizes)),
    higher_is_better: raw["higher_is_better"] !== false,
    prediction: prediction(raw["prediction"]),
    maximum: number(raw["maximum"]),
    repairs: list(raw["repairs"]).map((item): Repair => ({
      kind: text(item["kind"]),
      hypothesis: span(item["hypothesis"]),
      reference: span(item["reference"]),
      before: text(item["before"]),
      after: text(item["after"]),
      points: number(item["points"]),
      hypothesis_marks: list(item["hypothesis_marks"]).map(span),
      reference_marks: list(item["reference_marks"]).map(span),
    })),
    matched: number(raw["matched"]),
    exact_points: raw["exact_points"] !== false,
  };
}

/** How many words each side has. */
interface Sizes {
  hypothesis: number;
  reference: number;
}

function sizeOf(sizes: Sizes, side: string): number {
  return side === "reference" ? sizes.reference : sizes.hypothesis;
}

/** The words of both sides that something joins. */
function both(item: Raw, sizes: Sizes): { hypothesis: number[]; reference: number[] } {
  return {
    hypothesis: places(item["hypothesis"], sizes.hypothesis),
    reference: places(item["reference"], sizes.reference),
  };
}

/** The words of one side. */
function sided(item: Raw, sizes: Sizes): { side: string; words: number[] } {
  const side = text(item["side"]);
  return { side, words: places(item["words"], sizeOf(sizes, side)) };
}

function link(item: Raw, sizes: Sizes): Link {
  return {
    layer: text(item["layer"]),
    kind: text(item["kind"]) || "match",
    ...both(item, sizes),
    similarity: number(item["similarity"]),
    weight: number(item["weight"]),
    penalty: number(item["penalty"]),
    stage: text(item["stage"]),
    context: list(item["context"]).map((one) => relation(one, sizes)),
    word_pairs: list(item["word_pairs"]).map((one): WordPair => ({
      hypothesis: place(one["hypothesis"], sizes.hypothesis),
      reference: place(one["reference"], sizes.reference),
      kind: text(one["kind"]),
      similarity: number(one["similarity"]),
    })),
    factors: numbers(item["factors"]),
    block: Math.max(0, Math.trunc(number(item["block"]) ?? 0)),
  };
}

function span(value: unknown): Span {
  const item = record(value);
  const start = Math.max(0, Math.trunc(number(item["start"]) ?? 0));
  return { start, end: Math.max(start, Math.trunc(number(item["end"]) ?? 0)), text: text(item["text"]) };
}

function feature(item: Raw): Feature {
  return {
    name: text(item["name"]),
    description: text(item["description"]) || text(item["name"]),
    value: number(item["value"]),
    details: numbers(item["details"]),
  };
}

function edit(item: Raw, sizes: Sizes): Edit {
  return {
    state: text(item["state"]) || "edit",
    ...both(item, sizes),
    contribution: number(item["contribution"]),
    dependencies: values(item["dependencies"]).map(text),
    jump: jump(item["jump"], sizes),
  };
}

function pivotMatch(item: Raw): PivotMatch {
  return {
    language: text(item["language"]),
    kind: text(item["kind"]),
    ngram: text(item["ngram"]),
    hypothesis: number(item["hypothesis"]),
    reference: number(item["reference"]),
  };
}

function improbableWord(item: Raw, sizes: Sizes): ImprobableWord {
  return {
    model: text(item["model"]),
    word: place(item["word"], sizes.hypothesis),
    log10: number(item["log10"]),
    order: Math.trunc(number(item["order"]) ?? 0),
  };
}

function word(item: Raw): Word {
  return {
    form: text(item["form"]),
    start: Math.trunc(number(item["start"]) ?? 0),
    end: Math.trunc(number(item["end"]) ?? 0),
    weight: number(item["weight"]),
    lemma: text(item["lemma"]) || null,
    tag: text(item["tag"]) || null,
  };
}

function relation(item: Raw, sizes: Sizes): ContextRelation {
  const side = text(item["side"]);
  return {
    side,
    word: place(item["word"], sizeOf(sizes, side)),
    label: text(item["label"]),
    governor: place(item["governor"], sizeOf(sizes, side)),
    dependent: place(item["dependent"], sizeOf(sizes, side)),
    weight: number(item["weight"]),
    matched: item["matched"] === true,
    in_words: text(item["in_words"]),
  };
}

function jump(value: unknown, sizes: Sizes): Jump | null {
  if (typeof value !== "object" || value === null) return null;
  const item = record(value);
  const side = text(item["side"]);
  // A position before a word, or behind the last one.
  const gap = (at: unknown) => Math.min(Math.max(Math.trunc(number(at) ?? 0), 0), sizeOf(sizes, side));
  const moved = places(item["moved"], sizeOf(sizes, side));
  return { side, start: gap(item["start"]), target: gap(item["target"]), moved };
}

function prediction(value: unknown): Prediction | null {
  const { low, high, coverage } = numbers(value);
  return typeof low === "number" && typeof high === "number" && typeof coverage === "number"
    ? { low, high, coverage }
    : null;
}

function record(value: unknown): Raw {
  return typeof value === "object" && value !== null ? (value as Raw) : {};
}

function values(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function list(value: unknown): Raw[] {
  return values(value).map(record);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function number(value: unknown): Num {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function numbers(value: unknown): Record<string, Num> {
  return Object.fromEntries(Object.entries(record(value)).map(([name, item]) => [name, number(item)]));
}

function isPlace(value: unknown, size: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < size;
}

function place(value: unknown, size: number): number {
  return isPlace(value, size) ? value : -1;
}

function places(value: unknown, size: number): number[] {
  return values(value).filter((item) => isPlace(item, size)) as number[];
}
