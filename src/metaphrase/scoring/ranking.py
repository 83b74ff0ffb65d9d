"""Systems ranked by a metric: intervals, tests of all pairs, and the places that these leave to each system.

Reports, tables of scores and explanations share this ranking, so that they cannot contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Metric
from metaphrase.scoring.resampled_units import Unit, resampled_rows
from metaphrase.scoring.result import Scores, known
from metaphrase.statistics.clusters import significance_clusters
from metaphrase.statistics.multiple_tests import Correction, corrected
from metaphrase.statistics.resampling import (
    RESAMPLES,
    SEED,
    Interval,
    PairedResult,
    confidence_interval,
    randomisation_of_all,
)

#: p-values below this are significant.
LEVEL = 0.05
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """One row of a table of systems.

    ``system`` is its place among the systems; ``rank`` counts from 1, and equal scores share it; ``cluster``
    counts from 1 too. ``best`` is 1 and the number of systems that score significantly better, ``worst`` the
    number of all without those that score significantly worse: whoever shares a place between cannot be told
    apart. There is no interval without resampling, and no cluster and no such places without tests.
    """

    system: int
    score: float
    low: float | None
    high: float | None
    cluster: int | None
    rank: int
    best: int | None = None
    worst: int | None = None

    @property
    def places(self) -> str:
        """``1``, ``2–4``; without tests the rank.

        >>> RankedSystem(0, 30.0, None, None, 1, 2, best=1, worst=3).places
        '1–3'
        """
        if self.best is None or self.worst is None:
            return str(self.rank)
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Two systems by their places among the systems, the better one first, and what lies between them."""

    one: int
    other: int
    difference: float
    test: PairedResult
    p_value: float


@dataclass(frozen=True, slots=True, eq=False)
class SystemRanking:
    """Systems from best to worst, and the tests of pairs ``(i, j)`` with i > j, if there are any.

    ``p_values`` are those that may be compared with the level: corrected for the number of pairs, if that was
    asked for, and below what resamples can say where the tests' bounds are.
    """

    rows: tuple[RankedSystem, ...]
    tests: Mapping[Pair, PairedResult] = field(default_factory=dict)
    p_values: Mapping[Pair, float] = field(default_factory=dict)
    correction: Correction = "none"
    resamples: int = RESAMPLES
    seed: int = SEED
    unit: Unit = "segment"

    def test(self, one: int, other: int) -> PairedResult | None:
        """What the test says of two systems."""
        return self.tests.get(_pair(one, other))

    def p_value(self, one: int, other: int) -> float | None:
        """That of the test, corrected."""
        test = self.test(one, other)
        return None if test is None else self.p_values.get(_pair(one, other), test.p_value)

    def differ(self, one: int, other: int) -> bool | None:
        """Whether two systems differ significantly; ``None`` if that was not tested."""
        p = self.p_value(one, other)
        return None if p is None else p < LEVEL

    def alike(self) -> list[int]:
        """The systems that do not differ significantly from the best, best first, and without it."""
        best, *others = (row.system for row in self.rows)
        return [place for place in others if self.differ(best, place) is False]

    @property
    def tested(self) -> bool:
        """Whether there are tests."""
        return bool(self.tests)

    def pairs(self) -> Iterator[RankedPair]:
        """All pairs that were tested, in the order of the ranking."""
        for row, below in combinations(self.rows, 2):
            if (test := self.test(row.system, below.system)) is not None:
                p = self.p_value(row.system, below.system)
                assert p is not None
                yield RankedPair(row.system, below.system, row.score - below.score, test, p)

    def as_dict(self, names: Sequence[str], *, pairs: bool) -> dict[str, Any]:
        """The JSON form, with systems by their names; ``pairs`` says whether with all tests."""
        return {
            "test": "approximate-randomisation" if self.tested else None,
            "correction": self.correction if self.tested else None,
            "level": LEVEL,
            "resamples": self.resamples,
            "seed": self.seed,
            "unit": self.unit,
            "systems": [
                {
                    "name": names[row.system],
                    "score": known(row.score),
                    "rank": row.rank,
                    "best": row.best,
                    "worst": row.worst,
                    "cluster": row.cluster,
                    "low": row.low,
                    "high": row.high,
                }
                for row in self.rows
            ],
            "pairs": [
                {
                    "system": names[pair.one],
                    "other": names[pair.other],
                    "difference": known(pair.difference),
                    "p_value": pair.test.p_value,
                    "corrected_p": pair.p_value,
                    "smallest_p": pair.test.smallest_p,
                    "differing": pair.test.differing,
                }
                for pair in (self.pairs() if pairs else ())
            ],
        }


