"""Wilcoxon's signed-rank test, exact: are the first of two paired scores higher?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.statistics.checked_scores import vector_pair
from metaphrase.statistics.pair_counts import dense_ranks


def signed_rank_test(higher: ArrayLike, lower: ArrayLike) -> float:
    """The one-sided p-value of "``higher`` is higher than ``lower``" (Wilcoxon 1945).

    Differences are ranked by their size, equal ones sharing the mean of their ranks; p is the share of all
    ways to sign the ranks whose sum of positive ones is at least the observed. Pairs without a difference say
    nothing and are left out (Wilcoxon's own rule), as are those with a NaN; p is 1 if none is left.

    >>> signed_rank_test([80, 70, 90, 60, 75], [20, 30, 10, 50, 40])
    0.03125
    """
    first, second = vector_pair(higher, lower)
    differences = first - second
    differences = differences[~np.isnan(differences) & (differences != 0)]
    if differences.size == 0:
        return 1.0
    # Twice the mean rank is a whole number.
    size = dense_ranks(np.abs(differences))
    _, places, counts = np.unique(size, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    doubled = (2 * last - counts + 1)[places]
    observed = int(doubled[differences > 0].sum())
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        # Each rank is positive or not, with probability ½; shares of ways stay below 1.
        taken = np.zeros_like(ways)
        taken[rank:] = ways[: len(ways) - rank]
        ways = (ways + taken) / 2
    return float(min(ways[observed:].sum(), 1.0))
