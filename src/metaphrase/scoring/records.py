"""Scores in long form: a row for each number, whatever was asked for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.scoring.result import Scores, SystemScores, known

#: Columns of scores; text, but for the segment (from 1) and numbers. The last one counts segments that the
#: metric refused.
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
    "smallest_p",
    "differing",
    "predicted_low",
    "predicted_high",
    "skipped",
)
Record = tuple[str | int | float | None, ...]


def score_records(scores: Scores) -> Iterator[Record]:
    """A tuple for each number, in the order of ``COLUMNS``; ``wins`` is a level here."""
    not_resampled = (None,) * 6
    for system in scores.systems:
        for info in scores.metrics:
            metric = info.name
            if metric in system.system:
                value = system.resampled.get(metric)
                interval = None if value is None else value.interval
                bounds = (
                    (None,) * 3
                    if interval is None
                    else (interval.mean, interval.low, interval.high)
                )
                test = None if value is None else value.test
                tested = (
                    (None,) * 3 if test is None else (test.p_value, test.smallest_p, test.differing)
                )
                ((number, *ends),) = _predicted(system, "system", metric)
                of = ("system", system.name, None, None, metric)
                yield (*of, number, *bounds, *tested, *ends, info.skipped)
            if metric in system.wins:
                nothing = (*not_resampled, None, None, info.skipped)
                yield ("wins", system.name, None, None, metric, system.wins[metric], *nothing)
            if metric in system.document:
                rows = _predicted(system, "document", metric)
                for name, (number, *ends) in zip(scores.documents, rows, strict=True):
                    skipped = scores.refused_of_documents.get((metric, name), 0)
                    more = (number, *not_resampled, *ends, skipped)
                    yield ("document", system.name, name, None, metric, *more)
            if metric in system.segment:
                for i, (number, *ends) in enumerate(_predicted(system, "segment", metric)):
                    of_document = scores.segment_documents[i] if scores.segment_documents else None
                    more = (number, *not_resampled, *ends, int(number is None))
                    yield ("segment", system.name, of_document, i + 1, metric, *more)


def _predicted(system: SystemScores, level: str, metric: str) -> Iterator[Record]:
    """The scores of a level with the ends of their prediction intervals; ``None`` for what is not there."""
    numbers = np.atleast_1d(getattr(system, level)[metric])
    found = system.predictions.get(level, {}).get(metric)
    columns = [numbers] if found is None else [numbers, found.low, found.high]
    listed = [[known(value) for value in column.tolist()] for column in columns]
    nothing = [[None] * len(numbers)] * (3 - len(listed))
    return zip(*listed, *nothing, strict=True)
