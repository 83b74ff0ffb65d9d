"""Texts that a metric compares each with each, every one of them read once.

Choosing among candidates asks for the scores of all pairs of a few texts. Whatever a metric makes of a text,
its analysis, its words, its n-grams, is made once, and kernels run over pairs of row numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from metaphrase import analysis
from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.corpus.normalisation import normalise
from metaphrase.corpus.validation import is_listed, not_a_column
from metaphrase.errors import OptionError
from metaphrase.metrics.comparison import Analysed, Comparison, RowTexts

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

#: Pairs that are compared at once: enough for the kernels, and few enough for the memory.
_PAIRS = 32_768


class TextTable:
    """Distinct texts, and the scores of pairs of them.

    Scores are those of ``segment_scores`` for a hypothesis with one reference, to the last bit.
    """

    def __init__(self, metric: Metric, texts: Sequence[str], *, threads: int = 1) -> None:
        if metric.needs_documents:
            raise OptionError(
                "MP859",
                f"{metric.label} looks at documents, and candidates of a sentence are none.",
                hint=f"Choose by {metric.name} without them, or by another metric.",
            )
        if not is_listed(texts):
            raise not_a_column("texts", texts, "a list of strings")
        self.metric = metric
        self.texts = list(map(normalise, texts) if metric.normalise else texts)
        self.threads = threads
        #: The source of each text, if there are any.
        self.sources: Sequence[str] | None = None
        self._made: dict[str, Any] = {}
        self._batch = None
        if metric.analyser_name is not None:
            analyser = analysis.shared(metric.analyser_name)
            self._batch = analyser.analyse(self.texts, metric.columns, threads=threads)

    def scores(self, hypotheses: Int32Array, *references: Int32Array) -> FloatArray:
        """Of each hypothesis with the reference, or the references, in its place, all by row."""
        # A metric that needs the whole corpus takes the pairs for it.
        pairs = max(len(hypotheses), 1) if self.metric.needs_whole_corpus else _PAIRS
        found = [
            self._scores(*(rows[start : start + pairs] for rows in (hypotheses, *references)))
            for start in range(0, len(hypotheses), pairs)
        ]
        return np.concatenate([np.empty(0), *found])

    def matrices(self, sides: Sequence[tuple[Int32Array, Int32Array]]) -> Iterator[FloatArray]:
        """Of each pair of candidates and references, by rows, the scores of each with each."""
        if self.metric.needs_whole_corpus:
            for candidates, references in sides:
                yield self._crossed([(candidates, references)])[0]
            return
        # Small ones together, so that a kernel is not called for a few pairs.
        waiting: list[tuple[Int32Array, Int32Array]] = []
        for candidates, references in sides:
            waiting.append((candidates, references))
            if sum(len(one) * len(other) for one, other in waiting) >= _PAIRS:
                yield from self._crossed(waiting)
                waiting = []
        yield from self._crossed(waiting)

    def matrix(self, candidates: Int32Array, references: Int32Array) -> FloatArray:
        """The scores of each candidate with each reference, by rows: (candidates, references)."""
        return next(self.matrices([(candidates, references)]))

    def summed(
        self, candidates: Int32Array, references: Int32Array, weights: FloatArray
    ) -> FloatArray:
        """The statistics of each candidate with every reference, times its weight, added up."""
        raise OptionError(
            "MP852",
            f"{self.metric.label} is not made of counts, so that references cannot be aggregated for it.",
            hint="bleu, chrf, chrf++ and nist are.",
        )

    def _crossed(self, sides: Sequence[tuple[Int32Array, Int32Array]]) -> list[FloatArray]:
        if not sides:
            return []
        hypotheses = [np.repeat(one, len(other)) for one, other in sides]
        references = [np.tile(other, len(one)) for one, other in sides]
        found = self.scores(np.concatenate(hypotheses), np.concatenate(references))
        ends = np.cumsum([len(rows) for rows in hypotheses])[:-1]
        return [
            scores.reshape(len(one), len(other))
            for scores, (one, other) in zip(np.split(found, ends), sides, strict=True)
        ]

    def _scores(self, hypotheses: Int32Array, *references: Int32Array) -> FloatArray:
        sentences = None
        if self._batch is not None:
            sentences = Analysed(self._batch, hypotheses, references)
        comparison = Comparison(
            hypotheses=RowTexts(self.texts, hypotheses),
            references=[RowTexts(self.texts, rows) for rows in references],
            sources=None if self.sources is None else RowTexts(self.sources, hypotheses),
            sentences=sentences,
            _made_of_all=self._made,
        )
        return self.metric.segment_score(self.metric.statistics(comparison, threads=self.threads))
