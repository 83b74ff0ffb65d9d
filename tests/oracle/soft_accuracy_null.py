"""Soft pairwise accuracy of two metrics with exchanged scores: every hybrid is made and tested by itself."""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.statistics.judged_cells import standardised
from metaphrase.statistics.null_distributions import NullDistribution
from metaphrase.statistics.soft_accuracy_tests import Certainty

#: Bits are drawn for so many resamples at a time, which decides what bits they are.
_BATCH = 32
_ROUNDING = 1e-9


def null_of_soft_accuracy(
    metric: FloatArray, rival: FloatArray, human: Certainty, generator: np.random.Generator
) -> NullDistribution:
    """Soft pairwise accuracy of matrices (systems, segments) without gaps.

    Every hybrid is tested with the same permutations. The two hybrids of a resample add up to the sum of both
    metrics, so that one product of matrices serves both.
    """
    systems, segments = metric.shape
    changed, sure = human.exchanged, human.p_values
    permutations = len(changed)
    scores, others = (
        standardised(matrix.ravel()).reshape(systems, segments) for matrix in (metric, rival)
    )
    both = changed @ (scores + others).T

    def soft(sums: FloatArray) -> FloatArray:
        """Of sums over exchanged segments, (permutations, hybrids, systems)."""
        distance = np.zeros(sums.shape[1])
        for system in range(systems - 1):
            as_good = sums[:, :, system, None] - sums[:, :, system + 1 :] <= _ROUNDING
            share = np.count_nonzero(as_good, axis=0) / permutations
            distance += np.abs(share - sure[system, system + 1 :]).sum(axis=1)
        return np.asarray(1.0 - distance / (systems * (systems - 1) / 2))

    def hybrids(own: FloatArray) -> FloatArray:
        """Both agreements for each choice of ``own`` cells, (hybrids, systems, segments)."""
        count = len(own)
        mixed = others + own * (scores - others)
        sums = changed @ mixed.reshape(count * systems, segments).T
        sums = sums.reshape(permutations, count, systems)
        return np.stack([soft(sums), soft(both[:, None, :] - sums)], axis=1)

    def draw(resamples: int) -> FloatArray:
        differences = np.empty(resamples)
        for start in range(0, resamples, _BATCH):
            size = (min(_BATCH, resamples - start), systems, segments)
            own = generator.integers(0, 2, size=size, dtype=np.int8).astype(np.float64)
            found = hybrids(own)
            differences[start : start + _BATCH] = found[:, 0] - found[:, 1]
        return differences

    if systems < 2 or segments == 0:
        return NullDistribution(np.nan, np.nan, np.nan, draw, 1)
    ours, theirs = hybrids(np.ones((1, systems, segments)))[0].tolist()
    words = max(systems * segments // 64, 1)
    return NullDistribution(ours, theirs, ours - theirs - _ROUNDING, draw, words)
