"""How many pairs of scores agree, disagree or are tied: the sufficient statistics of every tau.

Counting takes O(n log n) for n scores, in all groups at once (Knight 1966 counted exchanges of a merge
sort; here they are counted bit by bit on ranks, which needs no loop over scores).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.statistics.grouping import Groups


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Numbers of pairs in each group; the five kinds add up to ``pairs``."""

    concordant: Int64Array
    discordant: Int64Array
    metric_ties: Int64Array  # tied by the metric only
    human_ties: Int64Array  # tied by people only
    both_ties: Int64Array
    pairs: Int64Array


def count_pairs(groups: Groups) -> PairCounts:
    """Counts of concordant, discordant and tied pairs within each group."""
    group, count = groups.group, groups.count
    metric = dense_ranks(groups.metric)
    human = dense_ranks(groups.human)
    order = np.lexsort((human, metric, group))
    # Within one rank of the metric people's ranks ascend, so that metric ties are no inversions.
    discordant = _inversions(human[order], group[order], count)
    metric_ties = _ties(groups, metric)
    human_ties = _ties(groups, human)
    both = _ties(groups, metric * (int(human.max(initial=0)) + 1) + human)
    sizes = groups.sizes()
    pairs = sizes * (sizes - 1) // 2
    return PairCounts(
        concordant=pairs - metric_ties - human_ties + both - discordant,
        discordant=discordant,
        metric_ties=metric_ties - both,
        human_ties=human_ties - both,
        both_ties=both,
        pairs=pairs,
    )


def dense_ranks(values: FloatArray) -> Int64Array:
    """The rank of each value, from 0; equal values share one and none is skipped."""
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _ties(groups: Groups, ranks: Int64Array) -> Int64Array:
    """Pairs of equal rank in each group."""
    order = np.lexsort((ranks, groups.group))
    group, rank = groups.group[order], ranks[order]
    new = np.ones(group.size, dtype=bool)
    new[1:] = (group[1:] != group[:-1]) | (rank[1:] != rank[:-1])
    starts = np.flatnonzero(new)
    runs = np.diff(starts, append=group.size)
    ties = np.zeros(groups.count, dtype=np.int64)
    np.add.at(ties, group[starts], runs * (runs - 1) // 2)
    return ties


def _inversions(ranks: Int64Array, group: Int64Array, count: int) -> Int64Array:
    """Pairs i < j of one group with ranks[i] > ranks[j]; ``group`` ascends.

    Two different ranks differ first in one bit, seen from the highest. A block holds together what is
    equal in all higher bits, in the original order, so that an inversion decided by this bit is a 1 before
    a 0 in one block. Each block is then split into its zeros and its ones for the next bit.
    """
    inversions = np.zeros(count)  # of whole numbers, exact up to 2**53
    position = np.arange(ranks.size)
    start = np.searchsorted(group, group)  # where the block of each rank begins, and where it ends
    end = np.searchsorted(group, group, side="right")
    for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
        is_one = (ranks >> bit) & 1 == 1
        ones = np.concatenate(([0], np.cumsum(is_one)))
        ones_before = ones[:-1] - ones[start]
        inversions += np.bincount(group, np.where(is_one, 0, ones_before), minlength=count)
        split = end - (ones[end] - ones[start])  # where the ones of the block will begin
        target = np.where(is_one, split + ones_before, position - ones_before)
        start, end = np.where(is_one, split, start), np.where(is_one, end, split)
        ranks, group, start, end = (_moved(column, target) for column in (ranks, group, start, end))
    return inversions.astype(np.int64)


def _moved(values: Int64Array, target: Int64Array) -> Int64Array:
    moved = np.empty_like(values)
    moved[target] = values
    return moved
