"""Scores in long form: a row for each number, whatever was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from metaphrase.scoring.result import Scores

#: Columns of scores; text, but for the segment (from 1) and numbers.
COLUMNS = (
    "level",
    "system",
    "document",
    "segment",
    "metric",
    "score",
    "mean",
    "low",
    "high",
    "p_value",
)
Record = tuple[str | int | float | None, ...]


def score_records(scores: Scores) -> Iterator[Record]:
    """A tuple for each number, in the order of ``COLUMNS``; ``wins`` is a level here."""
    nothing = (None,) * 4
    for system in scores.systems:
        for metric in (info.name for info in scores.metrics):
            if metric in system.system:
                value = system.resampled.get(metric)
                interval = None if value is None else value.interval
                bounds = (
                    (None,) * 3
                    if interval is None
                    else (interval.mean, interval.low, interval.high)
                )
                p_value = None if value is None else value.p_value
                more = (system.system[metric], *bounds, p_value)
                yield ("system", system.name, None, None, metric, *more)
            if metric in system.wins:
                yield ("wins", system.name, None, None, metric, system.wins[metric], *nothing)
            if metric in system.document:
                values = system.document[metric].tolist()
                for name, number in zip(scores.documents, values, strict=True):
                    yield ("document", system.name, name, None, metric, number, *nothing)
            if metric in system.segment:
                for i, number in enumerate(system.segment[metric].tolist()):
                    of = scores.segment_documents[i] if scores.segment_documents else None
                    yield ("segment", system.name, of, i + 1, metric, number, *nothing)
