"""Isotonic regression: the rising values nearest to what was observed, and nothing else assumed.

Robertson, Wright and Dykstra, *Order Restricted Statistical Inference*, 1988, chapter 1. Neighbours that fall
are pooled into their mean until none is left (pool adjacent violators), which gives the least weighted sum of
squares among all sequences that never fall.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray


def isotonic_means(values: ArrayLike, weights: ArrayLike | None = None) -> FloatArray:
    """The sequence that never falls and is nearest to ``values``, in their order.

    >>> isotonic_means([1.0, 3.0, 2.0, 4.0])
    array([1. , 2.5, 2.5, 4. ])
    """
    observed = np.asarray(values, dtype=np.float64)
    counts = np.ones(len(observed)) if weights is None else np.asarray(weights, dtype=np.float64)
    if observed.ndim != 1 or counts.shape != observed.shape:
        raise ValueError(f"values of shape {observed.shape}, weights of shape {counts.shape}")
    if not (np.isfinite(observed).all() and np.isfinite(counts).all() and (counts > 0).all()):
        raise ValueError("values and weights must be finite, and weights above 0")
    # Each block: its mean, its weight, how many values it has.
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(observed.tolist(), counts.tolist(), strict=True):
        mean, total, size = value, weight, 1
        while blocks and blocks[-1][0] >= mean:
            before, other, more = blocks.pop()
            mean = (before * other + mean * total) / (other + total)
            total, size = total + other, size + more
        blocks.append((mean, total, size))
    means = np.array([mean for mean, _, _ in blocks])
    return np.repeat(means, [size for _, _, size in blocks])
