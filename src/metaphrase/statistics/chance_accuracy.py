"""What pairwise accuracy with ties (acc_eq) gives a metric that knows nothing, on given human scores.

Of a group in which people tie a share t of the pairs, a metric with the same score for everything has t
right. A metric of random numbers that never tie has (1 - t)/2 of them in expectation. With an ε that ties a
share q of its pairs whatever people said, it expects q t + (1 - q) (1 - t)/2, which lies between the two; the
best ε of the very data gives slightly more than the better of them, as chance favours some ε.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.statistics.grouping import GroupBy
from metaphrase.statistics.pairwise import pairwise_accuracy, tie_calibration
from metaphrase.statistics.resampling import SEED

#: The mean of so many random metrics varies by less than what three digits show, on a set of WMT.
DRAWS = 20


@dataclass(frozen=True, slots=True)
class ChanceAccuracy:
    """``constant`` and ``untied`` are exact; ``calibrated`` is the mean of ``draws`` random metrics.

    No metric that is calibrated gets less than ``constant``, since a large ε ties all pairs. ``untied``
    expects random scores that differ, taken as they are; ``calibrated`` gives them their best ε.
    All are NaN without pairs.
    """

    constant: float
    untied: float
    calibrated: float
    draws: int


def chance_accuracy(
    human: ArrayLike, *, group_by: GroupBy = "segment", draws: int = DRAWS, seed: int = SEED
) -> ChanceAccuracy:
    """The chance level of acc_eq on human scores (systems, segments); random scores are normal.

    >>> from metaphrase.statistics.chance_accuracy import chance_accuracy
    >>> found = chance_accuracy([[0, -1], [0, -5], [-1, -5]])
    >>> round(found.constant, 3), round(found.untied, 3)
    (0.333, 0.333)
    """
    scores = np.asarray(human, dtype=np.float64)
    constant = pairwise_accuracy(np.zeros_like(scores), scores, group_by=group_by)
    generator = np.random.default_rng(seed)
    found = [
        tie_calibration(generator.standard_normal(scores.shape), scores, group_by=group_by).accuracy
        for _ in range(draws)
    ]
    mean = float(np.mean(found)) if found else float("nan")
    return ChanceAccuracy(constant, (1 - constant) / 2, mean, draws)
