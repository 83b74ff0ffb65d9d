"""Statistics of one system's texts, with or without the segments that a metric refuses."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.corpus import Corpus
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import compare
from metaphrase.metrics.refusals import (
    OnError,
    Refusal,
    Refusals,
    check_on_error,
    refused_everything,
    summaries,
)
from metaphrase.metrics.segment_statistics import segment_statistics
from metaphrase.metrics.signature import ReferenceCount, reference_count


@dataclass(frozen=True, slots=True, eq=False)
class SiftedStatistics:
    """A row for each segment; those that are not ``kept`` were refused, and have no numbers."""

    rows: FloatArray
    kept: BoolArray
    references: ReferenceCount
    refusals: tuple[Refusal, ...] = ()

    @property
    def skipped(self) -> int:
        """How many segments were refused."""
        return int((~self.kept).sum())


def sifted_statistics(
    corpus: Corpus, metric: Metric, *, threads: int, on_error: OnError
) -> SiftedStatistics:
    """The statistics of a corpus of one system; a metric that refuses all segments is an error."""
    check_on_error(on_error)
    references = reference_count(corpus.reference_counts)
    if on_error == "stop":
        (comparison,) = compare(corpus, metric, first=0, threads=threads)
        rows = metric.statistics(comparison, threads=threads)
        return SiftedStatistics(rows, np.ones(len(rows), dtype=np.bool_), references)
    refusals = Refusals()
    found = segment_statistics(
        corpus, {metric.label: metric}, threads=threads, first=0, refusals=refusals
    )
    ((_, rows),) = found
    kept = refusals.kept(metric.label, 0, len(corpus))
    if not kept.any():
        raise refused_everything(metric.label, len(corpus), refusals.found)
    for summary in summaries(refusals.counts(), len(corpus), refusals.found):
        warnings.warn(summary, stacklevel=4)
    return SiftedStatistics(rows, kept, references, tuple(refusals.found))
