"""NIST by the book: every count is a scan of the text, every formula as Doddington (2002) writes it."""

from __future__ import annotations

import math
from collections.abc import Sequence

Words = Sequence[str]


def occurrences(ngram: Words, text: Words) -> int:
    n = len(ngram)
    return sum(list(text[i : i + n]) == list(ngram) for i in range(len(text) - n + 1))


def information(ngram: Words, references: Sequence[Words]) -> float:
    """``references`` are all references of all segments, one after the other."""
    context = ngram[:-1]
    count = sum(occurrences(context, text) if context else len(text) for text in references)
    return math.log2(count / sum(occurrences(ngram, text) for text in references))


def nist(
    hypotheses: Sequence[Words],
    references: Sequence[Sequence[Words]],
    corpus: Sequence[Words],
    orders: int,
) -> float:
    """The score of some segments; ``references[i]`` are those of segment i, ``corpus`` all there are."""
    score = 0.0
    for n in range(1, orders + 1):
        bits, total = 0.0, 0
        for hypothesis, own in zip(hypotheses, references, strict=True):
            ngrams = [tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1)]
            total += len(ngrams)
            for ngram in sorted(set(ngrams)):
                matched = min(ngrams.count(ngram), max(occurrences(ngram, text) for text in own))
                if matched:
                    bits += matched * information(ngram, corpus)
        score += bits / max(total, 1)
    length = sum(map(len, hypotheses))
    mean_reference = sum(sum(map(len, own)) / len(own) for own in references)
    if length >= mean_reference:
        return score
    if length == 0:
        return 0.0
    beta = math.log(0.5) / math.log(1.5) ** 2
    return score * math.exp(beta * math.log(length / mean_reference) ** 2)
