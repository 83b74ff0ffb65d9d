"""Statistics of segments: what all scores are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metaphrase import analysis
from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.metrics import Metric
from metaphrase.metrics.comparison import CorpusAnalysis, compare


def segment_statistics(
    piece: Corpus, metrics: Mapping[str, Metric], *, threads: int, first: int
) -> Iterator[tuple[tuple[str, str], FloatArray]]:
    """Statistics by system and label of a metric, of texts from segment ``first`` on.

    All systems of a metric come one after the other. Each analyser is asked once, for the columns of all
    metrics that share it.
    """
    columns: dict[str, frozenset[str]] = {}
    for metric in metrics.values():
        if metric.analyser_name is not None:
            before = columns.get(metric.analyser_name, frozenset())
            columns[metric.analyser_name] = before | metric.columns
    sentences: dict[str | None, CorpusAnalysis] = {
        name: CorpusAnalysis(piece, analysis.shared(name), wanted, threads=threads)
        for name, wanted in columns.items()
    }
    for label, metric in metrics.items():
        shared = sentences.get(metric.analyser_name)
        comparisons = compare(piece, metric, shared, first=first)
        for system, comparison in zip(piece.systems, comparisons, strict=True):
            yield (system, label), metric.statistics(comparison, threads=threads)
