"""Systems ranked by a metric: intervals, tests of all pairs, and clusters that do not differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Metric
from metaphrase.statistics.clusters import significance_clusters
from metaphrase.statistics.resampling import ResampledScore, paired_bootstrap_of_all

#: p-values below this are significant.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """One row of a table of systems.

    ``system`` is its place among the systems; ``rank`` counts from 1, and equal scores share it; ``cluster``
    counts from 1 too. There is no interval without resampling, and no cluster of a single system.
    """

    system: int
    score: float
    low: float | None
    high: float | None
    cluster: int | None
    rank: int


@dataclass(frozen=True, slots=True, eq=False)
class SystemRanking:
    """Systems from best to worst, and the p-values of all pairs: NaN where nothing was tested."""

    rows: tuple[RankedSystem, ...]
    p_values: FloatArray


def rank_systems(
    metric: Metric,
    scores: Sequence[float],
    statistics: Sequence[FloatArray] | None,
    *,
    resamples: int,
    seed: int,
    threads: int | None = None,
) -> SystemRanking:
    """Rank systems by their ``scores``, and test them by the paired bootstrap if there are ``statistics``.

    Scores that are not a number come last.
    """
    values = np.asarray(scores, dtype=np.float64)
    goodness = values if metric.higher_is_better else -values
    p_values = np.full((len(values), len(values)), np.nan)
    resampled: Sequence[ResampledScore] = [ResampledScore(score) for score in scores]
    if statistics is not None:
        tested = paired_bootstrap_of_all(
            statistics, metric.score, resamples=resamples, seed=seed, threads=threads
        )
        resampled, p_values = tested.scores, tested.p_values
    # Clusters are opened by what is at most the level, and what is exactly at it is not significant.
    clusters = significance_clusters(goodness, p_values, level=float(np.nextafter(LEVEL, 0.0)))
    tested_at_all = statistics is not None and len(values) > 1
    rows = []
    for place in clusters.order.tolist():
        interval = resampled[place].interval
        rows.append(
            RankedSystem(
                system=place,
                score=float(values[place]),
                low=None if interval is None else interval.low,
                high=None if interval is None else interval.high,
                cluster=int(clusters.rank[place]) if tested_at_all else None,
                rank=1 + int(np.sum(goodness > goodness[place])),
            )
        )
    return SystemRanking(tuple(rows), p_values)