def rank_scores(
    metric: Metric,
    scores: Scores,
    *,
    label: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    correction: Correction = "holm",
    unit: Unit = "segment",
    intervals_only: bool = False,
) -> SystemRanking:
    """Rank systems by a metric; test all pairs by randomisation on the segments that it did not refuse.

    Without ``resamples`` nothing is tested. Scores that are not a number come last. ``correction`` is for the
    number of pairs, and ``unit`` what resamples exchange and draw. ``label`` is what the scores call the
    metric, if it is not its own.

    >>> corpus = metaphrase.read("reference.txt", ["system-a.txt", "system-b.txt"])
    >>> scores = metaphrase.score(corpus, ["chrf"], keep_statistics=True)
    >>> [(row.system, row.places) for row in rank_scores(metaphrase.Chrf(), scores).rows]
    [(0, '1'), (1, '2')]
    """
    label = label or metric.label
    values = np.array([system.system[label] for system in scores.systems])
    goodness = values if metric.higher_is_better else -values
    tests: Mapping[Pair, PairedResult] = {}
    intervals: Sequence[Interval | None] = [None] * len(values)
    if resamples:
        rows = resampled_rows(scores, label, unit)
        if intervals_only:
            intervals = [
                confidence_interval(
                    table, metric.score, resamples=resamples, seed=seed, threads=threads
                )
                for table in rows
            ]
        else:
            tested = randomisation_of_all(
                rows, metric.score, resamples=resamples, seed=seed, threads=threads
            )
            intervals, tests = [one.interval for one in tested.scores], tested.tests
    p_values = _p_values(tests, correction)
    return SystemRanking(
        tuple(_rows(values, goodness, intervals, p_values)),
        tests,
        p_values,
        correction,
        resamples,
        seed,
        unit,
    )


def _pair(one: int, other: int) -> Pair:
    return max(one, other), min(one, other)


def _p_values(tests: Mapping[Pair, PairedResult], correction: Correction) -> dict[Pair, float]:
    """Corrected p-values; a single pair has none to be corrected for, and keeps the test's."""
    if len(tests) < 2:
        return {pair: test.p_value for pair, test in tests.items()}
    found = corrected([test.smallest_known_p for test in tests.values()], correction)
    return dict(zip(tests, found.tolist(), strict=True))


def _rows(
    values: FloatArray,
    goodness: FloatArray,
    intervals: Sequence[Interval | None],
    p_values: Mapping[Pair, float],
) -> list[RankedSystem]:
    size = len(values)
    matrix = np.full((size, size), np.nan)
    for (one, other), p in p_values.items():
        matrix[one, other] = matrix[other, one] = p
    # Clusters are opened by what is at most the level, and what is exactly at it is not significant.
    clusters = significance_clusters(goodness, matrix, level=float(np.nextafter(LEVEL, 0.0)))
    higher = goodness[:, None] > goodness[None, :]
    beats = higher & (matrix < LEVEL)
    rows = []
    for place in clusters.order.tolist():
        interval = intervals[place]
        rows.append(
            RankedSystem(
                system=place,
                score=float(values[place]),
                low=None if interval is None else interval.low,
                high=None if interval is None else interval.high,
                cluster=int(clusters.rank[place]) if p_values else None,
                rank=1 + int(higher[:, place].sum()),
                best=1 + int(beats[:, place].sum()) if p_values else None,
                worst=size - int(beats[place].sum()) if p_values else None,
            )
        )
    return rows
