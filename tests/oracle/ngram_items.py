"""n-grams in common, with a dictionary of counts for each text and order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

Text = Sequence[Hashable]
Ngram = tuple[Hashable, ...]


def counts(text: Text, order: int) -> Counter[Ngram]:
    return Counter(zip(*(text[start:] for start in range(order)), strict=False))


def matches(candidate: Text, reference: Text, orders: int) -> list[int]:
    """By order, the n-grams in common, each as often as the text has it that has it less often."""
    return [(counts(candidate, n) & counts(reference, n)).total() for n in range(1, orders + 1)]


def expected(
    candidate: Text,
    references: Sequence[Text],
    weights: Sequence[float],
    orders: int,
    values: Mapping[Ngram, float] | None = None,
) -> list[float]:
    """By order, the sum over references of weight · Σ of the values of n-grams in common."""
    sums = []
    for n in range(1, orders + 1):
        total = 0.0
        for reference, weight in zip(references, weights, strict=True):
            for ngram, times in (counts(candidate, n) & counts(reference, n)).items():
                total += weight * times * (1.0 if values is None else values[ngram])
        sums.append(total)
    return sums
