"""What undoing each edit of a translation gains: the metric's own points, shared out exactly.

The worth of a set of edits is the score of the hypothesis with these undone. What an edit gains is its
Shapley value: the mean, over the orders in which edits can be undone, of what the score rises by. So the
gains add up to what lies between the score and that of the reference itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.corpus import Corpus
from metaphrase.corpus.normalisation import NormalisedText
from metaphrase.errors import OptionError
from metaphrase.metrics.explained_pair import check_length
from metaphrase.metrics.explanation import Repair, Span
from metaphrase.metrics.repairs.alignment import align
from metaphrase.metrics.repairs.edits import edit_script
from metaphrase.metrics.repairs.kinds import kinds
from metaphrase.metrics.repairs.script import UNCHANGED, EditScript
from metaphrase.metrics.repairs.words import Side
from metaphrase.metrics.sifted_statistics import sifted_statistics
from metaphrase.statistics.shapley import EXACT, coalitions, shapley_values
from metaphrase.threads import check_threads

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

#: Longer segments have more edits than anybody would read.
_MOST_WORDS = 1000
#: Of more edits, neighbours are undone together, so that no text is scored hundreds of times.
_MOST_PLAYERS = 32


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


def repairs(
    metric: Metric,
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    sources: Sequence[str] | None = None,
    threads: int | None = None,
) -> Iterator[RepairedSegment]:
    """The repairs of each hypothesis beside its reference, in order."""
    if metric.needs_whole_corpus or metric.needs_documents:
        raise OptionError(
            "MP502",
            f"{metric.label} looks beyond the segment, so that single edits have no points.",
            hint="Ask a metric that scores segments by themselves.",
        )
    corpus = Corpus({"hypotheses": hypotheses}, [references], sources=sources)
    pairs = list(_pairs(metric, corpus.systems["hypotheses"], corpus.first_references))
    texts = [pair.coalitions for pair in pairs]
    # Every text once for each reference, and the reference itself.
    rows: dict[tuple[int, str], int] = {}
    for number, (pair, of_pair) in enumerate(zip(pairs, texts, strict=True)):
        for text in (*of_pair.values(), pair.reference.text):
            rows.setdefault((number, text), len(rows))
    variants = Corpus(
        {"hypotheses": [text for _, text in rows]},
        [[pairs[number].reference.text for number, _ in rows]],
        sources=None if sources is None else [sources[number] for number, _ in rows],
    )
    workers = check_threads(threads, "MP519")
    # What is to be said of the scores is said of those that were asked for, not of these.
    statistics = sifted_statistics(variants, metric, threads=workers, on_error="stop").rows
    scores = np.asarray(metric.segment_score(statistics), dtype=np.float64).tolist()
    for number, (pair, of_pair) in enumerate(zip(pairs, texts, strict=True)):
        worth = {chosen: scores[rows[number, text]] for chosen, text in of_pair.items()}
        yield _repaired(
            metric,
            pair,
            worth,
            scores[rows[number, pair.reference.text]],
            None if sources is None else sources[number],
        )


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
    hypothesis, before = _place(
        pair.script.hypothesis, pair.hypothesis, [atom.hypothesis for atom in atoms]
    )
    reference, after = _place(
        pair.script.reference, pair.reference, [atom.reference for atom in atoms]
    )
    return Repair(kind, hypothesis, reference, before, after, points)


def _place(side: Side, text: NormalisedText, places: Sequence[tuple[int, int]]) -> tuple[Span, str]:
    """Where words are in the text as given, and these words."""
    filled = [place for place in places if place[0] < place[1]]
    start, end = text.in_original(*_characters(side, filled or places[:1]))
    return Span(start, end, text.original[start:end]), _phrase(side, filled)


def _characters(side: Side, places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    first, last = places[0][0], places[-1][1]
    if first < last:
        return side.words[first].start, side.words[last - 1].end
    at = side.words[first].start if first < len(side.words) else len(side.text)
    return at, at


def _phrase(side: Side, places: Sequence[tuple[int, int]]) -> str:
    joined: list[tuple[int, int]] = []
    for start, end in places:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return " … ".join(side.phrase(*place) for place in joined)
