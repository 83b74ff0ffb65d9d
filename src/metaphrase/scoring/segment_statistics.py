"""Statistics of segments: what all scores are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metaphrase import analysis
from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.metrics import Metric
from metaphrase.metrics.comparison import CorpusAnalysis, compare
from metaphrase.metrics.corpus_counts import CorpusCounts, CorpusTotals


def segment_statistics(
    piece: Corpus,
    metrics: Mapping[str, Metric],
    *,
    threads: int,
    first: int,
    of_corpus: Mapping[str, CorpusTotals] | None = None,
) -> Iterator[tuple[tuple[str, str], FloatArray]]:
    """Statistics by system and label of a metric, of texts from segment ``first`` on.

    All systems of a metric come one after the other. Each analyser is asked once, for the columns of all
    metrics that share it. ``of_corpus`` has what metrics gathered of the corpus that this is a piece of.
    """
    sentences = _sentences(piece, metrics, threads)
    totals = of_corpus or {}
    for label, metric in metrics.items():
        shared = sentences.get(metric.analyser_name)
        comparisons = compare(piece, metric, shared, first=first, of_corpus=totals.get(label))
        for system, comparison in zip(piece.systems, comparisons, strict=True):
            yield (system, label), metric.statistics(comparison, threads=threads)


def gathered_counts(
    piece: Corpus, metrics: Mapping[str, Metric], *, threads: int, first: int
) -> Iterator[tuple[str, CorpusCounts]]:
    """What each metric gathers of a piece of a corpus, by its label."""
    sentences = _sentences(piece, metrics, threads)
    for label, metric in metrics.items():
        shared = sentences.get(metric.analyser_name)
        yield label, metric.gather(list(compare(piece, metric, shared, first=first)))


def _sentences(
    piece: Corpus, metrics: Mapping[str, Metric], threads: int
) -> dict[str | None, CorpusAnalysis]:
    columns: dict[str, frozenset[str]] = {}
    for metric in metrics.values():
        if metric.analyser_name is not None:
            before = columns.get(metric.analyser_name, frozenset())
            columns[metric.analyser_name] = before | metric.columns
    return {
        name: CorpusAnalysis(piece, analysis.shared(name), wanted, threads=threads)
        for name, wanted in columns.items()
    }
