"""Explains a TER: the shifts and edits that turn the hypothesis into the reference, each with what it costs.

Edits are told as all explanations tell them, from the reference's side: ``insert`` is a word that only the
hypothesis has, and ``delete`` one that only the reference has. TER, which corrects the hypothesis, calls them
the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from metaphrase.analysis.metric_text.sacrebleu_tokens import ENTITIES
from metaphrase.matching.edit_rate import EditSequence, find_edits
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import (
    Words,
    check_length,
    edit_leftovers,
    edit_links,
    explain_pair,
)
from metaphrase.metrics.explanation import EDITS, Edit, Explanation, Feature, Jump
from metaphrase.metrics.located_words import locate_words

if TYPE_CHECKING:
    from metaphrase.metrics.ter.metric import Ter

#: Nobody reads a longer list of edits, and drawings of it would be huge.
_LONGEST_EXPLAINED = 10_000
#: How often sacreBLEU's tokeniser goes over a reference. The second time splits *guy's .* if texts are
#: normalised, which the first made of *Guy's.*
REFERENCE_PASSES = 2


def explain(metric: Ter, comparison: Comparison) -> Explanation:
    """The explanation of a comparison of one segment with one reference."""
    hypothesis_text, reference_text = comparison.hypotheses[0], comparison.references[0][0]
    hypothesis = metric.words(hypothesis_text)
    reference = metric.words(reference_text, passes=REFERENCE_PASSES)
    check_length(max(len(hypothesis), len(reference)), _LONGEST_EXPLAINED, "edit by edit")
    score = float(metric.segment_score(metric.statistics(comparison))[0])
    numbers: dict[str, int] = {}
    sides = (SymbolRows.of_words([words], numbers) for words in (hypothesis, reference))
    (found,) = find_edits(*sides)
    share = score / found.edits if found.edits else 0.0
    edits = (*_shifts(found, len(hypothesis), share), *_edits(found, len(hypothesis), share))
    shifted = len(found.shifts)
    counted = (
        (EDITS, "words that differ", share * (found.edits - shifted)),
        ("shifts", "shifts", share * shifted),
    )
    features = [Feature(*one, contribution=one[-1]) for one in counted]
    words = (
        _placed(hypothesis, hypothesis_text, metric),
        _placed(reference, reference_text, metric, passes=REFERENCE_PASSES),
    )
    links, leftovers = edit_links(edits, 0.0), edit_leftovers(edits)
    return explain_pair(
        metric, comparison, words, links, leftovers, features, score=score, edits=edits
    )


def _shifts(found: EditSequence, length: int, share: float) -> Iterator[Edit]:
    """The shifts in their order, with words named by their places in the text."""
    order = list(range(length))
    for shift in found.shifts:
        moved = tuple(order[shift.start : shift.start + shift.length])
        order = shift.move(order)
        after = order.index(moved[-1]) + 1
        target = order[after] if after < length else length
        jump = Jump("hypothesis", moved[0], target, moved)
        yield Edit("shift", (), (), share, jump=jump)


def _edits(found: EditSequence, length: int, share: float) -> Iterator[Edit]:
    order = list(range(length))
    for shift in found.shifts:
        order = shift.move(order)
    i = j = 0
    for operation in found.operations:
        hypothesis = () if operation == "insert" else (order[i],)
        reference = () if operation == "delete" else (j,)
        state = {"match": "word", "insert": "delete", "delete": "insert"}.get(operation, operation)
        yield Edit(state, reference, hypothesis, 0.0 if operation == "match" else share)
        i += len(hypothesis)
        j += len(reference)


def _placed(words: Sequence[str], text: str, metric: Ter, *, passes: int = 1) -> Words:
    replaced = ENTITIES * passes if metric.normalises else ()
    return locate_words(words, text, lowercase=not metric.case_sensitive, replaced=replaced)
