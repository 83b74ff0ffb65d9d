"""How far two metrics would differ on systems if chance had dealt them their scores.

The test is PERM-BOTH, as in :mod:`metaphrase.statistics.permutation`, for the two measures of systems that
the metrics tasks of WMT 2023 and 2024 use: pairwise accuracy over several language pairs at once, and soft
pairwise accuracy. Scores are standardised over all cells before they are exchanged, which mt-metrics-eval
does even across language pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.statistics.judged_cells import standardised
from metaphrase.statistics.null_distributions import NullDistribution
from metaphrase.statistics.system_level import exchanges, paired_permutation_p_values

#: Resamples at a time: their partial sums are 1,000 permutations × resamples × systems.
_BATCH = 32
#: Sums that differ by no more than this are equal but for rounding; scores have the deviation 1.
_ROUNDING = 1e-9


def null_of_system_accuracy(
    metric: FloatArray,
    rival: FloatArray,
    human: FloatArray,
    language_pairs: Int64Array,
    generator: np.random.Generator,
) -> NullDistribution:
    """Pairwise accuracy of system scores, all of them there; pairs are within language pairs, and pooled."""
    first, second = np.triu_indices(len(human), 1)
    within = language_pairs[first] == language_pairs[second]
    first, second = first[within], second[within]
    wanted = np.sign(human[first] - human[second])
    scores, others = standardised(metric), standardised(rival)

    def right(values: FloatArray) -> Int64Array:
        order = np.sign(values[..., first] - values[..., second])
        return np.asarray(np.count_nonzero(order == wanted, axis=-1))

    def draw(resamples: int) -> Int64Array:
        own = generator.integers(0, 2, size=(resamples, len(human)), dtype=np.int8).astype(bool)
        return right(np.where(own, scores, others)) - right(np.where(own, others, scores))

    pairs = len(first)
    ours, theirs = int(right(scores)), int(right(others))
    if pairs == 0:
        return NullDistribution(np.nan, np.nan, np.nan, draw, 1)
    return NullDistribution(
        ours / pairs, theirs / pairs, ours - theirs, draw, max(pairs // 64, 1), float(pairs)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Certainty:
    """How sure people are of the better of two systems, and by which exchanges; it serves all metrics."""

    p_values: FloatArray
    #: 1 where a permutation exchanges a segment's two scores, (permutations, segments).
    exchanged: FloatArray

    @classmethod
    def of(cls, human: FloatArray, *, permutations: int = 1000, seed: int = 4) -> Certainty:
        """Of a matrix (systems, segments) without gaps, as ``soft_pairwise_accuracy_of_scores`` has it."""
        p_values = paired_permutation_p_values(human, permutations=permutations, seed=seed)
        return cls(p_values, exchanges(permutations, human.shape[1], seed))


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
