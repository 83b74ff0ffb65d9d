"""Explanations of segments: what a metric shows of itself, and repairs, of all segments at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.corpus import Corpus
from metaphrase.corpus.normalisation import is_blank
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics.comparison import single_pair
from metaphrase.metrics.corpus_counts import CorpusTotals
from metaphrase.metrics.explanation import Explanation, Word
from metaphrase.metrics.repairs import RepairedSegment, RepairPlan, corpus_totals, plan_repairs
from metaphrase.metrics.repairs.words import split

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

#: Why texts that have a score may have no repairs, by the code of what is refused.
_UNREPAIRED = {
    "MP280": "half repaired texts are not among those that were analysed before.",
    "MP430": "the texts are too long to be aligned word by word.",
    "MP510": "the texts are too long to be read edit by edit.",
}
#: Told how many scores for how many segments are needed, it gives what is told how many are there.
Watched = Callable[[int, int], AbstractContextManager[Callable[[int], None] | None]]


def bare_view(metric: Metric, hypothesis: str, reference: str) -> Explanation:
    """Of a metric that shows nothing of itself: the words; the score is to be filled in."""
    sides = (
        tuple(Word(word.form, word.start, word.end, 1.0) for word in split(text).words)
        for text in (hypothesis, reference)
    )
    return Explanation(
        metric=metric.label,
        signature=str(metric.signature(1)),
        score=np.nan,
        hypothesis_text=hypothesis,
        reference_text=reference,
        hypothesis=next(sides),
        reference=next(sides),
        links=(),
        leftovers=(),
        features=(),
        higher_is_better=metric.higher_is_better,
    )


def explain_pair_alone(metric: Metric, view: Explanation) -> Explanation:
    """The view of two texts, with repairs; of a metric that looks beyond them they are the whole corpus."""
    corpus = single_pair(view.hypothesis_text, view.reference_text)
    (found,) = _with_repairs(metric, [view], of_corpus=corpus_totals(metric, corpus), threads=1)
    return found


@dataclass(frozen=True, eq=False)
class CorpusExplainer:
    """Explains segments of ``corpus``: each is a system, a row and the number of a reference."""

    metric: Metric
    corpus: Corpus

    def __call__(self, system: str, row: int, reference: int) -> Explanation:
        """One of them."""
        (found,) = self.explain([(system, row, reference)])
        return found

    def explain(
        self,
        places: Sequence[tuple[str, int, int]],
        *,
        watched: Watched = lambda scores, segments: nullcontext(),
    ) -> list[Explanation]:
        """All of them; the metric is given everything that it has to score in one go, or in a few.

        Before that ``watched`` is told how many scores for how many segments it takes; it may give a function
        that is told how many are there.
        """
        views = [self._view(*place) for place in places]
        rows = [row for _, row, _ in places]
        columns = self.corpus.sources, self.corpus.documents
        sources, documents = (
            None if column is None else [column[row] for row in rows] for column in columns
        )
        return _with_repairs(
            self.metric,
            views,
            sources=sources,
            documents=documents,
            of_corpus=self._totals,
            threads=1,
            watched=watched,
        )

    @cached_property
    def _view(self) -> Callable[[str, int, int], Explanation]:
        return self.metric.viewer(self.corpus)

    @cached_property
    def _totals(self) -> CorpusTotals | None:
        return corpus_totals(self.metric, self.corpus)


def _with_repairs(
    metric: Metric,
    views: Sequence[Explanation],
    *,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    of_corpus: CorpusTotals | None = None,
    threads: int | None = None,
    watched: Watched = lambda scores, segments: nullcontext(),
) -> list[Explanation]:
    """The views with repairs, where there can be any; else a note says why there are none."""

    def plan(chosen: Sequence[int]) -> RepairPlan:
        return plan_repairs(
            metric,
            [views[number].hypothesis_text for number in chosen],
            [views[number].reference_text for number in chosen],
            sources=None if sources is None else [sources[number] for number in chosen],
            documents=None if documents is None else [documents[number] for number in chosen],
            of_corpus=of_corpus,
        )

    def source(number: int) -> str | None:
        return None if sources is None else sources[number]

    found = [
        _scored(metric, view, source(number)) if is_blank(view.reference_text) else view
        for number, view in enumerate(views)
    ]
    told = [number for number, view in enumerate(views) if not is_blank(view.reference_text)]
    try:
        whole = plan(told)
        with watched(whole.scores, len(told)) as progress:
            repaired = list(whole.repaired(threads=threads, progress=progress))
        for number, segment in zip(told, repaired, strict=True):
            found[number] = _complete(metric, views[number], segment)
    except (InputError, OptionError):
        # Of several segments one may be to blame: then each goes by itself.
        for number in told:
            found[number] = _alone(metric, views[number], partial(plan, [number]), source(number))
    return found


def _alone(
    metric: Metric, view: Explanation, plan: Callable[[], RepairPlan], source: str | None
) -> Explanation:
    try:
        (segment,) = plan().repaired(threads=1)
    except OptionError as error:
        if error.code != "MP502" or np.isnan(view.score):
            raise
        return view
    except InputError as error:
        if error.code not in _UNREPAIRED and np.isnan(view.score):
            raise
        note = f"There are no repairs: {_UNREPAIRED.get(error.code, error.message)}"
        return _scored(metric, replace(view, notes=(*view.notes, note)), source)
    return _complete(metric, view, segment)


def _complete(metric: Metric, view: Explanation, segment: RepairedSegment) -> Explanation:
    return replace(
        _with_score(metric, view, segment.score),
        maximum=segment.maximum,
        repairs=segment.repairs,
        matched=segment.matched,
        exact_points=segment.exact,
    )


def _scored(metric: Metric, view: Explanation, source: str | None) -> Explanation:
    """The view with its score, if it has none: of texts that have no repairs."""
    if not np.isnan(view.score):
        return view
    corpus = single_pair(view.hypothesis_text, view.reference_text)
    texts = corpus.systems["hypothesis"], corpus.references
    sources = None if source is None else [source]
    (score,) = metric.segment_scores(*texts, sources=sources, threads=1).tolist()
    return _with_score(metric, view, score)


def _with_score(metric: Metric, view: Explanation, score: float) -> Explanation:
    """With the score, and where people's judgement lies, of a metric that shows nothing of itself."""
    if not np.isnan(view.score):
        return view
    predictions = metric.predict(np.array([score]), np.ones(1))
    return replace(view, score=score, prediction=None if predictions is None else predictions[0])
