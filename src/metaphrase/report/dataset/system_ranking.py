"""Systems ranked by a metric: intervals, tests of all pairs, and clusters that do not differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from metaphrase.metrics import Metric
from metaphrase.scoring import Scores
from metaphrase.statistics.clusters import significance_clusters
from metaphrase.statistics.resampling import (
    RESAMPLES,
    SEED,
    PairedResult,
    ResampledScore,
    randomisation_of_all,
)

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
    """Systems from best to worst, and the tests of pairs ``(i, j)`` with i > j, if there are any."""

    rows: tuple[RankedSystem, ...]
    tests: Mapping[tuple[int, int], PairedResult] = field(default_factory=dict)

    def test(self, one: int, other: int) -> PairedResult | None:
        """What the test says of two systems."""
        return self.tests.get((max(one, other), min(one, other)))


def rank_scores(
    metric: Metric,
    scores: Scores,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> SystemRanking:
    """Rank systems by a metric; test them by randomisation on the segments that it did not refuse.

    Without ``resamples`` nothing is tested. Scores that are not a number come last.
    """
    label = metric.label
    kept = scores.kept(label)
    statistics = (
        [system.statistics[label][kept] for system in scores.systems] if resamples else None
    )
    values = np.array([system.system[label] for system in scores.systems])
    goodness = values if metric.higher_is_better else -values
    tests: Mapping[tuple[int, int], PairedResult] = {}
    resampled: Sequence[ResampledScore] = [ResampledScore(score) for score in values.tolist()]
    if statistics is not None:
        tested = randomisation_of_all(
            statistics, metric.score, resamples=resamples, seed=seed, threads=threads
        )
        resampled, tests = tested.scores, tested.tests
    p_values = np.full((len(values), len(values)), np.nan)
    for (one, other), test in tests.items():
        p_values[one, other] = p_values[other, one] = test.p_value
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
    return SystemRanking(tuple(rows), tests)
