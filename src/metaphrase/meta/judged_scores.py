"""A metric's scores of what people judged, at every level.

Each distinct text is scored once, whoever said it; but metrics that need the whole corpus are given every
system's own texts with their documents.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray, Int32Array, Int64Array, one_line
from metaphrase.corpus.judgements import Judgements
from metaphrase.metrics import Metric, compare
from metaphrase.metrics.comparison import no_sources
from metaphrase.metrics.signature import reference_count
from metaphrase.threads import check_threads

Places = Int32Array | Int64Array
_PIECE = 2048


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScores:
    """Scores of every system by one metric, turned so that higher is better; NaN where there is no text.

    ``segment`` is systems × segments, ``document`` systems × documents (in order of appearance; without
    documents it has no columns), ``system`` has one score a system. Documents and systems are scored from
    the sums of their segments' statistics, as the metric defines it.
    """

    metric: str
    signature: str
    segment: FloatArray
    document: FloatArray
    system: FloatArray

    __repr__ = one_line


def score_judged(
    judgements: Judgements,
    metric: Metric,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> JudgedScores:
    """Score the texts of ``judgements``; ``progress`` is told how many are done."""
    workers = check_threads(threads)
    if metric.needs_sources and not any(text.source.strip() for text in judgements.texts):
        raise no_sources(metric, hint="Give judgements that have them.")
    if metric.needs_whole_corpus:
        statistics, row_of = _system_statistics(judgements, metric, workers, progress)
    else:
        statistics = _text_statistics(judgements, metric, workers, progress)
        row_of = judgements.text_of
    if caution := metric.caution(statistics.sum(axis=0)):
        warnings.warn(f"{metric.name}: {caution}", stacklevel=2)
    sign = 1.0 if metric.higher_is_better else -1.0
    references = reference_count(len(text.references) for text in judgements.texts)
    everything = np.zeros(len(judgements.segments), dtype=np.int64)
    segment_scores = np.append(metric.segment_score(statistics), np.nan)
    return JudgedScores(
        metric.label,
        str(metric.signature(references)),
        sign * segment_scores[row_of],
        sign * _scores_of_sums(metric, statistics, row_of, document_numbers(judgements)),
        sign * _scores_of_sums(metric, statistics, row_of, everything)[:, 0],
    )


def document_numbers(judgements: Judgements) -> Int64Array:
    """For each segment the number of its document, -1 everywhere if there are none."""
    if judgements.documents is None:
        return np.full(len(judgements.segments), -1, dtype=np.int64)
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in judgements.documents])


def _text_statistics(
    judgements: Judgements,
    metric: Metric,
    threads: int,
    progress: Callable[[int], None] | None,
) -> FloatArray:
    rows: FloatArray | None = None
    done = 0
    for places, corpus in judgements.corpora():
        for start in range(0, len(places), _PIECE):
            (comparison,) = compare(corpus[start : start + _PIECE], metric, threads=threads)
            statistics = metric.statistics(comparison, threads=threads)
            if rows is None:
                rows = np.empty((len(judgements.texts), statistics.shape[1]))
            rows[places[start : start + _PIECE]] = statistics
            done += len(statistics)
            if progress is not None:
                progress(done)
    assert rows is not None
    return rows


def _system_statistics(
    judgements: Judgements,
    metric: Metric,
    threads: int,
    progress: Callable[[int], None] | None,
) -> tuple[FloatArray, Places]:
    """Statistics of every system's segments among all it said, and in which row each of them is."""
    row_of = np.full(judgements.text_of.shape, -1, dtype=np.int64)
    pieces: list[FloatArray] = []
    done = 0
    for systems, segments, corpus in judgements.system_corpora():
        for system, comparison in zip(
            systems.tolist(), compare(corpus, metric, threads=threads), strict=True
        ):
            pieces.append(metric.statistics(comparison, threads=threads))
            row_of[system, segments] = np.arange(done, done + len(segments))
            done += len(segments)
            if progress is not None:
                progress(done)
    return np.concatenate(pieces), row_of


def _scores_of_sums(
    metric: Metric, statistics: FloatArray, row_of: Places, group: Int64Array
) -> FloatArray:
    """Scores of each system's texts summed by ``group`` of their segments; shape systems × groups."""
    groups = int(group.max(initial=-1)) + 1
    systems = len(row_of)
    sums = np.zeros((systems, groups, statistics.shape[1]))
    counts = np.zeros((systems, groups))
    for system in range(systems):
        there = (row_of[system] >= 0) & (group >= 0)
        np.add.at(sums[system], group[there], statistics[row_of[system][there]])
        np.add.at(counts[system], group[there], 1)
    scores = np.full((systems, groups), np.nan)
    known = counts > 0
    if known.any():
        scores[known] = metric.score(sums[known])
    return scores
