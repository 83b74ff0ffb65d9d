"""Resampling said slowly: sums of rows drawn one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def bootstrap_sums(statistics: FloatArray, resamples: int, seed: int) -> FloatArray:
    """All draws at once, as sacreBLEU makes them."""
    size = len(statistics)
    draws = np.random.default_rng(seed).choice(size, size=(resamples, size), replace=True)
    return np.array([[sum(column[row].tolist()) for column in statistics.T] for row in draws])


def exchanged_sums(
    first: FloatArray, second: FloatArray, resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    generator = np.random.default_rng(seed)
    stay = generator.integers(2, size=(resamples, len(first)), dtype=bool)
    one, two = [], []
    for choice in stay:
        one.append(sum(np.where(choice[:, None], first, second)))
        two.append(sum(np.where(choice[:, None], second, first)))
    return np.array(one), np.array(two)
