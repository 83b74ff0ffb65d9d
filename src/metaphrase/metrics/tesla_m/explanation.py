"""Why TESLA-M gave a score: the matched n-grams of one segment, as an explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.analysis import Sentence
from metaphrase.arrays import BoolArray, FloatArray, Int32Array, Uint8Array
from metaphrase.matching import transport
from metaphrase.metrics.comparison import Analysed, Comparison
from metaphrase.metrics.explained_pair import Words, check_length, explain_pair, words_of
from metaphrase.metrics.explanation import Explanation, Feature, Leftover, Link
from metaphrase.metrics.tesla_m.bags import EMPTY_BAGS, TaggedWords, f_measure

if TYPE_CHECKING:
    from metaphrase.metrics.tesla_m.metric import TeslaM

#: Why two words are similar, weakest first, and how similar that makes them (METRICS 3.3).
_KINDS = ("", "tag", "synonym", "synonym with tag", "lemma")
MEANING = np.array([0.0, 0.5, 0.5, 1.0, 1.0])
_DESCRIPTIONS = {"ms": "lemma/synonym/tag", "pos": "tag"}
#: An explanation is for reading, and its matrices are quadratic.
_LONGEST_EXPLAINED = 1000
#: Flows below this are rounding: real ones are multiples of divisor⁻³ ≥ 10⁻⁶.
_NEGLIGIBLE = 1e-8

#: A link, and where its n-grams start among the words that count.
PlacedLink = tuple[Link, tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The counted words of one sentence: their positions in it, and ids to compare."""

    token: list[int]
    lemma: Int32Array
    sense: Int32Array
    tag: Int32Array
    weight: FloatArray

    @classmethod
    def of(cls, words: TaggedWords, row: int, first_token: int, divisor: int) -> Side:
        """Those of sentence ``row``, whose first token is ``first_token`` of the batch."""
        part = slice(int(words.offsets[row]), int(words.offsets[row + 1]))
        tag = words.tag[part]
        return cls(
            (words.token[part] - first_token).tolist(),
            words.lemma[part],
            words.sense[part],
            tag,
            np.where(words.function[tag] > 0, 1.0 / divisor, 1.0),
        )

    def ngrams(self, n: int) -> int:
        """How many n-grams there are."""
        return max(len(self.token) - n + 1, 0)

    def ngram_weights(self, n: int) -> FloatArray:
        """What each n-gram weighs: the product over its words."""
        count = self.ngrams(n)
        weights = np.ones(count)
        for k in range(n):
            weights *= self.weight[k : k + count]
        return weights

    def ngram(self, first: int, n: int) -> tuple[int, ...]:
        """The positions in the sentence of an n-gram's words."""
        return tuple(self.token[first : first + n])


def explain(metric: TeslaM, comparison: Comparison) -> Explanation:
    """Solve the six problems of the only segment of ``comparison``, keeping the flows."""
    analysed = comparison.analysed
    words = comparison.kept_of_all("words", lambda: metric.words(analysed.batch))
    sentences, sides = compared_sides(analysed, words, metric.function_divisor)
    hypothesis, reference = sides
    same_tag = (hypothesis.tag[:, None] == reference.tag).astype(np.uint8)
    layers = {
        "ms": (why_similar(words, hypothesis, reference, same_tag), MEANING),
        "pos": (same_tag, np.array([0.0, 1.0])),
    }
    links: list[Link] = []
    leftovers: list[Leftover] = []
    features: list[Feature] = []
    for name, (kind, similarity) in layers.items():
        for n in (1, 2, 3):
            layer = f"{name}{n}"
            if layer not in metric.features:
                continue
            found = list(matched_ngrams(layer, n, kind, similarity, hypothesis, reference))
            links += (link for link, _ in found)
            leftovers += unmatched(layer, n, sides, found)
            description = f"{n}-grams by {_DESCRIPTIONS[name]}"
            empty = EMPTY_BAGS[metric.empty_bags]
            features.append(
                ngram_feature(layer, description, n, sides, found, alpha=metric.alpha, empty=empty)
            )
    words_of = [
        explained_words(sentence, side, metric.tag_column)
        for sentence, side in zip(sentences, sides, strict=True)
    ]
    return explain_pair(metric, comparison, words_of, links, leftovers, features)


def compared_sides(
    analysed: Analysed, words: TaggedWords, divisor: int
) -> tuple[list[Sentence], list[Side]]:
    """Hypothesis and reference of the only segment, whole and as what counts of them."""
    rows = int(analysed.hypotheses[0]), int(analysed.references[0][0])
    sides = [Side.of(words, row, int(analysed.batch.offsets[row]), divisor) for row in rows]
    check_length(max(len(side.token) for side in sides), _LONGEST_EXPLAINED, "word by word")
    return [analysed.batch[row] for row in rows], sides


