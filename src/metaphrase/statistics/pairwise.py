"""Pairwise accuracy that gives credit for ties, and the threshold below which a metric ties.

Deutsch, Foster and Freitag, *Ties Matter* (EMNLP 2023):

    acc_eq = (C + T_hm) / (C + D + T_h + T_m + T_hm),

the share of pairs that the metric orders, or ties, as people do. Real-valued metrics hardly ever tie
where people often do; tie calibration calls a difference of at most ε a tie and chooses the ε that is best
on the same data. With groups, the mean over groups is what is maximised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.statistics.checked_scores import non_negative
from metaphrase.statistics.grouping import GroupBy, Groups, cells, pairs_within
from metaphrase.statistics.pair_counts import count_pairs

_BINS = 1 << 16
_BLOCK = 1 << 20  # pairs at a time


@dataclass(frozen=True, slots=True)
class CalibratedAccuracy:
    """The best accuracy and the smallest ε that reaches it; both NaN where there is no pair."""

    accuracy: float
    epsilon: float


def pairwise_accuracy(
    metric: ArrayLike, human: ArrayLike, *, group_by: GroupBy = "none", epsilon: float = 0.0
) -> float:
    """acc_eq of two matrices (systems, segments), the metric's differences up to ``epsilon`` being ties.

    O(n log n) in the number of cells for ε = 0, and a pass over all pairs otherwise.
    """
    non_negative(epsilon, "epsilon")
    return _accuracy(cells(metric, human, group_by=group_by), epsilon)


def tie_calibration(
    metric: ArrayLike, human: ArrayLike, *, group_by: GroupBy = "none"
) -> CalibratedAccuracy:
    """acc_eq with the best ε, as mt-metrics-eval's ``KendallWithTiesOpt`` with sample_rate = 1.

    Every ε is tried, none is sampled: accuracy can only rise where ε reaches the difference of a pair that
    people tie, and falls where it reaches that of a concordant pair, so that one sweep over these
    differences finds the maximum. Time grows with the number of pairs, memory hardly.
    """
    groups = cells(metric, human, group_by=group_by)
    if not (groups.sizes() > 1).any():
        return CalibratedAccuracy(float("nan"), float("nan"))
    epsilon = _best_epsilon(groups)
    return CalibratedAccuracy(_accuracy(groups, epsilon), epsilon)


def _accuracy(groups: Groups, epsilon: float) -> float:
    counts = count_pairs(groups)
    right = counts.concordant + counts.both_ties
    if epsilon > 0:
        for left, other in pairs_within(groups.group):
            tied, concordant, difference = _compare(groups, left, other)
            near = (difference > 0) & (difference <= epsilon)
            gain = (near & tied).astype(np.int64) - (near & concordant)
            right = right + np.bincount(
                groups.group[left], weights=gain, minlength=groups.count
            ).astype(np.int64)
    compared = counts.pairs > 0
    if not compared.any():
        return float("nan")
    return float((right[compared] / counts.pairs[compared]).mean())


def _best_epsilon(groups: Groups) -> float:
    """The smallest ε of the highest accuracy.

    First the changes that growing ε makes are added up in bins of differences. A bin matters only if the
    accuracy before it, together with all ties found in it, could be the highest; the changes of those few
    bins are then sorted and followed one by one.
    """
    weight = _weights(groups)
    largest = float(np.ptp(groups.metric))
    found, lost = np.zeros(_BINS), np.zeros(_BINS)
    for difference, change in _changes(groups, weight):
        place = _bin(difference, largest)
        found += np.bincount(place, np.maximum(change, 0), minlength=_BINS)
        lost -= np.bincount(place, np.minimum(change, 0), minlength=_BINS)
    after = np.cumsum(found - lost)
    before = after - (found - lost)
    rounding = 1e-9 * (found.sum() + lost.sum())
    promising = before + found >= max(0.0, after.max()) - rounding
    promising &= found > 0
    kept = [(np.zeros(1), np.zeros(1))]  # ε = 0 changes nothing
    for difference, change in _changes(groups, weight):
        keep = promising[_bin(difference, largest)]
        kept.append(_summed(difference[keep], change[keep]))
    differences, changes = (np.concatenate(column) for column in zip(*kept, strict=True))
    return _follow(differences, changes, _bin(differences, largest), before)


def _follow(
    differences: FloatArray, changes: FloatArray, place: Int64Array, before: FloatArray
) -> float:
    """The smallest difference at the highest point; ``before`` is the height where each bin begins."""
    order = np.argsort(differences, kind="stable")
    differences, changes, place = differences[order], changes[order], place[order]
    # What earlier bins add up to is in ``before``: the sum starts afresh in each bin.
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    sums = np.cumsum(changes)
    earlier = np.repeat((sums - changes)[starts], np.diff(starts, append=order.size))
    height = before[place] + sums - earlier
    # A threshold ties all pairs of one difference together.
    last = np.append(differences[1:] != differences[:-1], True)
    return float(differences[last][np.argmax(height[last])])


def _changes(groups: Groups, weight: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Blocks of differences of the metric, and what it changes when ε reaches them.

    A pair that people tie is found, one in the same order is lost; nothing else matters.
    """
    block: list[tuple[FloatArray, FloatArray]] = []
    size = 0
    for left, right in pairs_within(groups.group):
        tied, concordant, difference = _compare(groups, left, right)
        matters = (tied | concordant) & (difference > 0)
        sign = np.where(tied[matters], 1.0, -1.0)
        block.append((difference[matters], sign * weight[groups.group[left[matters]]]))
        size += left.size
        if size >= _BLOCK:
            yield _joined(block)
            block, size = [], 0
    if block:
        yield _joined(block)


def _joined(block: list[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    differences, changes = zip(*block, strict=True)
    return np.concatenate(differences), np.concatenate(changes)


def _summed(differences: FloatArray, changes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each difference once: a metric with few different scores has few differences in many pairs."""
    distinct, position = np.unique(differences, return_inverse=True)
    sums = np.zeros(distinct.size)
    np.add.at(sums, position.reshape(-1), changes)
    return distinct, sums


def _bin(differences: FloatArray, largest: float) -> Int64Array:
    """The bin of each difference; a larger difference never has a lower one."""
    if largest == 0:
        return np.zeros(differences.size, dtype=np.int64)
    return np.minimum(differences / largest * _BINS, _BINS - 1).astype(np.int64)


def _weights(groups: Groups) -> FloatArray:
    """What one pair of each group weighs in the mean over groups: 1/pairs, times their common multiple.

    Sums of such whole numbers are exact, and so is the choice between thresholds. Only where groups have so
    many different sizes that doubles could not hold the sums, the weights are the fractions themselves.
    """
    sizes = groups.sizes()
    pairs = np.maximum(sizes * (sizes - 1) // 2, 1)
    common = lcm(*(int(number) for number in np.unique(pairs)))
    scale = common if common * groups.count < 2**53 else 1
    weights: FloatArray = scale / pairs
    return weights


def _compare(
    groups: Groups, left: Int64Array, right: Int64Array
) -> tuple[BoolArray, BoolArray, FloatArray]:
    """Of each pair: do people tie, does the metric share their order, how far is it apart?"""
    metric = groups.metric[left] - groups.metric[right]
    human = np.sign(groups.human[left] - groups.human[right])
    return human == 0, (human != 0) & (np.sign(metric) == human), np.abs(metric)
