"""TESLA's bags of n-grams by the book: a node per occurrence, an edge per similar pair, HiGHS."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from metaphrase.matching import Synonymy
from oracle.transport import transport_optimum


def symmetric(pairs: Iterable[tuple[int, int]], *, senses: int) -> Synonymy:
    """The relation that holds between the two senses of each pair, whichever comes first."""
    both = sorted({(a, b) for pair in pairs for a, b in (pair, pair[::-1]) if a != b})
    edges = np.array(both, dtype=np.int64).reshape(-1, 2)
    offsets = np.searchsorted(edges[:, 0], np.arange(senses + 1))
    return Synonymy(offsets, edges[:, 1].astype(np.int32))


class Token(NamedTuple):
    lemma: int
    sense: int
    tag: int


def token_similarity(x: Token, y: Token, synonyms: Collection[tuple[int, int]]) -> float:
    if x.lemma == y.lemma:
        return 1.0
    related = x.sense == y.sense or (x.sense, y.sense) in synonyms or (y.sense, x.sense) in synonyms
    return (related + (x.tag == y.tag)) / 2


def ngram_similarity(
    x: Sequence[Token], y: Sequence[Token], synonyms: Collection[tuple[int, int]]
) -> float:
    similarities = [token_similarity(a, b, synonyms) for a, b in zip(x, y, strict=True)]
    return sum(similarities) / len(similarities) if all(similarities) else 0.0


def same_tags(x: Sequence[Token], y: Sequence[Token]) -> float:
    return float([token.tag for token in x] == [token.tag for token in y])


def bags(
    reference: Sequence[Token],
    hypothesis: Sequence[Token],
    synonyms: Collection[tuple[int, int]],
    function: Collection[int],
    divisor: int,
) -> list[list[float]]:
    """For n = 1, 2, 3: optima of s_ms and s_pos, weights of the reference and the hypothesis."""
    table = []
    for n in (1, 2, 3):
        x = [reference[i : i + n] for i in range(len(reference) - n + 1)]
        y = [hypothesis[i : i + n] for i in range(len(hypothesis) - n + 1)]
        x_weight, y_weight = (
            [float(divisor) ** -sum(token.tag in function for token in gram) for gram in bag]
            for bag in (x, y)
        )
        optima = []
        for similarity in (lambda a, b: ngram_similarity(a, b, synonyms), same_tags):
            edges = [
                (i, j, s)
                for i, a in enumerate(x)
                for j, b in enumerate(y)
                if (s := similarity(a, b))
            ]
            optima.append(transport_optimum(edges, x_weight, y_weight))
        table.append([*optima, sum(x_weight), sum(y_weight)])
    return table
