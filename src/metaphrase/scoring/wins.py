"""The share of segments that each system wins: UPF-Cobalt's way from segment scores to a system's (WMT 2015).

Unlike every other score it depends on which systems are compared.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metaphrase.errors import InputError
from metaphrase.scoring.result import Scores
from metaphrase.statistics.wins import check_tie_rule, wins


def count_wins(scores: Scores, *, ties: str = "all") -> Scores:
    """``scores`` with the shares of segments won, for every metric.

    The paper does not say how ties count: ``all`` counts a segment for every system that has its best score,
    so that the shares may add up to more than 1; ``share`` divides it among them.
    """
    check_tie_rule(ties)
    if not all(system.segment for system in scores.systems):
        raise InputError(
            "MP533",
            "segments won are counted from segment scores, and there are none.",
            hint="Score at the level segment.",
        )
    won: list[dict[str, float]] = [{} for _ in scores.systems]
    for info in scores.metrics:
        table = np.stack([system.segment[info.name] for system in scores.systems])
        table = table[:, ~np.isnan(table[0])]  # what one metric refuses, nobody wins
        shares = wins(table if info.higher_is_better else -table, ties=ties)
        for row, share in zip(won, shares.tolist(), strict=True):
            row[info.name] = share
    systems = (replace(s, wins=row) for s, row in zip(scores.systems, won, strict=True))
    return replace(scores, systems=tuple(systems))
