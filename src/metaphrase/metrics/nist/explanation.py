"""Why NIST gave a score: the n-grams that match, each with the bits that it tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from metaphrase.analysis.metric_text.sacrebleu_tokens import replaced_by
from metaphrase.arrays import FloatArray
from metaphrase.metrics.explained_pair import check_length
from metaphrase.metrics.explanation import Explanation, Feature, Leftover, Link, Word
from metaphrase.metrics.located_words import locate_words
from metaphrase.metrics.nist.metric import Nist, References, length_penalty
from metaphrase.metrics.paired_ngrams import (
    LONGEST_EXPLAINED,
    Tokens,
    linked_ngrams,
    ngrams,
    pair_ngrams,
)


def explain(
    metric: Nist, references: References, hypothesis: str, reference: str, *, counted: int
) -> Explanation:
    """Explain a segment by one reference, with what n-grams tell in all ``counted`` references."""
    sides = list(metric.words((hypothesis, reference)))
    check_length(max(map(len, sides)), LONGEST_EXPLAINED, "word by word")
    told = [
        references.information.told([references.numbers.get(word, -1) for word in words])
        for words in sides
    ]
    links: list[Link] = []
    leftovers: list[Leftover] = []
    bits = np.zeros(metric.orders)
    for n, found in enumerate(pair_ngrams(sides, metric.orders), 1):
        worth = [np.nan_to_num(side[: max(len(side) - n + 1, 0), n - 1]).tolist() for side in told]
        bits[n - 1] = _matched_bits(sides, worth[0], n)
        matched, missed = linked_ngrams(found, n, worth)
        links += matched
        leftovers += missed
    lengths = np.array([len(words) for words in sides], dtype=np.float64)
    possible = np.maximum(lengths[:, None] - np.arange(metric.orders), 0.0)
    means = bits / np.maximum(possible[0], 1.0)
    penalty = float(length_penalty(lengths[:1], lengths[1:])[0])
    return Explanation(
        metric=metric.variant_name,
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
                replace(
                    _feature(
                        f"n{n}", f"bits of {n}-grams", means[n - 1], bits[n - 1], possible[:, n - 1]
                    ),
                    contribution=float(means[n - 1] * penalty),
                )
                for n in range(1, metric.orders + 1)
            ),
            _feature("length", "length penalty", penalty, means.sum(), lengths),
        ),
        notes=(f"What an n-gram tells was counted in {counted:,} references.",),
    )


def _matched_bits(sides: Sequence[Tokens], told: Sequence[float], n: int) -> float:
    """The sum over matches, in the order in which the score adds them up."""
    left = Counter(ngrams(sides[1], n))
    total = 0.0
    for ngram, bits in zip(ngrams(sides[0], n), told, strict=False):
        if left[ngram] > 0:
            left[ngram] -= 1
            total += bits
    return total


def _feature(name: str, description: str, value: float, bits: float, counts: FloatArray) -> Feature:
    details = {"bits": float(bits), "hypothesis": float(counts[0]), "reference": float(counts[1])}
    return Feature(name, description, float(value), details)


def _placed(metric: Nist, text: str) -> tuple[Word, ...]:
    (tokenised,) = metric.tokenised([text])
    replaced = replaced_by(metric.tokeniser)
    return locate_words(tokenised.split(), text, lowercase=False, replaced=replaced)
