"""Explains a score of ``accord``: what each penalty takes off it, and which words were aligned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.metrics.accord.features import losses_of
from metaphrase.metrics.accord.penalty_names import described
from metaphrase.metrics.cobalt.explanation import explain as explain_alignment
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import explain_pair, unlinked
from metaphrase.metrics.explanation import Explanation, Feature, Link, Word
from metaphrase.metrics.repairs.alignment import align
from metaphrase.metrics.repairs.words import Side

if TYPE_CHECKING:
    from metaphrase.metrics.accord.metric import Accord

_LAYER = "alignment"
#: Relations of words that are the same; others count half, in drawings.
_SAME = ("identical", "casing")


def explain(metric: Accord, comparison: Comparison) -> Explanation:
    """Explain the only segment of ``comparison``."""
    losses = metric.losses(comparison, 0, metric.asked)
    row = metric.scored(comparison, 0, losses)[0]
    score = float(metric.segment_score(row))
    predictions = metric.predict(np.array([score]), np.ones(1))
    return replace(
        _aligned(metric, comparison, score),
        metric=metric.variant_name if metric.higher_is_better else metric.label,
        signature=str(metric.signature(1)),
        score=score,
        higher_is_better=metric.higher_is_better,
        features=tuple(_features(metric, comparison, losses[0].tolist(), score)),
        prediction=None if predictions is None else predictions[0],
    )


def _features(
    metric: Accord, comparison: Comparison, losses: list[float], score: float
) -> Iterator[Feature]:
    """What the score begins with, and the penalties that change it, those that change it most first."""
    base = 100.0 if metric.higher_is_better else 0.0
    if base:
        yield Feature("base", "score of the reference", None, contribution=base)
    weights = metric.trained.features
    named = [one for one in zip(losses_of(metric.asked), losses, strict=True) if one[0] in weights]
    weighed = {name: weights[name] * loss for name, loss in named}
    whole = sum(weighed.values())
    changes: dict[str, list[str]] = {}
    for _, kind, change in metric.shifts(comparison):
        changes.setdefault(kind, []).append(change)
    for name, loss in sorted(named, key=lambda one: -weighed[one[0]]):
        if weighed[name]:
            words = "; ".join(changes.get(name, ())) or described(name)
            points = (score - base) * weighed[name] / whole
            yield Feature(name, words, loss, contribution=points)


def _aligned(metric: Accord, comparison: Comparison, score: float) -> Explanation:
    """The words of Cobalt's alignment if the model asks for it, else of that which repairs are made of."""
    if "alignment" in metric.asked:
        return explain_alignment(metric.aligner, comparison)
    (found,) = align(
        comparison.hypotheses,
        comparison.references[0],
        metric.lang,
        analyser=metric.analyser_name,
    )
    words = [_words(side) for side in (found.hypothesis, found.reference)]
    links = [
        Link(_LAYER, relation, (i,), (j,), 1.0 if relation in _SAME else 0.5, 1.0)
        for (i, j), relation in sorted(found.relations.items())
    ]
    leftovers = unlinked(_LAYER, words, links)
    return explain_pair(metric, comparison, words, links, leftovers, (), score=score)


def _words(side: Side) -> tuple[Word, ...]:
    return tuple(
        Word(word.form, word.start, word.end, 1.0, word.lemma or None, word.tag or None)
        for word in side.words
    )
