"""Pairwise accuracy that gives credit for ties, and the threshold below which a metric ties.

Deutsch, Foster and Freitag, *Ties Matter* (EMNLP 2023):

    acc_eq = (C + T_hm) / (C + D + T_h + T_m + T_hm),

the share of pairs that the metric orders, or ties, as people do. Real-valued metrics hardly ever tie
where people often do; tie calibration calls a difference of at most ε a tie and chooses the ε that is best
on the same data. With groups, the mean over groups is what is maximised.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase.meta.checked_scores import Floats, Integers, non_negative
from metaphrase.meta.grouping import GroupBy, Groups, cells, pairs_within
from metaphrase.meta.pair_counts import count_pairs


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
    differences finds the maximum. Memory grows with the pairs that people tie, time with all pairs.
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
    weight = _weights(groups)
    # Candidates: no new ties, or a difference at which a tie of people is found.
    differences, owners = _human_ties(groups)
    candidates, position = np.unique(np.append(differences, 0.0), return_inverse=True)
    found = position.reshape(-1)[:-1]
    change = np.bincount(found, weights=weight[owners], minlength=candidates.size)
    for left, right in pairs_within(groups.group):
        _, concordant, difference = _compare(groups, left, right)
        # A concordant pair is lost from the first candidate on that is not below its difference.
        lost = np.searchsorted(candidates, difference[concordant])
        losses = weight[groups.group[left[concordant]]]
        reached = lost < candidates.size
        np.subtract.at(change, lost[reached], losses[reached])
    return float(candidates[np.argmax(np.cumsum(change))])


def _weights(groups: Groups) -> Floats:
    """What one pair of each group weighs in the mean over groups: 1/pairs, times their common multiple.

    Sums of such whole numbers are exact, and so is the choice between thresholds. Only where groups have so
    many different sizes that doubles could not hold the sums, the weights are the fractions themselves.
    """
    sizes = groups.sizes()
    pairs = np.maximum(sizes * (sizes - 1) // 2, 1)
    common = lcm(*(int(number) for number in np.unique(pairs)))
    scale = common if common * groups.count < 2**53 else 1
    weights: Floats = scale / pairs
    return weights


def _human_ties(groups: Groups) -> tuple[Floats, Integers]:
    """The metric's differences in pairs that people tie and the metric does not, and their groups."""
    order = np.lexsort((groups.human, groups.group))
    group, human, metric = groups.group[order], groups.human[order], groups.metric[order]
    # Runs of one human score: within them, every pair is a tie of people.
    new = np.ones(group.size, dtype=bool)
    new[1:] = (group[1:] != group[:-1]) | (human[1:] != human[:-1])
    differences, owners = [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
    for left, right in pairs_within(np.cumsum(new) - 1):
        difference = np.abs(metric[left] - metric[right])
        apart = difference > 0
        differences.append(difference[apart])
        owners.append(group[left[apart]])
    return np.concatenate(differences), np.concatenate(owners)


def _compare(
    groups: Groups, left: Integers, right: Integers
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """Of each pair: do people tie, does the metric share their order, how far is it apart?"""
    metric = groups.metric[left] - groups.metric[right]
    human = np.sign(groups.human[left] - groups.human[right])
    return human == 0, (human != 0) & (np.sign(metric) == human), np.abs(metric)
