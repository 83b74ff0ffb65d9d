"""The best split of a compound, by trying all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise


def readings(part: str, last: bool, linking: Sequence[str], shortest: int) -> Iterator[str]:
    """What words a part may be: itself, or itself without a linking element."""
    yield part
    for link in linking:
        if not last and part.endswith(link) and len(part) - len(link) >= shortest:
            yield part[: -len(link)]


def mean_log_frequency(
    parts: Sequence[str], counts: Mapping[str, int], linking: Sequence[str], shortest: int
) -> float:
    """The logarithm of the geometric mean; minus infinity if a part is no word."""
    total = 0.0
    for number, part in enumerate(parts, 1):
        words = readings(part, number == len(parts), linking, shortest)
        best = max((counts.get(word, 0) for word in words), default=0)
        if len(part) < shortest or best == 0:
            return -math.inf
        total += math.log(best)
    return total / len(parts)


def all_splits(word: str) -> Iterator[list[str]]:
    for cuts in range(len(word)):
        for places in combinations(range(1, len(word)), cuts):
            edges = [0, *places, len(word)]
            yield [word[a:b] for a, b in pairwise(edges)]


def best_mean(word: str, counts: Mapping[str, int], linking: Sequence[str], shortest: int) -> float:
    """The largest value of any split."""
    return max(mean_log_frequency(parts, counts, linking, shortest) for parts in all_splits(word))
