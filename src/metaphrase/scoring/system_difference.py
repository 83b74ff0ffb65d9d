"""How far two systems are apart: the difference, its interval, a test, and which segments say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metaphrase.metrics import Metric
from metaphrase.scoring.ranking import LEVEL
from metaphrase.scoring.resampled_units import Unit, resampled_rows
from metaphrase.statistics.resampling import (
    RESAMPLES,
    SEED,
    Interval,
    PairedResult,
    approximate_randomisation,
    difference_interval,
)

if TYPE_CHECKING:
    from metaphrase.scoring.result import Scores


@dataclass(frozen=True, slots=True)
class SystemDifference:
    """By one metric, from the system that it prefers to the other one.

    ``difference`` is what lies between the scores, whichever is the better direction, and ``low`` and
    ``high`` are the ends of its 95 % bootstrap interval. ``wins``, ``losses`` and ``equal`` count segments
    as the metric scores them; those that it refused are not among them.
    """

    metric: str
    leader: str
    other: str
    difference: float
    low: float
    high: float
    test: PairedResult
    wins: int
    losses: int
    equal: int
    resamples: int = RESAMPLES
    seed: int = SEED
    unit: Unit = "segment"

    @property
    def significant(self) -> bool:
        """Whether the test says that it is no accident of the segments."""
        return self.test.p_value < LEVEL

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "metric": self.metric,
            "leader": self.leader,
            "other": self.other,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "test": "approximate-randomisation",
            "p_value": self.test.p_value,
            "smallest_p": self.test.smallest_p,
            "differing": self.test.differing,
            "wins": self.wins,
            "losses": self.losses,
            "equal": self.equal,
            "resamples": self.resamples,
            "seed": self.seed,
            "unit": self.unit,
        }


def system_difference(
    metric: Metric,
    scores: Scores,
    *,
    label: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    unit: Unit = "segment",
) -> SystemDifference:
    """What is between the first two systems of ``scores``, whose statistics were kept.

    >>> corpus = metaphrase.read("reference.txt", ["system-a.txt", "system-b.txt"])
    >>> scores = metaphrase.score(corpus, ["chrf"], keep_statistics=True)
    >>> found = system_difference(metaphrase.Chrf(), scores)
    >>> found.leader, found.wins > found.losses
    ('system-a', True)
    """
    label = label or metric.label
    sign = 1.0 if metric.higher_is_better else -1.0
    values = [system.system[label] for system in scores.systems[:2]]
    leader = int(sign * values[1] > sign * values[0])
    rows = resampled_rows(scores, label, unit)
    other_rows, leader_rows = rows[1 - leader], rows[leader]
    interval = difference_interval(
        other_rows, leader_rows, metric.score, resamples=resamples, seed=seed, threads=threads
    )
    tested = approximate_randomisation(
        rows[:2], metric.score, resamples=resamples, seed=seed, threads=threads
    )
    test = tested[1].test
    assert test is not None
    segments = [
        np.asarray(metric.segment_score(table)) for table in resampled_rows(scores, label)[:2]
    ]
    gain = sign * (segments[leader] - segments[1 - leader])
    ends = _oriented(interval, sign)
    return SystemDifference(
        label,
        scores.systems[leader].name,
        scores.systems[1 - leader].name,
        abs(values[1] - values[0]),
        *ends,
        test,
        int(np.count_nonzero(gain > 0)),
        int(np.count_nonzero(gain < 0)),
        int(np.count_nonzero(gain == 0)),
        resamples,
        seed,
        unit,
    )


def _oriented(interval: Interval, sign: float) -> tuple[float, float]:
    """Ends such that a positive difference speaks for the leader."""
    return (interval.low, interval.high) if sign > 0 else (-interval.high, -interval.low)