def why_similar(
    words: TaggedWords, hypothesis: Side, reference: Side, same_tag: Uint8Array
) -> Uint8Array:
    """For each pair of words the strongest reason why they are similar, as an index of _KINDS."""
    related = np.zeros(same_tag.shape, dtype=np.uint8)
    for j, sense in enumerate(reference.sense.tolist()):
        first, last = words.synonymy.offsets[sense : sense + 2]
        synonyms = np.append(words.synonymy.synonyms[first:last], sense)
        related[:, j] = np.isin(hypothesis.sense, synonyms)
    lemma = hypothesis.lemma[:, None] == reference.lemma
    return np.where(lemma, 4, same_tag + 2 * related).astype(np.uint8)


def matched_ngrams(
    layer: str,
    n: int,
    kind: Uint8Array,
    similarity: FloatArray,
    hypothesis: Side,
    reference: Side,
    *,
    allowed: BoolArray | None = None,
) -> Iterator[PlacedLink]:
    """The optimal matching of n-grams, and where each link's n-grams start.

    ``allowed`` says of every two n-grams whether they may be matched; by default all may.
    """
    shape = (hypothesis.ngrams(n), reference.ngrams(n))
    shifted = [kind[k : k + shape[0], k : k + shape[1]] for k in range(n)]
    possible = np.logical_and.reduce([part > 0 for part in shifted])
    if allowed is not None:
        possible &= allowed
    rows, columns = np.nonzero(possible)
    if not len(rows):
        return
    values = np.mean([similarity[part[rows, columns]] for part in shifted], axis=0)
    supply, demand = hypothesis.ngram_weights(n), reference.ngram_weights(n)
    # Among equally good matchings show the one that keeps the words' order. Optima differ from the next
    # best by at least 1/(2n·divisorⁿ), so this bonus, spread over all weight, cannot change them.
    distance = np.abs((rows + 0.5) / shape[0] - (columns + 0.5) / shape[1])
    smallest = min(supply.min(), demand.min()) / (2 * n)
    bonus = 0.1 * smallest / min(supply.sum(), demand.sum())
    plan = transport((rows, columns, values + bonus * (1.0 - distance)), supply, demand)
    exact = dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), values, strict=True))
    for row, column, flow in zip(
        plan.rows.tolist(), plan.columns.tolist(), plan.flow.tolist(), strict=True
    ):
        if flow <= _NEGLIGIBLE:
            continue
        reasons = sorted({int(part[row, column]) for part in shifted}, reverse=True)
        link = Link(
            layer,
            " + ".join(_KINDS[reason] for reason in reasons),
            hypothesis.ngram(row, n),
            reference.ngram(column, n),
            float(exact[row, column]),
            flow,
        )
        yield link, (row, column)


def unmatched(
    layer: str, n: int, sides: Sequence[Side], found: Sequence[PlacedLink]
) -> Iterator[Leftover]:
    """The n-grams of which some weight is not matched."""
    for side, name in enumerate(("hypothesis", "reference")):
        rest = sides[side].ngram_weights(n)
        for link, places in found:
            rest[places[side]] -= link.weight
        for place in np.flatnonzero(rest > _NEGLIGIBLE).tolist():
            yield Leftover(layer, name, sides[side].ngram(place, n), float(rest[place]))


def ngram_feature(
    layer: str,
    description: str,
    n: int,
    sides: Sequence[Side],
    found: Sequence[PlacedLink],
    *,
    alpha: float,
    empty: float,
) -> Feature:
    """F of the n-grams that were matched; ``empty`` if there are none at all."""
    matched = sum(link.weight * link.similarity for link, _ in found)
    hypothesis, reference = (np.array([side.ngram_weights(n).sum()]) for side in sides)
    value = float(f_measure(np.array([matched]), reference, hypothesis, alpha)[0])
    if np.isnan(value):
        value = empty
    details = {
        "matched": matched,
        "hypothesis": float(hypothesis[0]),
        "reference": float(reference[0]),
    }
    return Feature(layer, description, None if np.isnan(value) else value, details)


def explained_words(sentence: Sentence, side: Side, tag_column: str) -> Words:
    """All words of the sentence; those that do not count weigh 0."""
    weight = dict(zip(side.token, side.weight.tolist(), strict=True))
    weights = [weight.get(i, 0.0) for i in range(len(sentence))]
    return words_of(sentence, weights, "lemma", tag_column)
