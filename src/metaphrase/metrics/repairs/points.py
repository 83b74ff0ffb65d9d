"""What undoing each edit of a translation gains: the metric's own points, shared out exactly.

The worth of a set of edits is the score of the hypothesis with these undone. What an edit gains is its
Shapley value: the mean, over the orders in which edits can be undone, of what the score rises by. So the
gains add up to what lies between the score and that of the reference itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from metaphrase.corpus import Corpus
from metaphrase.corpus.normalisation import NormalisedText
from metaphrase.errors import OptionError
from metaphrase.metrics.comparison import compare
from metaphrase.metrics.corpus_counts import CorpusTotals, UncountedError
from metaphrase.metrics.explained_pair import check_length
from metaphrase.metrics.explanation import Repair, Span
from metaphrase.metrics.ragged_references import gathered
from metaphrase.metrics.repairs.alignment import align
from metaphrase.metrics.repairs.edits import edit_script
from metaphrase.metrics.repairs.kinds import kinds
from metaphrase.metrics.repairs.script import UNCHANGED, EditScript
from metaphrase.metrics.repairs.words import Side
from metaphrase.statistics.shapley import EXACT, coalitions, shapley_values
from metaphrase.threads import check_threads

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

#: Longer segments have more edits than anybody would read.
_MOST_WORDS = 1000
#: Of more edits, neighbours are undone together, so that no text is scored hundreds of times.
_MOST_PLAYERS = 32
#: Texts that are scored before progress is told.
_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class RepairedSegment:
    """All repairs of one translation, those that gain most first.

    Their points add up to ``maximum - score``; the maximum is the score of the reference itself. They are
    ``exact``, or means over a few orders where there are many edits. ``matched`` is the share of the words
    of the longer text that both have; where it is small, nothing can be told apart.
    """

    score: float
    maximum: float
    repairs: tuple[Repair, ...]
    matched: float
    exact: bool


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two texts as the metric compares them, and their places in the texts as given, if that differs."""

    script: EditScript
    hypothesis: NormalisedText
    reference: NormalisedText

    @property
    def players(self) -> int:
        """How many edits, or runs of neighbouring ones, are undone one by one."""
        return min(self.script.edits, _MOST_PLAYERS)

    def player(self, edit: int) -> int:
        """Which of them an edit belongs to."""
        return edit * self.players // self.script.edits

    @property
    def coalitions(self) -> dict[int, str]:
        """The hypothesis with sets of players undone, by their bits."""
        edits = range(self.script.edits)
        texts = {
            chosen: self.script.text([edit for edit in edits if chosen >> self.player(edit) & 1])
            for chosen in coalitions(self.players)
        }
        texts[0] = self.hypothesis.text
        if edits:
            texts[(1 << self.players) - 1] = self.reference.text
        return texts

    def points(self, worth: dict[int, float]) -> list[float]:
        """What each edit gains; edits of one player share its points by their words."""
        sizes = np.zeros(self.script.edits)
        for atom in self.script.atoms:
            if atom.edit != UNCHANGED:
                sizes[atom.edit] += atom.hypothesis[1] - atom.hypothesis[0]
                sizes[atom.edit] += atom.reference[1] - atom.reference[0]
        player = np.array([self.player(edit) for edit in range(len(sizes))], dtype=np.int64)
        whole = np.bincount(player, sizes, self.players)
        gained = shapley_values(self.players, worth)
        shares: list[float] = (gained[player] * sizes / whole[player]).tolist()
        return shares


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """Everything that a metric has to score for the repairs of some translations, each text once for each."""

    metric: Metric
    pairs: Sequence[_Pair]
    texts: Sequence[dict[int, str]]
    rows: dict[tuple[int, str], int]
    sources: Sequence[str] | None
    documents: Sequence[str] | None
    of_corpus: CorpusTotals | None

    @property
    def scores(self) -> int:
        """How many texts are to be scored."""
        return len(self.rows)

    def repaired(
        self, *, threads: int | None = None, progress: Callable[[int], None] | None = None
    ) -> Iterator[RepairedSegment]:
        """The repairs of each translation; ``progress`` is told how many texts are scored."""
        scores = self._scores(check_threads(threads), progress)
        for number, (pair, of_pair) in enumerate(zip(self.pairs, self.texts, strict=True)):
            worth = {chosen: scores[self.rows[number, text]] for chosen, text in of_pair.items()}
            yield _repaired(
                self.metric,
                pair,
                worth,
                scores[self.rows[number, pair.reference.text]],
                None if self.sources is None else self.sources[number],
            )

    def _scores(self, threads: int, progress: Callable[[int], None] | None) -> list[float]:
        """In one call, or in a few, so that there is progress to tell of."""
        texts = list(self.rows)
        size = max(len(texts), 1) if progress is None else _AT_ONCE
        found: list[float] = []
        for first in range(0, len(texts), size):
            found += self._scored(texts[first : first + size], threads)
            if progress is not None:
                progress(len(found))
        return found

    def _scored(self, texts: Sequence[tuple[int, str]], threads: int) -> list[float]:
        variants = Corpus(
            {"hypotheses": [text for _, text in texts]},
            [[self.pairs[number].reference.text for number, _ in texts]],
            sources=None if self.sources is None else [self.sources[n] for n, _ in texts],
            documents=None if self.documents is None else [self.documents[n] for n, _ in texts],
            empty_references="keep",
        )
        # What is to be said of the scores is said of those that were asked for, not of these.
        try:
            (comparison,) = compare(
                variants, self.metric, of_corpus=self.of_corpus, threads=threads
            )
            statistics = self.metric.statistics(comparison, threads=threads)
        except UncountedError:
            raise _beyond(self.metric) from None
        scores: list[float] = self.metric.segment_score(statistics).tolist()
        return scores


