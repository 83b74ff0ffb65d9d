"""Several systems compared unasked: ranked from three on, and two by their difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from metaphrase.metrics import Metric
from metaphrase.scoring.effort import interval_resamples, test_resamples
from metaphrase.scoring.ranking import rank_scores
from metaphrase.scoring.resampled_units import Unit
from metaphrase.scoring.result import Scores
from metaphrase.scoring.system_difference import system_difference
from metaphrase.statistics.multiple_tests import Correction
from metaphrase.statistics.resampling import RESAMPLES, SEED

#: Systems from which on they are ranked.
RANKED = 3


def compared(
    scores: Scores,
    metrics: Mapping[str, Metric],
    *,
    resamples: int | None = None,
    all_pairs: bool = False,
    correction: Correction = "holm",
    unit: Unit = "segment",
    seed: int = SEED,
    threads: int | None = None,
) -> Scores:
    """The scores with a ranking by each metric, or with the differences of two systems.

    Without ``resamples`` there are as many as there is time for, by the counts of :mod:`effort
    <metaphrase.scoring.effort>`; ``all_pairs`` has two systems ranked, too, and every pair tested whatever it
    takes.

    >>> corpus = metaphrase.read("reference.txt", ["system-a.txt", "system-b.txt"])
    >>> scores = metaphrase.score(corpus, ["chrf"], keep_statistics=True)
    >>> (difference,) = compared(scores, {"chrf": metaphrase.Chrf()}).differences
    >>> difference.leader, difference.significant
    ('system-a', True)
    """
    size = scores.segments, len(scores.systems), len(scores.metrics)
    known = all(system.statistics for system in scores.systems)
    drawn = resamples or test_resamples(*size)
    if all_pairs and not drawn:
        drawn = RESAMPLES
    if len(scores.systems) >= RANKED or (all_pairs and len(scores.systems) > 1):
        ranked = drawn or interval_resamples(*size)
        rankings = {
            label: rank_scores(
                metric,
                scores,
                label=label,
                resamples=ranked if known else 0,
                correction=correction,
                intervals_only=not drawn,
                unit=unit,
                seed=seed,
                threads=threads,
            )
            for label, metric in metrics.items()
        }
        return replace(scores, rankings=rankings, all_pairs=all_pairs)
    if len(scores.systems) == 2 and known and drawn:
        differences = (
            system_difference(
                metric,
                scores,
                label=label,
                resamples=drawn,
                unit=unit,
                seed=seed,
                threads=threads,
            )
            for label, metric in metrics.items()
        )
        return replace(scores, differences=tuple(differences))
    return scores
