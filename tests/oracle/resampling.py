"""Resampling said slowly: sums of rows drawn one by one, and exchanges made one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def bootstrap_sums(statistics: FloatArray, resamples: int, seed: int) -> FloatArray:
    """All draws at once, as sacreBLEU makes them."""
    size = len(statistics)
    draws = np.random.default_rng(seed).choice(size, size=(resamples, size), replace=True)
    return np.array([[_added(column[row].tolist()) for column in statistics.T] for row in draws])


def exchanged_sums(
    first: FloatArray, second: FloatArray, resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    generator = np.random.default_rng(seed)
    stay = generator.integers(2, size=(resamples, len(first)), dtype=bool)
    one, two = [], []
    for choice in stay:
        one.append(_added(np.where(choice[:, None], first, second)))
        two.append(_added(np.where(choice[:, None], second, first)))
    return np.array(one), np.array(two)


def exchanges(
    first: Sequence[Sequence[int]],
    second: Sequence[Sequence[int]],
    score: Callable[[list[Fraction]], Fraction],
) -> list[Fraction]:
    """The absolute difference of two scores for every way to exchange segments; first, none is."""
    differences = []
    for exchanged in product([False, True], repeat=len(first)):
        pairs = zip(first, second, exchanged, strict=True)
        kept = [(two, one) if swap else (one, two) for one, two, swap in pairs]
        sums = (
            [Fraction(sum(column)) for column in zip(*rows, strict=True)]
            for rows in zip(*kept, strict=True)
        )
        one, two = map(score, sums)
        differences.append(abs(one - two))
    return differences


def _added(numbers: Iterable[Any]) -> Any:
    """One after the other: the built-in sum() compensates for rounding from Python 3.12 on."""
    return reduce(add, numbers)
