"""Does one metric share people's preferences more often than another? A permutation test over segments.

Preferences of one segment hang together (five ranked systems make ten of them), so what is exchanged
between the two metrics in a resample is a segment's preferences as a whole, with probability 1/2. p is the
share of resamples in which the first hybrid leads the second by at least the observed difference.
"""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray
from metaphrase.statistics.preferences import Preferences
from metaphrase.statistics.resampling import RESAMPLES, SEED, check_resamples
from metaphrase.statistics.wmt_tau import TauTable, pair_kinds

#: Coin flips held in memory at a time.
_FLIPS = 1 << 24


def preference_test(
    metric: ArrayLike,
    rival: ArrayLike,
    preferences: Preferences,
    table: TauTable,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> float:
    """The one-sided p-value of "τ of ``metric`` is above that of ``rival``"; NaN without a pair."""
    check_resamples(resamples, seed)
    (gain, count), (rival_gain, rival_count) = (
        _segment_sums(scores, preferences, table) for scores in (metric, rival)
    )
    observed = _tau(gain.sum(), count.sum()) - _tau(rival_gain.sum(), rival_count.sum())
    if np.isnan(observed):
        return float("nan")
    generator = np.random.default_rng(seed)
    at_least = 0
    left = resamples
    while left > 0:
        rows = min(left, max(1, _FLIPS // max(len(gain), 1)))
        flips = generator.integers(0, 2, (rows, len(gain)), dtype=np.int8).astype(np.float64)
        # What moves from one metric to the other is a matrix product of flips and differences.
        gains = flips @ (rival_gain - gain)
        counts = flips @ (rival_count - count)
        first = _tau(gain.sum() + gains, count.sum() + counts)
        second = _tau(rival_gain.sum() - gains, rival_count.sum() - counts)
        # Hybrids that equal the observed pair must count, whatever the order of their sums.
        at_least += int(np.count_nonzero(first - second >= observed - 1e-12))
        left -= rows
    return at_least / resamples


def _segment_sums(
    scores: ArrayLike, preferences: Preferences, table: TauTable
) -> tuple[FloatArray, FloatArray]:
    """Per segment the sum of coefficients and the number of preferences that count."""
    gain, count = np.zeros(len(preferences)), np.zeros(len(preferences))
    for coefficient, members in zip(astuple(table), pair_kinds(scores, preferences), strict=True):
        if coefficient is not None:
            gain[members] = coefficient
            count[members] = 1.0
    segments = int(preferences.segment.max(initial=-1)) + 1
    segment = preferences.segment
    return (
        np.asarray(np.bincount(segment, gain, segments), dtype=np.float64),
        np.asarray(np.bincount(segment, count, segments), dtype=np.float64),
    )


def _tau(gain: ArrayLike, count: ArrayLike) -> FloatArray:
    total = np.asarray(count, dtype=np.float64)
    undefined = np.full(total.shape, np.nan)
    gains = np.asarray(gain, dtype=np.float64)
    return np.asarray(np.divide(gains, total, out=undefined, where=total > 0))
