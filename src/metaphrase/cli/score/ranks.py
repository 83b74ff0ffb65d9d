"""Systems in order, ranked, and compared: what ``metaphrase score`` says of several systems unasked."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from metaphrase.cli.score.significance_options import (
    asked_all_pairs,
    asked_intervals,
    ranks_systems,
)

if TYPE_CHECKING:
    from metaphrase.metrics import Metric
    from metaphrase.scoring import Scores

#: Systems from which on a table is sorted, with ranks.
RANKED = 3


def in_order(scores: Scores, options: argparse.Namespace) -> Scores:
    """The systems best first, if that was asked for, or if it is a table of many systems for people."""
    read_by_people = options.format in ("text", "markdown", "latex")
    by_default = read_by_people and ranks_systems(options) and _ranked(scores, options)
    order = options.order or ("score" if by_default else "given")
    if order == "given" or not all(system.system for system in scores.systems):
        return scores
    return scores.best_first(scores.metrics[0].name)


def ranked(scores: Scores, metrics: Sequence[Metric], options: argparse.Namespace) -> Scores:
    """The scores with a ranking by each metric, or with the differences of two systems."""
    from metaphrase.scoring.effort import interval_resamples, test_resamples
    from metaphrase.scoring.engine import labelled_metrics
    from metaphrase.scoring.ranking import rank_scores
    from metaphrase.scoring.system_difference import system_difference

    size = scores.segments, len(scores.systems), len(scores.metrics)
    chosen = labelled_metrics(metrics, options.language)
    known = all(system.statistics for system in scores.systems)
    drawn = options.all_pairs or asked_intervals(options) or test_resamples(*size)
    if asked_all_pairs(options) and not drawn:
        drawn = 1000
    unit = options.unit or "segment"
    shared = {"seed": options.seed, "threads": options.threads, "unit": unit}
    if _ranked(scores, options):
        resamples = drawn or interval_resamples(*size)
        rankings = {
            label: rank_scores(
                metric,
                scores,
                label=label,
                resamples=resamples if known else 0,
                correction=options.correction or "holm",
                intervals_only=not drawn,
                **shared,
            )
            for label, metric in chosen.items()
        }
        return replace(scores, rankings=rankings, all_pairs=asked_all_pairs(options))
    if len(scores.systems) == 2 and known and drawn:
        differences = (
            system_difference(metric, scores, label=label, resamples=drawn, **shared)
            for label, metric in chosen.items()
        )
        return replace(scores, differences=tuple(differences))
    return scores


def _ranked(scores: Scores, options: argparse.Namespace) -> bool:
    systems = len(scores.systems)
    return systems >= RANKED or (systems > 1 and asked_all_pairs(options))