def plan_repairs(
    metric: Metric,
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    of_corpus: CorpusTotals | None = None,
) -> RepairPlan:
    """What is to be scored for the repairs of each hypothesis beside its reference.

    ``of_corpus`` has what the metric gathered of the corpus that they are from (:func:`corpus_totals`).
    """
    if (metric.needs_whole_corpus and of_corpus is None) or (
        metric.needs_documents and documents is None
    ):
        raise _beyond(metric)
    # Whoever has the texts has decided what becomes of references without any.
    corpus = Corpus(
        {"hypotheses": hypotheses},
        [references],
        sources=sources,
        documents=documents,
        empty_references="keep",
    )
    pairs = list(_pairs(metric, corpus.systems["hypotheses"], corpus.first_references))
    texts = [pair.coalitions for pair in pairs]
    rows: dict[tuple[int, str], int] = {}
    for number, (pair, of_pair) in enumerate(zip(pairs, texts, strict=True)):
        for text in (*of_pair.values(), pair.reference.text):
            rows.setdefault((number, text), len(rows))
    return RepairPlan(metric, pairs, texts, rows, sources, documents, of_corpus)


def corpus_totals(metric: Metric, corpus: Corpus) -> CorpusTotals | None:
    """What a metric that looks beyond the segment has to know of all segments, if that can be counted."""
    if not (metric.needs_whole_corpus and metric.gathers):
        return None
    return gathered(metric, list(compare(corpus, metric))).summed().totals()


def _beyond(metric: Metric) -> OptionError:
    return OptionError(
        "MP502",
        f"{metric.label} looks beyond the segment, so that single edits have no points.",
        hint="Ask a metric that scores segments by themselves.",
    )


def repairs(
    metric: Metric,
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    sources: Sequence[str] | None = None,
    of_corpus: CorpusTotals | None = None,
    threads: int | None = None,
) -> Iterator[RepairedSegment]:
    """The repairs of each hypothesis beside its reference, in order."""
    plan = plan_repairs(metric, hypotheses, references, sources=sources, of_corpus=of_corpus)
    yield from plan.repaired(threads=threads)


class _Scored(Protocol):
    @property
    def score(self) -> float:
        """With one reference."""


