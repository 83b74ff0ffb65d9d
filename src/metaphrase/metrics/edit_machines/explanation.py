"""Explains a score of an edit machine: the best sequence of edits, and what each of them adds.

The score counts all sequences, the best of them most. Its edits share out what that sequence weighs; what all
the others add to the logarithm of the sum is a feature of its own, and so is α.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from metaphrase.analysis import Sentence
from metaphrase.matching.edit_machine import BestEdits, best_edits
from metaphrase.matching.edit_pairs import (
    DEPENDENCIES,
    STATES,
    SUBSTITUTIONS,
    EditPairs,
    feature_names,
)
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import (
    Words,
    check_length,
    edit_leftovers,
    edit_links,
    explain_pair,
    words_of,
)
from metaphrase.metrics.explanation import EDITS, Edit, Explanation, Feature, Jump
from metaphrase.trained.edit_model import EditModel

if TYPE_CHECKING:
    from metaphrase.metrics.edit_machines.metric import EditMachineMetric

#: With jumps, sentences of this length take half a minute.
_LONGEST_EXPLAINED = 1000


def explain(metric: EditMachineMetric, comparison: Comparison) -> Explanation:
    """The explanation of a comparison of one segment with one reference."""
    analysed = comparison.analysed
    model = metric.edit_model
    pairs = metric.pairs(comparison, 0)
    check_length(
        max(pairs.reference_lengths[0], pairs.hypothesis_lengths[0]),
        _LONGEST_EXPLAINED,
        "edit by edit",
    )
    score, _, log_sum, *lengths, limited = metric.predictions(pairs)[0].tolist()
    found = best_edits(pairs, model.vector(), options=model.machine)
    share = model.slope / max(sum(lengths), 1)
    edits = tuple(_edits(model, pairs, found, share))
    best = float(found.scores[0])
    features = (
        _summand(EDITS, "the best edit sequence", share * best),
        _summand("others", "other edit sequences", share * max(log_sum - best, 0.0)),
        _summand("alpha", "constant α", model.alpha),
    )
    return explain_pair(
        metric,
        comparison,
        [
            _words(analysed.batch[int(rows[0])])
            for rows in (analysed.hypotheses, *analysed.references)
        ],
        # The machine does not grade substitutions; drawings do, by half.
        edit_links(edits, 0.5),
        edit_leftovers(edits),
        features,
        score=score,
        edits=edits,
        notes=(metric.limit,) if limited else (),
    )


def _summand(name: str, description: str, value: float) -> Feature:
    return Feature(name, description, value, contribution=value)


def _words(sentence: Sentence) -> Words:
    tags = ("tag",) if sentence.tag else ()
    return words_of(sentence, [1.0] * len(sentence), "lemma", *tags)


def _edits(model: EditModel, pairs: EditPairs, found: BestEdits, share: float) -> Iterator[Edit]:
    """The edits of the only pair, each with its share of the score."""
    weights = dict(zip(feature_names(), model.vector().tolist(), strict=True))
    joined = {(i, j): DEPENDENCIES[label] for i, j, label in pairs.dependencies.tolist()}
    before = None
    for number, i, j, next_i, next_j in found.edits.tolist():
        state = STATES[number]
        jump = None
        if state.startswith("jump"):
            jump = Jump("reference", i, next_i) if next_i != i else Jump("hypothesis", j, next_j)
        cells = []
        if state in SUBSTITUTIONS:
            # A dependency counts where two substitutions meet, and in the middle of a block.
            cells += [(i, j)] if before in SUBSTITUTIONS else []
            cells += [(i + 1, j + 1)] if (next_i - i, next_j - j) == (2, 2) else []
        dependencies = tuple(joined[cell] for cell in cells if cell in joined)
        features = [f"U|{state}", f"B|{before}|{state}" if before else f"S|{state}"]
        features += [f"D|{dependency}" for dependency in dependencies]
        yield Edit(
            state,
            () if jump else tuple(range(i, next_i)),
            () if jump else tuple(range(j, next_j)),
            share * sum(weights[feature] for feature in features),
            dependencies,
            jump,
        )
        before = state
