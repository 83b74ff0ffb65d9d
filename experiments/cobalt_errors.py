"""Errors by UPF-Cobalt's own means: which words its alignment leaves over, and which it finds to differ.

The paper names the location and classification of errors as future work; this trial of it is no part of the
package, since repairs mark errors better (docs/results/cobalt.md). A word costs what P and R lose by
it, ``(1 − α)`` and ``α`` of its weight times what it is not worth, over the weight of its side; that is the
score's loss if the mean of P and R were arithmetic. Nothing is scored again, unlike for repairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaphrase.metrics.explanation import Explanation, Link, Repair, Span, Word
from metaphrase.metrics.repairs import RepairedSegment
from metaphrase.metrics.repairs.kinds import EXTRA, MISSING

#: What differs where two words of one lemma or stem, or of none, are aligned.
_KINDS = {"lemma": "inflection", "stem": "inflection"}
#: A word that stands in another context: somewhere else, or in the same place with other relations.
MOVED, RELATED = "word order", "syntax"


def aligned_errors(explanation: Explanation, alpha: float) -> RepairedSegment:
    """What the alignment shows, as repairs: those that cost most first."""
    found = [*_differences(explanation, alpha), *_leftovers(explanation, alpha)]
    found.sort(key=lambda one: -one.points)
    linked = sum(len(link.hypothesis) for link in explanation.links)
    longer = max(len(explanation.hypothesis), len(explanation.reference), 1)
    return RepairedSegment(explanation.score, 1.0, tuple(found), linked / longer, exact=False)


def _differences(explanation: Explanation, alpha: float) -> Iterator[Repair]:
    """Aligned words that are not worth 1, by what costs more: the words or their contexts."""
    links = sorted(explanation.links, key=lambda link: link.hypothesis)
    for place, link in enumerate(links):
        if (lost := 1 - max(link.similarity - link.penalty, 0.01)) <= 0:
            continue
        kind = _KINDS.get(link.kind, "wrong word")
        if link.penalty > 1 - link.similarity:
            kind = MOVED if _crosses(links, place) else RELATED
        yield _repair(explanation, kind, link.hypothesis, link.reference, lost, alpha)


def _crosses(links: Sequence[Link], place: int) -> bool:
    """Whether the word before, or that behind, has its partner on the other side."""
    here = links[place].reference
    before, after = links[max(place - 1, 0)].reference, links[place + 1 : place + 2]
    return before > here or any(link.reference < here for link in after)


def _leftovers(explanation: Explanation, alpha: float) -> Iterator[Repair]:
    """Runs of words without partners: a wrong word where both sides have one in the same place."""
    partner = {i: link.reference for link in explanation.links for i in link.hypothesis}
    taken = {j for places in partner.values() for j in places}
    count = len(explanation.reference)
    rest = {
        run[0]: run for run in _runs([j for j in range(count) if j not in taken])
    }  # by their first word
    ends = {run[-1]: run[0] for run in rest.values()}
    free = [i for i in range(len(explanation.hypothesis)) if i not in partner]
    for run in _runs(free):
        before, after = partner.get(run[0] - 1, (-1,)), partner.get(run[-1] + 1, (count,))
        first = before[-1] + 1 if before[-1] + 1 in rest else ends.get(after[0] - 1)
        other = () if first is None else rest.pop(first, ())
        yield _repair(explanation, "wrong word" if other else EXTRA, run, other, 1.0, alpha)
    for run in rest.values():
        yield _repair(explanation, MISSING, (), run, 1.0, alpha)


def _runs(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Neighbours together."""
    run: tuple[int, ...] = ()
    for place in places:
        if run and place != run[-1] + 1:
            yield run
            run = ()
        run = (*run, place)
    if run:
        yield run


def _repair(
    explanation: Explanation,
    kind: str,
    hypothesis: Sequence[int],
    reference: Sequence[int],
    lost: float,
    alpha: float,
) -> Repair:
    before, of_before = _side(explanation.hypothesis, hypothesis, explanation.hypothesis_text)
    after, of_after = _side(explanation.reference, reference, explanation.reference_text)
    if not any(character.isalnum() for character in before.text + after.text):
        kind = "punctuation"
    points = lost * ((1 - alpha) * of_before + alpha * of_after)
    marks = ((span,) if span.end else () for span in (before, after))
    return Repair(kind, before, after, before.text, after.text, points, *marks)


def _side(words: Sequence[Word], places: Sequence[int], text: str) -> tuple[Span, float]:
    """Where words of one side stand, and their share of its weight."""
    whole = sum(word.weight for word in words) or 1.0
    share = sum(words[place].weight for place in places) / whole
    start, end = (words[places[0]].start, words[places[-1]].end) if places else (0, 0)
    return Span(start, end, text[start:end]), share
