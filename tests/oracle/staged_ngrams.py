"""MaxSim's three stages by the book: lists of n-grams, matched by going through them, then HiGHS."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from oracle.ngram_bags import Token, ngram_similarity
from oracle.transport import transport_optimum

Ngram = Sequence[Token]


def match_equal(
    hypothesis: list[Ngram], reference: list[Ngram], key: Callable[[Ngram], object]
) -> int:
    """Take out of both lists what is equal, each n-gram with the first that is left for it."""
    matched = 0
    for ngram in list(hypothesis):
        for position, other in enumerate(reference):
            if key(ngram) == key(other):
                hypothesis[:] = [kept for kept in hypothesis if kept is not ngram]
                del reference[position]
                matched += 1
                break
    return matched


def staged(
    reference: Sequence[Token], hypothesis: Sequence[Token], synonyms: Collection[tuple[int, int]]
) -> list[float]:
    """What is matched for n = 1, 2, 3."""
    totals = []
    for n in (1, 2, 3):
        x = [reference[i : i + n] for i in range(len(reference) - n + 1)]
        y = [hypothesis[i : i + n] for i in range(len(hypothesis) - n + 1)]
        certain = match_equal(y, x, lambda gram: [(token.lemma, token.tag) for token in gram])
        certain += match_equal(y, x, lambda gram: [token.lemma for token in gram])
        edges = [
            (i, j, similarity)
            for i, a in enumerate(y)
            for j, b in enumerate(x)
            if (similarity := ngram_similarity(a, b, synonyms))
        ]
        totals.append(certain + transport_optimum(edges, [1.0] * len(y), [1.0] * len(x)))
    return totals
