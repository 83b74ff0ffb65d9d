"""Why NIST gave a score: the n-grams that match, each with the bits that it tells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from metaphrase.analysis.metric_text.sacrebleu_tokens import ENTITIES
from metaphrase.arrays import FloatArray
from metaphrase.metrics.explained_pair import check_length
from metaphrase.metrics.explanation import Explanation, Feature, Leftover, Link, Word
from metaphrase.metrics.located_words import locate_words
from metaphrase.metrics.nist.metric import Nist, References, length_penalty

#: An explanation is for reading, and a word that is everywhere can be linked in quadratically many ways.
_LONGEST_EXPLAINED = 1000
#: What mteval leaves out or reads as one character before it looks for words.
_REPLACED = (("<skipped>", " "), ("-\n", "\n"), *ENTITIES)

_Words = Sequence[str]
#: A place in the hypothesis and one in the reference.
_Pair = tuple[int, int]


def explain(
    metric: Nist, references: References, hypothesis: str, reference: str, *, counted: int
) -> Explanation:
    """Explain a segment by one reference, with what n-grams tell in all ``counted`` references."""
    sides = list(metric.words((hypothesis, reference)))
    check_length(max(map(len, sides)), _LONGEST_EXPLAINED, "word by word")
    told = [
        references.information.told([references.numbers.get(word, -1) for word in words])
        for words in sides
    ]
    pairs = _pairs(sides, metric.orders)
    links: list[Link] = []
    leftovers: list[Leftover] = []
    bits = np.zeros(metric.orders)
    for n, found in enumerate(pairs, 1):
        layer, worth = f"n{n}", [np.nan_to_num(side[:, n - 1]).tolist() for side in told]
        bits[n - 1] = _matched_bits(sides, worth[0], n)
        links += (
            Link(layer, "equal", _span(i, n), _span(j, n), 1.0, worth[0][i]) for i, j in found
        )
        for side, name in enumerate(("hypothesis", "reference")):
            matched = {pair[side] for pair in found}
            leftovers += (
                Leftover(layer, name, _span(place, n), worth[side][place])
                for place in range(len(sides[side]) - n + 1)
                if place not in matched
            )
    lengths = np.array([len(words) for words in sides], dtype=np.float64)
    possible = np.maximum(lengths[:, None] - np.arange(metric.orders), 0.0)
    means = bits / np.maximum(possible[0], 1.0)
    penalty = float(length_penalty(lengths[:1], lengths[1:])[0])
    return Explanation(
        metric=metric.name,
        signature=str(metric.signature(1)),
        score=float(metric.score(np.concatenate([lengths, bits, possible[0]]))),
        hypothesis_text=hypothesis,
        reference_text=reference,
        hypothesis=_placed(metric, hypothesis),
        reference=_placed(metric, reference),
        links=tuple(links),
        leftovers=tuple(leftovers),
        features=(
            *(
                _feature(
                    f"n{n}", f"bits of {n}-grams", means[n - 1], bits[n - 1], possible[:, n - 1]
                )
                for n in range(1, metric.orders + 1)
            ),
            _feature("length", "length penalty", penalty, means.sum(), lengths),
        ),
        parts={f"{n}-grams": float(mean * penalty) for n, mean in enumerate(means, 1)},
        notes=(f"What an n-gram tells was counted in {counted:,} references.",),
    )


def _ngrams(words: _Words, n: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(n)), strict=False)


def _matched_bits(sides: Sequence[_Words], told: Sequence[float], n: int) -> float:
    """The sum over matches, in the order in which the score adds them up."""
    left = Counter(_ngrams(sides[1], n))
    total = 0.0
    for ngram, bits in zip(_ngrams(sides[0], n), told, strict=False):
        if left[ngram] > 0:
            left[ngram] -= 1
            total += bits
    return total


def _pairs(sides: Sequence[_Words], orders: int) -> list[list[_Pair]]:
    """For each order the places of n-grams that match.

    Any of the equal n-grams may be paired. Those pairs are shown that are parts of longer ones, then those
    that keep the words' order.
    """
    found: list[list[_Pair]] = []
    joined: set[_Pair] = set()
    for n in range(orders, 0, -1):
        pairs = sorted(_pairs_of_order(sides, n, joined))
        joined |= {(i + k, j + k) for i, j in pairs for k in range(n)}
        found.append(pairs)
    return found[::-1]


def _pairs_of_order(sides: Sequence[_Words], n: int, joined: Collection[_Pair]) -> Iterator[_Pair]:
    places: defaultdict[tuple[str, ...], tuple[list[int], list[int]]]
    places = defaultdict(lambda: ([], []))
    for side, words in enumerate(sides):
        for at, ngram in enumerate(_ngrams(words, n)):
            places[ngram][side].append(at)

    def preference(pair: _Pair) -> tuple[int, float, _Pair]:
        i, j = pair
        together = sum((i + k, j + k) in joined for k in range(n))
        return -together, abs(i / len(sides[0]) - j / len(sides[1])), pair

    for own, other in places.values():
        left = set(own), set(other)
        for i, j in sorted(((i, j) for i in own for j in other), key=preference):
            if i in left[0] and j in left[1]:
                left[0].remove(i)
                left[1].remove(j)
                yield i, j


def _span(first: int, n: int) -> tuple[int, ...]:
    return tuple(range(first, first + n))


def _feature(name: str, description: str, value: float, bits: float, counts: FloatArray) -> Feature:
    details = {"bits": float(bits), "hypothesis": float(counts[0]), "reference": float(counts[1])}
    return Feature(name, description, float(value), details)


def _placed(metric: Nist, text: str) -> tuple[Word, ...]:
    (tokenised,) = metric.tokenised([text])
    replaced = _REPLACED if metric.reads_entities else ()
    return locate_words(tokenised.split(), text, lowercase=False, replaced=replaced)
