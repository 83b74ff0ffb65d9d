"""Scores in long form: a row for each number, whatever was asked for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.scoring.result import Scores, SystemScores, known

#: Columns of scores; text, but for the segment (from 1) and numbers. ``skipped`` counts segments that the
#: metric refused, ``best`` and ``worst`` are the places that tests leave to a system. Rows of the level
#: ``pair`` say how much higher ``system`` scores than ``other``.
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
    "domain",
    "best",
    "worst",
    "other",
    "corrected_p",
)
Record = tuple[str | int | float | None, ...]
_Row = dict[str, str | int | float | None]


def score_records(scores: Scores) -> Iterator[Record]:
    """A tuple for each number, in the order of ``COLUMNS``; ``wins`` and ``pair`` are levels here."""
    for row in _rows(scores):
        yield tuple(row.get(name) for name in COLUMNS)


def _rows(scores: Scores) -> Iterator[_Row]:
    for place, system in enumerate(scores.systems):
        for info in scores.metrics:
            metric = info.name
            of: _Row = {"system": system.name, "metric": metric}
            if metric in system.system:
                for row in _predicted(system, "system", metric):
                    said = _places(scores, place, metric) | _resampled(system, metric)
                    yield of | row | {"level": "system", "skipped": info.skipped} | said
            if metric in system.wins:
                won: _Row = {"level": "wins", "score": system.wins[metric], "skipped": info.skipped}
                yield of | won
            for level, names, refused_of in (
                ("domain", scores.domains, scores.refused_of_domains),
                ("document", scores.documents, scores.refused_of_documents),
            ):
                if metric in getattr(system, level):
                    rows = _predicted(system, level, metric)
                    for name, row in zip(names, rows, strict=True):
                        skipped = refused_of.get((metric, name), 0)
                        yield of | row | {"level": level, level: name, "skipped": skipped}
            if metric in system.segment:
                for i, row in enumerate(_predicted(system, "segment", metric)):
                    yield (
                        of
                        | row
                        | {
                            "level": "segment",
                            "segment": i + 1,
                            "document": scores.segment_documents[i]
                            if scores.segment_documents
                            else None,
                            "domain": scores.segment_domains[i] if scores.segment_domains else None,
                            "skipped": int(row["score"] is None),
                        }
                    )
    if scores.all_pairs:
        yield from _pairs(scores)


def _resampled(system: SystemScores, metric: str) -> _Row:
    """What resampling by itself and the test against the baseline say."""
    value = system.resampled.get(metric)
    row: _Row = {}
    if value is not None and (interval := value.interval) is not None:
        row |= {"mean": interval.mean, "low": interval.low, "high": interval.high}
    if value is not None and (test := value.test) is not None:
        row |= {
            "p_value": test.p_value,
            "smallest_p": test.smallest_p,
            "differing": test.differing,
        }
    return row


def _places(scores: Scores, place: int, metric: str) -> _Row:
    """What the ranking says, if there is one."""
    ranking = scores.rankings.get(metric)
    if ranking is None:
        return {}
    (row,) = (row for row in ranking.rows if row.system == place)
    ends: _Row = {} if row.low is None else {"low": row.low, "high": row.high}
    return {"best": row.best, "worst": row.worst} | ends


def _pairs(scores: Scores) -> Iterator[_Row]:
    names = [system.name for system in scores.systems]
    for metric, ranking in scores.rankings.items():
        for pair in ranking.pairs():
            yield {
                "level": "pair",
                "system": names[pair.one],
                "other": names[pair.other],
                "metric": metric,
                "score": pair.difference,
                "p_value": pair.test.p_value,
                "smallest_p": pair.test.smallest_p,
                "differing": pair.test.differing,
                "corrected_p": pair.p_value,
            }


def _predicted(system: SystemScores, level: str, metric: str) -> Iterator[_Row]:
    """The scores of a level with the ends of their prediction intervals; ``None`` for what is not there."""
    numbers = np.atleast_1d(getattr(system, level)[metric])
    found = system.predictions.get(level, {}).get(metric)
    columns = [numbers] if found is None else [numbers, found.low, found.high]
    names = ("score", "predicted_low", "predicted_high")
    for row in zip(*(column.tolist() for column in columns), strict=True):
        yield dict(zip(names, map(known, row), strict=False))
