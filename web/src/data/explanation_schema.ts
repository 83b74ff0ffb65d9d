/** Written by `python web/schema.py` from metaphrase.metrics.explanation. */

export const SCHEMA = {
  /** Everything that made one score, in the order of the text. */
  Explanation: {
    metric: "text",
    signature: "text",
    score: "number",
    hypothesis_text: "text",
    reference_text: "text",
    hypothesis: "Word[]",
    reference: "Word[]",
    links: "Link[]",
    leftovers: "Leftover[]",
    features: "Feature[]",
    edits: "Edit[]",
    notes: "text[]",
    phrases: "Phrase[]",
    pivot_phrases: "PivotPhrase[]",
    pivot_matches: "PivotMatch[]",
    improbable_words: "ImprobableWord[]",
    higher_is_better: "yes",
    prediction: "Prediction?",
    maximum: "number",
    repairs: "Repair[]",
    matched: "number",
    exact_points: "yes",
  },
  /** A token of one side; `weight` is what it counts for, 0 if the metric leaves it out. */
  Word: {
    form: "text",
    start: "count",
    end: "count",
    weight: "number",
    lemma: "text?",
    tag: "text?",
  },
  /** Words of the hypothesis matched with words of the reference (positions in the word lists). */
  Link: {
    layer: "text",
    kind: "text",
    hypothesis: "place[]",
    reference: "place[]",
    similarity: "number",
    weight: "number",
    penalty: "number",
    stage: "text",
    context: "ContextRelation[]",
    word_pairs: "WordPair[]",
    factors: "numbers",
    block: "count",
  },
  /** A dependency relation of a linked word, and whether the word at the other end has a counterpart. */
  ContextRelation: {
    side: "text",
    word: "place",
    label: "text",
    governor: "place",
    dependent: "place",
    weight: "number",
    matched: "no",
    in_words: "text",
  },
  /** A word of a linked phrase and the word of the other phrase that it resembles most, or none (-1). */
  WordPair: {
    hypothesis: "place",
    reference: "place",
    kind: "text",
    similarity: "number",
  },
  /** Words that found no partner, or not for all of their weight. */
  Leftover: {
    layer: "text",
    side: "text",
    words: "place[]",
    weight: "number",
  },
  /** A named value that the score is made of, with the numbers behind it. */
  Feature: {
    name: "text",
    description: "text",
    value: "number",
    details: "numbers",
    contribution: "number",
  },
  /** One step of a sequence of edits that turns the reference into the hypothesis. */
  Edit: {
    state: "text",
    reference: "place[]",
    hypothesis: "place[]",
    contribution: "number",
    dependencies: "text[]",
    jump: "Jump?",
  },
  /** The reading position of `side` goes from before word `start` to before word `target`. */
  Jump: {
    side: "text",
    start: "gap",
    target: "gap",
    moved: "place[]",
  },
  /** Words of one side that a metric treats as a unit; `weight` is the product of `factors`. */
  Phrase: {
    side: "text",
    kind: "text",
    words: "place[]",
    weight: "number",
    factors: "numbers",
  },
  /** Words of one side that are read as a phrase of another language. */
  PivotPhrase: {
    side: "text",
    language: "text",
    words: "place[]",
    known: "no",
    readings: "numbers",
  },
  /** An n-gram of another language that both sides are read as, compared by `lemma` or by `tag`. */
  PivotMatch: {
    language: "text",
    kind: "text",
    ngram: "text",
    hypothesis: "number",
    reference: "number",
  },
  /** A word of the hypothesis that a language model did not expect after those before it. */
  ImprobableWord: {
    model: "text",
    word: "place",
    log10: "number",
    order: "count",
  },
  /** People's judgement lies between `low` and `high` in the share `coverage` of cases. */
  Prediction: {
    low: "number",
    high: "number",
    coverage: "number",
  },
  /** An edit of the translation that can be undone, and what the score gains by that. */
  Repair: {
    kind: "text",
    hypothesis: "Span",
    reference: "Span",
    before: "text",
    after: "text",
    points: "number",
    hypothesis_marks: "Span[]",
    reference_marks: "Span[]",
  },
  /** Characters `start` to `end` of a text, which may be none. */
  Span: {
    start: "count",
    end: "count",
    text: "text",
  },
} as const;
