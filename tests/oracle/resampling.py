"""Resampling said slowly: sums of rows drawn one by one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
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


def _added(numbers: Iterable[Any]) -> Any:
    """One after the other: the built-in sum() compensates for rounding from Python 3.12 on."""
    return reduce(add, numbers)
