"""Doubts that scores themselves raise: metrics that contradict each other, differences of few segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from metaphrase.metrics import Metric
from metaphrase.scoring.doubts.doubt import Doubt
from metaphrase.scoring.ranking import SystemRanking
from metaphrase.scoring.resampled_units import resampled_rows
from metaphrase.scoring.result import Scores

#: The share of segments that a difference is looked at without, and what they must make of it.
_FEW, _MUCH = 0.02, 0.4
_FEWEST_SEGMENTS = 100


def score_doubts(scores: Scores, metrics: Mapping[str, Metric]) -> Iterator[Doubt]:
    """What is doubtful about rankings and differences, with metrics by what the scores call them."""
    yield from _first_places(scores)
    for label, metric in metrics.items():
        if (pair := _compared(scores, label)) is not None:
            yield from _few_segments(scores, label, metric, *pair)


def _first_places(scores: Scores) -> Iterator[Doubt]:
    """Metrics that put another system first, if any of them is sure that the other is not."""
    tested = {name: ranking for name, ranking in scores.rankings.items() if ranking.tested}
    if len(tested) < 2:
        return
    (first, ranking), *others = tested.items()
    leader = ranking.rows[0].system
    told, systems = [], [scores.systems[leader].name]
    for name, other in others:
        rival = other.rows[0].system
        if rival == leader or not (ranking.differ(leader, rival) or other.differ(leader, rival)):
            continue
        told.append(f"{name} {scores.systems[rival].name} ({systems[0]} {_place(other, leader)})")
        systems.append(scores.systems[rival].name)
    if told:
        yield Doubt(
            "first-place",
            f"Metrics disagree about the first place (randomisation test of both systems): {first} puts "
            f"{systems[0]} there, {'; '.join(told)}.",
            tuple(dict.fromkeys(systems)),
        )


def _place(ranking: SystemRanking, system: int) -> str:
    (row,) = (row for row in ranking.rows if row.system == system)
    return f"has rank {row.places} there"


def _compared(scores: Scores, label: str) -> tuple[int, int] | None:
    """Two systems that differ significantly: both of two, or the best of more and the next below."""
    for difference in scores.differences:
        if difference.metric == label and difference.significant:
            names = [system.name for system in scores.systems]
            return names.index(difference.leader), names.index(difference.other)
    ranking = scores.rankings.get(label)
    if ranking is None or (len(scores.systems) > 2 and label != scores.metrics[0].name):
        return None
    best, *others = (row.system for row in ranking.rows)
    return next(((best, other) for other in others if ranking.differ(best, other)), None)


def _few_segments(
    scores: Scores, label: str, metric: Metric, one: int, other: int
) -> Iterator[Doubt]:
    """Whether much of a difference is gone without the few segments that differ most."""
    tables = resampled_rows(scores, label)
    first, second = tables[one], tables[other]
    few = int(_FEW * len(first))
    if len(first) < _FEWEST_SEGMENTS:
        return
    gain = np.abs(metric.segment_score(first) - metric.segment_score(second))
    kept = np.argsort(-gain, kind="stable")[few:]
    whole = float(metric.score(first.sum(axis=0)) - metric.score(second.sum(axis=0)))
    without = float(metric.score(first[kept].sum(axis=0)) - metric.score(second[kept].sum(axis=0)))
    made = whole - without * len(kept) / len(first)
    if abs(made) < _MUCH * abs(whole) or made * whole < 0:
        return
    names = scores.systems[one].name, scores.systems[other].name
    info = next(info for info in scores.metrics if info.name == label)
    yield Doubt(
        "few-segments",
        f"{few:,} of {len(first):,} segments make {info.shown(abs(made))} of the {info.shown(abs(whole))} "
        f"{label} between {names[0]} and {names[1]}.",
        names,
        {
            "metric": label,
            "segments": few,
            "of": len(first),
            "made": abs(made),
            "difference": abs(whole),
        },
    )
