"""A bootstrap of what is not independent: clusters are drawn, each with all that belongs to it."""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import FloatArray

#: Draws held in memory at a time.
_DRAWS = 1 << 22


def cluster_sums(table: FloatArray, *, resamples: int, seed: int) -> FloatArray:
    """Sums over the clusters that are drawn, (resamples, columns), of a ``table`` (clusters, columns).

    A resample has as many clusters as there are, drawn with replacement; all columns see the same ones.
    """
    size = len(table)
    generator = np.random.default_rng(seed)
    rows = max(1, _DRAWS // size)
    pieces = []
    for first in range(0, resamples, rows):
        count = min(rows, resamples - first)
        pieces.append(generator.multinomial(size, np.full(size, 1 / size), count) @ table)
    return np.concatenate(pieces)
