"""Metrics (or systems) ranked into clusters within which they do not differ significantly.

The rule of the WMT metrics tasks (mt-metrics-eval): go down the list from the best; whoever is significantly
worse than somebody in the current cluster opens the next one. It is greedy: members of one cluster do not
differ, while members of neighbouring clusters may not differ either (say the last of one and the first of the
next).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase.arrays import one_line
from metaphrase.errors import InputError, OptionError


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """``order`` lists items from best to worst; ``rank`` gives each item's cluster, 1 for the best.

    Items whose score is undefined (NaN) come last, in a cluster of their own.
    """

    order: NDArray[np.intp]
    rank: NDArray[np.intp]

    __repr__ = one_line

    def members(self) -> tuple[tuple[int, ...], ...]:
        """The items of each cluster, best first."""
        return tuple(
            tuple(int(item) for item in self.order if self.rank[item] == rank)
            for rank in range(1, int(self.rank.max(initial=0)) + 1)
        )


def significance_clusters(
    scores: ArrayLike, p_values: ArrayLike, *, level: float = 0.05
) -> Clusters:
    """Cluster items by their scores and pairwise tests.

    scores: one number per item, higher is better
    p_values: (items, items); ``p_values[i, j]`` is the one-sided p-value of "i is better than j". Only those
        where i has the higher score are read; one that is NaN says nothing.
    level: at most this p-value is significant
    """
    values = np.asarray(scores, dtype=np.float64)
    matrix = np.asarray(p_values, dtype=np.float64)
    if values.ndim != 1 or matrix.shape != (len(values), len(values)):
        raise InputError(
            "MP745", f"scores of shape {values.shape} with p-values of shape {matrix.shape}."
        )
    if not 0 < level < 1:
        raise OptionError("MP746", f"level is {level!r}; it must lie between 0 and 1.")
    # A stable sort keeps the given order of equal scores; NaN sorts last.
    order = np.argsort(-values, kind="stable")
    rank = np.zeros(len(values), dtype=np.intp)
    current: list[int] = []
    number = 1
    for item in order:
        better = matrix[current, item]
        undefined = bool(np.isnan(values[item]))
        follows_defined = bool(current) and not np.isnan(values[current[0]])
        if np.any(better <= level) or (undefined and follows_defined):
            number += 1
            current = []
        current.append(int(item))
        rank[item] = number
    return Clusters(order, rank)
