"""NIST's statistics with dictionaries of n-grams, as quick as plain Python is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Words = Sequence[str]
Ngram = tuple[str, ...]


@dataclass(frozen=True)
class CountedReferences:
    """What an n-gram tells, and for each segment the mean length and the highest count of n-grams."""

    information: dict[Ngram, float]
    segments: list[tuple[float, Counter[Ngram]]]


def ngrams(words: Words, orders: int) -> Iterator[Ngram]:
    for n in range(1, orders + 1):
        yield from zip(*(words[start:] for start in range(n)), strict=False)


def count_references(references: Sequence[Sequence[Words]], orders: int) -> CountedReferences:
    """``references[i]`` are those of segment i."""
    counts: Counter[Ngram] = Counter()
    segments = []
    for lines in references:
        most: Counter[Ngram] = Counter()
        for words in lines:
            bag = Counter(ngrams(words, orders))
            counts[()] += len(words)
            counts.update(bag)
            most |= bag
        segments.append((sum(map(len, lines)) / len(lines), most))
    information = {
        ngram: math.log2(counts[ngram[:-1]] / count) for ngram, count in counts.items() if ngram
    }
    return CountedReferences(information, segments)


def nist_statistics(
    hypotheses: Sequence[Words], references: CountedReferences, orders: int
) -> list[list[float]]:
    """Rows of hypothesis length, mean reference length, matched bits by n, n-grams by n."""
    rows = []
    for words, (length, most) in zip(hypotheses, references.segments, strict=True):
        bits = [0.0] * orders
        for ngram, count in Counter(ngrams(words, orders)).items():
            if ngram in most:
                bits[len(ngram) - 1] += min(count, most[ngram]) * references.information[ngram]
        possible = [max(len(words) - n, 0) for n in range(orders)]
        rows.append([len(words), length, *bits, *possible])
    return rows
