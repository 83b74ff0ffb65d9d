"""Correlation of a metric's scores with people's: Pearson's r, Spearman's ρ, Kendall's τ-b.

On vectors (``pearson``, ``spearman``, ``kendall``) and on matrices of scores (``correlation``). A pair with
a NaN on either side is left out; a coefficient that is undefined (fewer than two pairs left, or one side
constant) is NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray
from metaphrase.statistics.checked_scores import one_of
from metaphrase.statistics.grouping import (
    Aggregate,
    GroupBy,
    Groups,
    Undefined,
    cells,
    group_average,
    one_group,
)
from metaphrase.statistics.pair_counts import count_pairs, dense_ranks

Coefficient = Literal["pearson", "spearman", "kendall"]


def pearson(metric: ArrayLike, human: ArrayLike) -> float:
    """Pearson's r = Σ(m − m̄)(h − h̄) / √(Σ(m − m̄)² · Σ(h − h̄)²): how linear is the relation?"""
    return _only(_pearson, metric, human)


def spearman(metric: ArrayLike, human: ArrayLike) -> float:
    """Spearman's ρ: Pearson's r of the ranks, tied scores sharing the mean of their ranks."""
    return _only(_spearman, metric, human)


def kendall(metric: ArrayLike, human: ArrayLike) -> float:
    """Kendall's τ-b = (C − D) / √((C + D + T_m) · (C + D + T_h)) (Kendall 1945).

    C and D count concordant and discordant pairs, T_m and T_h those tied on one side only. Exact counts
    in O(n log n).
    """
    return _only(_kendall, metric, human)


def correlation(
    metric: ArrayLike,
    human: ArrayLike,
    *,
    coefficient: Coefficient = "pearson",
    group_by: GroupBy = "none",
    undefined: Undefined = "leave-out",
    documents: ArrayLike | None = None,
    aggregate: Aggregate = "mean",
) -> float:
    """A coefficient on matrices of scores (systems, segments), as mt-metrics-eval groups them.

    ``group_by`` pools all cells (``none``) or takes the mean over segments of the correlation across
    systems (``segment``), or over systems of the correlation across segments (``system``). ``undefined``
    says what groups do whose coefficient is undefined although they have two scores: ``leave-out``,
    ``zero`` or ``propagate``. ``documents`` (a label per segment) makes it document level: see
    :func:`~metaphrase.statistics.grouping.cells`.
    """
    one_of(coefficient, get_args(Coefficient), "coefficient")
    groups = cells(metric, human, group_by=group_by, documents=documents, aggregate=aggregate)
    return group_average(_COEFFICIENTS[coefficient](groups), groups, undefined=undefined)


def _only(
    coefficient: Callable[[Groups], FloatArray], metric: ArrayLike, human: ArrayLike
) -> float:
    values = coefficient(one_group(metric, human))
    return float(values[0]) if values.size == 1 else float("nan")


def _pearson(groups: Groups) -> FloatArray:
    metric, human = _centred(groups, groups.metric), _centred(groups, groups.human)
    norms = np.sqrt(groups.sums(metric * metric)) * np.sqrt(groups.sums(human * human))
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = groups.sums(metric * human) / norms
    return np.where(norms > 0, np.clip(ratio, -1.0, 1.0), np.nan)


def _spearman(groups: Groups) -> FloatArray:
    metric, human = _mean_ranks(groups, groups.metric), _mean_ranks(groups, groups.human)
    return _pearson(replace(groups, metric=metric, human=human))


def _kendall(groups: Groups) -> FloatArray:
    counts = count_pairs(groups)
    strict = counts.concordant + counts.discordant
    norms = np.sqrt(strict + counts.metric_ties) * np.sqrt(strict + counts.human_ties)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = (counts.concordant - counts.discordant) / norms
    return np.where(norms > 0, np.clip(ratio, -1.0, 1.0), np.nan)


_COEFFICIENTS: dict[str, Callable[[Groups], FloatArray]] = {
    "pearson": _pearson,
    "spearman": _spearman,
    "kendall": _kendall,
}


def _centred(groups: Groups, values: FloatArray) -> FloatArray:
    """Deviations from the group's mean, in units of its spread; exactly 0 where a group is constant.

    The unit keeps squares of huge and of tiny scores inside double precision, and the second subtraction
    removes what rounding left of the mean.
    """
    if groups.count == 0:
        return values
    sizes = groups.sizes()
    starts = np.cumsum(sizes) - sizes
    lowest = np.minimum.reduceat(values, starts)
    spread = np.maximum.reduceat(values, starts) - lowest
    unit = np.where(spread > 0, spread, 1.0)
    deviations: FloatArray = (values - np.repeat(lowest, sizes)) / np.repeat(unit, sizes)
    for _ in range(2):
        deviations = deviations - np.repeat(groups.sums(deviations) / sizes, sizes)
    return deviations


def _mean_ranks(groups: Groups, values: FloatArray) -> FloatArray:
    """Ranks within each group; tied values share the mean of the ranks they cover."""
    dense = dense_ranks(values)
    order = np.lexsort((dense, groups.group))
    group, rank = groups.group[order], dense[order]
    new = np.ones(group.size, dtype=bool)
    new[1:] = (group[1:] != group[:-1]) | (rank[1:] != rank[:-1])
    starts = np.flatnonzero(new)
    runs = np.diff(starts, append=group.size)
    ranks = np.empty(group.size)
    # Positions count through all groups: a constant per group, which no correlation sees.
    ranks[order] = np.repeat(starts + (runs - 1) / 2, runs)
    return ranks
