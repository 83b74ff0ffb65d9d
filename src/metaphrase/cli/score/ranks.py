"""Systems in order, ranked, and compared: what ``metaphrase score`` says of several systems unasked."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from metaphrase.cli.score.significance_options import (
    asked_all_pairs,
    asked_intervals,
    ranks_systems,
)

if TYPE_CHECKING:
    from metaphrase.metrics import Metric
    from metaphrase.scoring import Scores


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
    from metaphrase.scoring.comparing import compared
    from metaphrase.scoring.engine import labelled_metrics

    return compared(
        scores,
        labelled_metrics(metrics, options.language),
        resamples=options.all_pairs or asked_intervals(options),
        all_pairs=asked_all_pairs(options),
        correction=options.correction or "holm",
        unit=options.unit or "segment",
        seed=options.seed,
        threads=options.threads,
    )


def _ranked(scores: Scores, options: argparse.Namespace) -> bool:
    from metaphrase.scoring.comparing import RANKED

    systems = len(scores.systems)
    return systems >= RANKED or (systems > 1 and asked_all_pairs(options))