_Found = TypeVar("_Found", bound=_Scored)


def with_best_references(
    metric: Metric,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    sources: Sequence[str] | None,
    repaired: Callable[[list[str], list[str], list[str] | None], Sequence[_Found]],
) -> list[_Found]:
    """What ``repaired`` finds of each hypothesis beside the reference that it scores best with."""
    sign = 1.0 if metric.higher_is_better else -1.0
    found: list[list[_Found]] = [[] for _ in hypotheses]
    for column in references:
        texts = {row: text for row, text in enumerate(column) if text is not None}
        if texts:
            own = [hypotheses[row] for row in texts]
            read = None if sources is None else [sources[row] for row in texts]
            for row, one in zip(texts, repaired(own, list(texts.values()), read), strict=True):
                found[row].append(one)
    return [max(of_row, key=lambda one: sign * one.score) for of_row in found]


def _pairs(metric: Metric, hypotheses: Sequence[str], references: Sequence[str]) -> Iterator[_Pair]:
    form = NormalisedText.of if metric.normalise else NormalisedText.as_is
    own, other = (list(map(form, texts)) for texts in (hypotheses, references))
    aligned = align(
        [text.text for text in own],
        [text.text for text in other],
        metric.lang,
        analyser=metric.analyser_name,
    )
    for words, hypothesis, reference in zip(aligned, own, other, strict=True):
        longest = max(len(words.hypothesis.words), len(words.reference.words))
        check_length(longest, _MOST_WORDS, "by repairs")
        yield _Pair(edit_script(words), hypothesis, reference)


def _repaired(
    metric: Metric, pair: _Pair, worth: dict[int, float], maximum: float, source: str | None
) -> RepairedSegment:
    script = pair.script
    points = pair.points(worth)
    found = [
        _repair(pair, edit, kind, points[edit])
        for edit, kind in enumerate(kinds(script, metric.lang, source))
    ]
    sign = 1.0 if metric.higher_is_better else -1.0
    matched = sum(
        atom.reference[1] - atom.reference[0] for atom in script.atoms if atom.edit == UNCHANGED
    )
    longest = max(len(script.hypothesis.words), len(script.reference.words))
    return RepairedSegment(
        worth[0],
        maximum,
        tuple(sorted(found, key=lambda repair: -sign * repair.points)),
        matched / longest if longest else 1.0,
        script.edits <= EXACT,
    )


def _repair(pair: _Pair, edit: int, kind: str, points: float) -> Repair:
    atoms = [atom for atom in pair.script.atoms if atom.edit == edit]
    hypothesis, before, own_marks = _place(
        pair.script.hypothesis, pair.hypothesis, [atom.hypothesis for atom in atoms]
    )
    reference, after, other_marks = _place(
        pair.script.reference, pair.reference, [atom.reference for atom in atoms]
    )
    return Repair(kind, hypothesis, reference, before, after, points, own_marks, other_marks)


def _place(
    side: Side, text: NormalisedText, places: Sequence[tuple[int, int]]
) -> tuple[Span, str, tuple[Span, ...]]:
    """Where words are in the text as given, from the first to the last, these words, and each stretch."""
    stretches = _stretches(places)

    def span(first: int, last: int) -> Span:
        start, end = text.in_original(*_characters(side, first, last))
        return Span(start, end, text.original[start:end])

    words = " … ".join(side.phrase(*stretch) for stretch in stretches if stretch[0] < stretch[1])
    return (
        span(stretches[0][0], stretches[-1][1]),
        words,
        tuple(span(*stretch) for stretch in stretches),
    )


def _stretches(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places that have words, neighbours as one; the first place if none has any."""
    joined: list[tuple[int, int]] = []
    for start, end in [place for place in places if place[0] < place[1]] or places[:1]:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _characters(side: Side, first: int, last: int) -> tuple[int, int]:
    if first < last:
        return side.words[first].start, side.words[last - 1].end
    at = side.words[first].start if first < len(side.words) else len(side.text)
    return at, at
