/**
 * Why a segment scored as it did: what `metaphrase.metrics.explanation.Explanation.to_dict()` writes.
 *
 * Names are those of Python. A number that JSON cannot hold (NaN, infinity) arrives as null, so every
 * number may be null. Kinds, layers, stages and states are open sets: a metric may bring its own.
 */

export type Num = number | null;
export type Side = "hypothesis" | "reference" | (string & {});

/** A token of one side; `weight` is what it counts for, 0 if the metric leaves it out. */
export interface Word {
  form: string;
  start: number;
  end: number;
  weight: Num;
  lemma: string | null;
  tag: string | null;
}

/** A dependency relation of a linked word; -1 as governor is the root. */
export interface ContextRelation {
  side: Side;
  word: number;
  label: string;
  governor: number;
  dependent: number;
  weight: Num;
  matched: boolean;
  /** What the translation has changed, or kept, in plain English. Explanations of earlier versions have none. */
  in_words?: string;
}

/** A word of a linked phrase and the word of the other phrase that it resembles most, or none (-1). */
export interface WordPair {
  hypothesis: number;
  reference: number;
  kind: string;
  similarity: Num;
}

/** Words of one side that a metric treats as a unit; `weight` is the product of `factors`. */
export interface Phrase {
  side: Side;
  kind: string;
  words: number[];
  weight: Num;
  factors: Record<string, Num>;
}

/** Words of the hypothesis matched with words of the reference (positions in the word lists). */
export interface Link {
  layer: string;
  kind: string;
  hypothesis: number[];
  reference: number[];
  similarity: Num;
  weight: Num;
  penalty: Num;
  stage: string;
  context: ContextRelation[];
  word_pairs: WordPair[];
  factors: Record<string, Num>;
  /** From 1; 0 is none. */
  block: number;
}

/** Words that found no partner, or not for all of their weight; `cost` is what they take off the score, if known. */
export interface Leftover {
  layer: string;
  side: Side;
  words: number[];
  weight: Num;
  cost?: Num;
}

/** A named value that the score is made of; null where it says nothing about this segment. */
export interface Feature {
  name: string;
  description: string;
  value: Num;
  details: Record<string, Num>;
}

/**
 * The reading position of `side` goes from before word `start` to before word `target`. If words are `moved`, it
 * is they that come to stand before `target`; the first of them is `start`.
 */
export interface Jump {
  side: Side;
  start: number;
  target: number;
  moved?: number[];
}

/** One step of a sequence of edits that turns the reference into the hypothesis. */
export interface Edit {
  state: string;
  reference: number[];
  hypothesis: number[];
  contribution: Num;
  dependencies: string[];
  jump: Jump | null;
}

/** Words of one side that are read as a phrase of another language. */
export interface PivotPhrase {
  side: Side;
  language: string;
  words: number[];
  known: boolean;
  readings: Record<string, Num>;
}

/** An n-gram of another language that both sides are read as; the lesser weight is matched. */
export interface PivotMatch {
  language: string;
  kind: string;
  ngram: string;
  hypothesis: Num;
  reference: Num;
}

/** A word of the hypothesis that a language model did not expect; position -1 is the sentence's end. */
export interface ImprobableWord {
  model: string;
  word: number;
  log10: Num;
  order: number;
}

/** People's judgement lies between `low` and `high` in the share `coverage` of cases. */
export interface Prediction {
  low: number;
  high: number;
  coverage: number;
}

/** Characters `start` to `end` of a text. */
export interface Span {
  start: number;
  end: number;
  text: string;
}

/** An edit that can be undone, and what the score gains by that. */
export interface Repair {
  kind: string;
  hypothesis: Span;
  reference: Span;
  before: string;
  after: string;
  points: Num;
  /** Its words alone, a span for each stretch. Explanations of earlier versions have none. */
  hypothesis_marks?: Span[];
  reference_marks?: Span[];
}

/** Everything that made one score, in the order of the text. */
export interface Explanation {
  metric: string;
  signature: string;
  score: Num;
  hypothesis_text: string;
  reference_text: string;
  hypothesis: Word[];
  reference: Word[];
  links: Link[];
  leftovers: Leftover[];
  features: Feature[];
  edits: Edit[];
  notes: string[];
  phrases: Phrase[];
  parts: Record<string, Num>;
  pivot_phrases: PivotPhrase[];
  pivot_matches: PivotMatch[];
  improbable_words: ImprobableWord[];
  /** What is added to a score of which it does not hold is a cost. */
  higher_is_better?: boolean;
  /** Where people's judgement lies, if the metric knows. */
  prediction?: Prediction | null;
  /** The score of the reference itself, if there are repairs that lead there. */
  maximum?: Num;
  repairs?: Repair[];
  /** The share of words that both texts have. */
  matched?: Num;
  /** Whether points are exact, not means over a few orders. */
  exact_points?: boolean;
}

/** An explanation that could not be made, with the code that the command line would give. */
export interface Failure {
  error: { code: string; message: string; hint?: string | null };
}

export function isFailure(answer: Explanation | Failure): answer is Failure {
  return "error" in answer;
}
