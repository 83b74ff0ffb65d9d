"""Isotonic regression by its minimax formula (Robertson, Wright and Dykstra 1988, theorem 1.4.4)."""

from __future__ import annotations

from collections.abc import Sequence


def isotonic_means(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Value i is the greatest, over starts up to i, of the least mean over ends from i."""
    count = len(values)

    def mean(start: int, end: int) -> float:
        pairs = list(zip(values[start : end + 1], weights[start : end + 1], strict=True))
        return sum(v * w for v, w in pairs) / sum(w for _, w in pairs)

    return [
        max(min(mean(start, end) for end in range(i, count)) for start in range(i + 1))
        for i in range(count)
    ]
