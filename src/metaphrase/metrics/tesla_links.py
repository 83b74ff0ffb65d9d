"""Why TESLA-M gave a score: the matched n-grams of one segment, as an explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metaphrase.analysis import Sentence
from metaphrase.errors import InputError
from metaphrase.matching import transport
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explanation import Explanation, Feature, Leftover, Link, Word
from metaphrase.metrics.tesla_bags import EMPTY_BAGS, FloatArray, TaggedWords, f_measure

if TYPE_CHECKING:
    from metaphrase.metrics.tesla_m import TeslaM

#: Why two words are similar, weakest first, and how similar that makes them (METRICS 3.3).
_KINDS = ("", "tag", "synonym", "synonym with tag", "lemma")
_MEANING = np.array([0.0, 0.5, 0.5, 1.0, 1.0])
_DESCRIPTIONS = {"ms": "lemma/synonym/tag", "pos": "tag"}
#: An explanation is for reading, and its matrices are quadratic.
_LONGEST_EXPLAINED = 1000
#: Flows below this are rounding: real ones are multiples of divisor⁻³ ≥ 10⁻⁶.
_NEGLIGIBLE = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The counted words of one sentence: their positions in it, and ids to compare."""

    token: list[int]
    lemma: NDArray[np.int32]
    sense: NDArray[np.int32]
    tag: NDArray[np.int32]
    weight: FloatArray

    @classmethod
    def of(cls, words: TaggedWords, row: int, first_token: int, divisor: int) -> _Side:
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
        return max(len(self.token) - n + 1, 0)

    def ngram_weights(self, n: int) -> FloatArray:
        count = self.ngrams(n)
        weights = np.ones(count)
        for k in range(n):
            weights *= self.weight[k : k + count]
        return weights

    def ngram(self, first: int, n: int) -> tuple[int, ...]:
        return tuple(self.token[first : first + n])


def explain(metric: TeslaM, comparison: Comparison) -> Explanation:
    """Solve the six problems of the only segment of ``comparison``, keeping the flows."""
    analysed = comparison.analysed
    assert analysed is not None
    batch = analysed.batch
    words = comparison.once("words", lambda: metric.words(batch))
    sentences, sides = [], []
    for row in (int(analysed.hypotheses[0]), int(analysed.references[0][0])):
        first_token = int(batch.offsets[row])
        sentences.append(batch[row])
        sides.append(_Side.of(words, row, first_token, metric.function_divisor))
    if max(len(side.token) for side in sides) > _LONGEST_EXPLAINED:
        raise InputError(
            "MP510",
            f"a segment of more than {_LONGEST_EXPLAINED} words cannot be explained word by word.",
            hint="Split it into sentences.",
        )
    hypothesis, reference = sides
    same_tag = (hypothesis.tag[:, None] == reference.tag).astype(np.uint8)
    layers = {
        "ms": (_why_similar(words, hypothesis, reference, same_tag), _MEANING),
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
            found = list(_links(layer, n, kind, similarity, hypothesis, reference))
            links += (link for link, _ in found)
            matched = sum(link.weight * link.similarity for link, _ in found)
            used = [np.zeros(side.ngrams(n)) for side in sides]
            for link, places in found:
                for weights, place in zip(used, places, strict=True):
                    weights[place] += link.weight
            totals = [side.ngram_weights(n) for side in sides]
            for side_name, side, total, spent in zip(
                ("hypothesis", "reference"), sides, totals, used, strict=True
            ):
                rest = total - spent
                leftovers += (
                    Leftover(layer, side_name, side.ngram(place, n), float(rest[place]))
                    for place in np.flatnonzero(rest > _NEGLIGIBLE).tolist()
                )
            features.append(
                _feature(metric, layer, f"{n}-grams by {_DESCRIPTIONS[name]}", matched, totals)
            )
    return Explanation(
        metric=metric.name,
        signature=str(metric.signature(1)),
        score=float(metric.segment_score(metric.statistics(comparison))[0]),
        hypothesis_text=comparison.hypotheses[0],
        reference_text=comparison.references[0][0],
        hypothesis=_words(sentences[0], hypothesis, metric),
        reference=_words(sentences[1], reference, metric),
        links=tuple(links),
        leftovers=tuple(leftovers),
        features=tuple(features),
    )


def _why_similar(
    words: TaggedWords, hypothesis: _Side, reference: _Side, same_tag: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """For each pair of words the strongest reason why they are similar, as an index of _KINDS."""
    related = np.zeros(same_tag.shape, dtype=np.uint8)
    for j, sense in enumerate(reference.sense.tolist()):
        first, last = words.synonymy.offsets[sense : sense + 2]
        synonyms = np.append(words.synonymy.synonyms[first:last], sense)
        related[:, j] = np.isin(hypothesis.sense, synonyms)
    lemma = hypothesis.lemma[:, None] == reference.lemma
    return np.where(lemma, 4, same_tag + 2 * related).astype(np.uint8)


def _links(
    layer: str,
    n: int,
    kind: NDArray[np.uint8],
    similarity: FloatArray,
    hypothesis: _Side,
    reference: _Side,
) -> Iterator[tuple[Link, tuple[int, int]]]:
    """The optimal matching of n-grams, and where each link's n-grams start."""
    shape = (hypothesis.ngrams(n), reference.ngrams(n))
    shifted = [kind[k : k + shape[0], k : k + shape[1]] for k in range(n)]
    possible = np.logical_and.reduce([part > 0 for part in shifted])
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


def _feature(
    metric: TeslaM, layer: str, description: str, matched: float, totals: Sequence[FloatArray]
) -> Feature:
    hypothesis, reference = (np.array([total.sum()]) for total in totals)
    value = float(f_measure(np.array([matched]), reference, hypothesis, metric.alpha)[0])
    if np.isnan(value):
        value = EMPTY_BAGS[metric.empty_bags]
    details = {
        "matched": matched,
        "hypothesis": float(hypothesis[0]),
        "reference": float(reference[0]),
    }
    return Feature(layer, description, None if np.isnan(value) else value, details)


def _words(sentence: Sentence, side: _Side, metric: TeslaM) -> tuple[Word, ...]:
    weight = dict(zip(side.token, side.weight.tolist(), strict=True))
    tags = sentence.column(metric.tag_column)
    columns = (sentence.form, sentence.start, sentence.end, sentence.column("lemma"), tags)
    return tuple(
        Word(form, start, end, weight.get(i, 0.0), lemma, tag)
        for i, (form, start, end, lemma, tag) in enumerate(zip(*columns, strict=True))
    )
