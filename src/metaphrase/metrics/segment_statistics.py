"""Statistics of segments: what all scores are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from metaphrase import analysis
from metaphrase.arrays import FloatArray, spread
from metaphrase.corpus import Corpus
from metaphrase.errors import MetaphraseError, ResourceError
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import (
    Comparison,
    CorpusAnalysis,
    check_documents,
    check_sources,
    check_word_pairs,
    compare,
)
from metaphrase.metrics.corpus_counts import CorpusCounts, CorpusTotals, UncountedError
from metaphrase.metrics.ragged_references import gathered
from metaphrase.metrics.refusals import Refusal, Refusals, kept_rows, reason

#: Statistics by system.
_BySystem = dict[str, FloatArray]


def segment_statistics(
    piece: Corpus,
    metrics: Mapping[str, Metric],
    *,
    threads: int,
    first: int,
    of_corpus: Mapping[str, CorpusTotals] | None = None,
    refusals: Refusals | None = None,
) -> Iterator[tuple[tuple[str, str], FloatArray]]:
    """Statistics by system and label of a metric, of texts from segment ``first`` on.

    All systems of a metric come one after the other. Each analyser is asked once, for the columns of all
    metrics that share it. ``of_corpus`` has what metrics gathered of the corpus that this is a piece of.

    Without ``refusals`` a segment that a metric refuses is an error. Else it is noted there, and the rows of
    the segment are NaN for all systems; of a piece without any other segment not even their width is known,
    which is 0 then.
    """
    sentences = _sentences(piece, metrics, threads, first, refusals)
    totals = of_corpus or {}
    for label, metric in metrics.items():
        shared = sentences.get(metric.analyser_name)
        of_metric = totals.get(label)
        if refusals is None:
            comparisons = compare(piece, metric, shared, first=first, of_corpus=of_metric)
            for system, comparison in zip(piece.systems, comparisons, strict=True):
                yield (system, label), metric.statistics(comparison, threads=threads)
            continue
        attempt = _Attempt(label, metric, threads)
        for system, rows in attempt.sifted(piece, shared, first, of_metric, refusals).items():
            yield (system, label), rows


def gathered_counts(
    piece: Corpus,
    metrics: Mapping[str, Metric],
    *,
    threads: int,
    first: int,
    refusals: Refusals | None = None,
) -> Iterator[tuple[str, CorpusCounts]]:
    """What each metric gathers of a piece of a corpus, by its label.

    With ``refusals`` nothing is counted of a segment that the metric would refuse to score, so that the piece
    is scored to find out.
    """
    sentences = _sentences(piece, metrics, threads, first, refusals)
    for label, metric in metrics.items():
        shared = sentences.get(metric.analyser_name)
        if refusals is None:
            yield label, gathered(metric, list(compare(piece, metric, shared, first=first)))
            continue
        attempt = _Attempt(label, metric, threads)
        attempt.sifted(piece, shared, first, None, refusals)
        kept = refusals.kept(label, first, len(piece))
        if kept.all() and (shared is not None or metric.analyser_name is None):
            yield label, gathered(metric, list(compare(piece, metric, shared, first=first)))
        elif kept.any():
            rest = piece.select(np.flatnonzero(kept).tolist())
            yield label, gathered(metric, list(compare(rest, metric, threads=threads)))
        else:
            yield label, CorpusCounts.nothing()


def _sentences(
    piece: Corpus,
    metrics: Mapping[str, Metric],
    threads: int,
    first: int,
    refusals: Refusals | None,
) -> dict[str | None, CorpusAnalysis]:
    columns: dict[str, frozenset[str]] = {}
    normalise: dict[str, set[bool]] = {}
    for metric in metrics.values():
        if metric.analyser_name is not None:
            before = columns.get(metric.analyser_name, frozenset())
            columns[metric.analyser_name] = before | metric.columns
            normalise.setdefault(metric.analyser_name, set()).add(metric.normalise)
    found: dict[str | None, CorpusAnalysis] = {}
    for name, wanted in columns.items():
        analyser = analysis.shared(name)
        try:
            for metric in (one for one in metrics.values() if one.analyser_name == name):
                check_word_pairs(piece, metric, first=first, threads=threads)
            found[name] = CorpusAnalysis(
                piece, analyser, wanted, normalise=sorted(normalise[name]), threads=threads
            )
        except Exception as error:
            # Whoever asks for the sentences finds out which of them it is.
            if refusals is None or reason(error) is None:
                raise
    return found


@dataclass(frozen=True, slots=True)
class _Attempt:
    """Scores segments with a metric that may refuse some, and finds out which.

    A kernel that refuses one segment gives no statistics of the others either. So a batch that is refused is
    cut in halves until the segment stands alone. That costs something only where there is something to find.
    """

    label: str
    metric: Metric
    threads: int

    def sifted(
        self,
        piece: Corpus,
        sentences: CorpusAnalysis | None,
        first: int,
        of_corpus: CorpusTotals | None,
        refusals: Refusals,
    ) -> _BySystem:
        """Statistics by system, with NaN for segments that are noted among the refusals."""
        # An id that is missing is a fault of the file, not of a segment.
        check_documents(piece, self.metric)
        check_sources(piece, self.metric)
        try:
            comparisons = compare(
                piece,
                self.metric,
                sentences,
                first=first,
                of_corpus=of_corpus,
                threads=self.threads,
            )
            return {one.system: self._rows(one) for one in comparisons}
        except UncountedError:
            # What was refused in the first pass was not counted.
            if of_corpus is None:
                raise
        except Exception as error:
            if reason(error, self.metric) is None:
                raise
        found: list[Refusal] = []
        halves = self._halved(piece, first, found)
        refusals.add(found)
        if not self.metric.needs_whole_corpus:
            return halves
        kept = kept_rows((one.segment for one in found), first, len(piece))
        if not kept.any():
            return halves
        rest = piece if kept.all() else piece.select(np.flatnonzero(kept).tolist())
        comparisons = compare(rest, self.metric, of_corpus=of_corpus, threads=self.threads)
        return {one.system: spread(self._rows(one), kept) for one in comparisons}

    def _halved(self, piece: Corpus, first: int, found: list[Refusal]) -> _BySystem:
        """Statistics as if the piece were all there is, and what was refused of it."""
        try:
            return self._all_systems(piece, first)
        except Exception as error:
            why = reason(error, self.metric)
            if why is None:
                raise
        if len(piece) == 1:
            found += self._alone(piece, first, why)
            return {system: np.empty((1, 0)) for system in piece.systems}
        middle = len(piece) // 2
        one = self._halved(piece[:middle], first, found)
        other = self._halved(piece[middle:], first + middle, found)
        return {system: stacked([one[system], other[system]]) for system in piece.systems}

    def _alone(self, segment: Corpus, number: int, why: MetaphraseError) -> Iterator[Refusal]:
        """Which systems it is about, of a segment that is refused for one of them."""
        concerned: dict[str | None, MetaphraseError] = {}
        for system, texts in segment.systems.items():
            alone = Corpus(
                {system: texts},
                segment.references,
                **{name: getattr(segment, name) for name in ("sources", "documents")},
                empty_references="keep",
            )
            try:
                self._all_systems(alone, number)
            except Exception as error:
                if (of_system := reason(error, self.metric)) is None:
                    raise
                concerned[system] = of_system
        everybody = len(segment.systems) > 1 and len(concerned) == len(segment.systems)
        if everybody or not concerned:
            concerned = {None: why}
        for whose, fault in concerned.items():
            yield Refusal(self.label, number, whose, fault.code, fault.message)

    def _all_systems(self, corpus: Corpus, first: int) -> _BySystem:
        comparisons = compare(corpus, self.metric, first=first, threads=self.threads)
        return {one.system: self._rows(one) for one in comparisons}

    def _rows(self, comparison: Comparison) -> FloatArray:
        rows = self.metric.statistics(comparison, threads=self.threads)
        if not np.isfinite(rows).all():
            raise ResourceError("MP524", f"the statistics of {self.label} are no finite numbers.")
        return rows


def stacked(arrays: list[FloatArray]) -> FloatArray:
    """Rows one after the other; those of segments that were refused, as wide as the others, are NaN."""
    width = max(rows.shape[1] for rows in arrays)
    return np.concatenate(
        [rows if rows.shape[1] == width else np.full((len(rows), width), np.nan) for rows in arrays]
    )
