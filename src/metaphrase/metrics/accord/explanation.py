"""Explains a score of ``accord``: what each group of losses costs, and which words were aligned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.matching.spelling_vectors import spelling_vectors
from metaphrase.metrics.accord.context import CONTEXT
from metaphrase.metrics.accord.context_explanation import WordPoints, explain_context
from metaphrase.metrics.accord.features import GROUPS, losses_of, words_of
from metaphrase.metrics.cobalt.explanation import explain as explain_alignment
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import explain_pair, unlinked
from metaphrase.metrics.explanation import Explanation, Feature, Leftover, Link
from metaphrase.metrics.located_words import locate_words

if TYPE_CHECKING:
    from metaphrase.metrics.accord.metric import Accord

#: What the points of the groups are taken from.
_WHOLE = "as good as the reference"
#: The group that has the words of a side that were not aligned.
_UNALIGNED = {"hypothesis": "words too many", "reference": "words missing"}
_LAYER = "alignment"
#: How alike words must be spelt to be shown as a pair.
_ALIKE = 0.5


def explain(metric: Accord, comparison: Comparison) -> Explanation:
    """Explain the only segment of ``comparison``."""
    families = metric.asked
    row = metric.statistics(comparison)[0]
    score = float(metric.segment_score(row))
    lost = row[2 : 2 + len(GROUPS)]
    if metric.points == "words" and row[0] > 0:
        lost = lost * (score / row[0])
    points = lost.tolist()
    weights = metric.trained.weights(losses_of(families))
    weighed = metric.losses(comparison, 0, families)[0] * weights
    # What a weighed loss is in points; all of them together are what the score lacks.
    rate = sum(points) / weighed.sum() if weighed.any() else 0.0
    cost = dict(zip(losses_of(families), (weighed * rate).tolist(), strict=True))
    named: dict[str, list[str]] = {}
    for _, kind, change in metric.shifts(comparison):
        named.setdefault(kind, []).append(change)
    features = tuple(
        Feature(group, group, cost_of_group, _details(names, cost, named))
        for (group, names), cost_of_group in zip(GROUPS.items(), points, strict=True)
        if not metric.trained.features.keys().isdisjoint(names)
    )
    costs = {one.name: one.value or 0.0 for one in features}
    parts = (
        {_WHOLE: 100.0, **{name: 0.0 - lost for name, lost in costs.items()}}
        if metric.higher_is_better
        else dict(costs)
    )
    in_words: WordPoints = {}
    if metric.in_context:
        analysed = comparison.analysed
        rows = analysed.hypotheses, analysed.references[0]
        _, aligned = metric.aligned(comparison, rows)
        in_context = metric.context_words(comparison)
        feature, in_words = explain_context(in_context, rows, aligned, analysed.batch, cost)
        features += (feature,)
        # These points are those of single words already, and are not shared out.
        for group in costs:
            costs[group] -= sum(cost.get(name, 0.0) for name in GROUPS[group] if name in CONTEXT)
    words = _aligned(metric, comparison, score)
    # Points of MQM are added to the score and not taken off.
    sign = 1.0 if metric.higher_is_better else -1.0
    predictions = metric.predict(np.array([score]), np.ones(1))
    return replace(
        words,
        metric=metric.variant_name if metric.higher_is_better else metric.label,
        signature=str(metric.signature(1)),
        score=score,
        higher_is_better=metric.higher_is_better,
        leftovers=tuple(_priced(words.leftovers, costs, in_words, sign)),
        features=features,
        parts=parts,
        prediction=None if predictions is None else predictions[0],
    )


def _details(
    names: Sequence[str], cost: Mapping[str, float], named: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """What each penalty costs; what changes a meaning is said in words, which share its points."""
    details: dict[str, float] = {}
    for name in names:
        if points := cost.get(name, 0.0):
            words = named.get(name) or [name]
            for one in words:
                details[one] = details.get(one, 0.0) + points / len(words)
    return details


def _aligned(metric: Accord, comparison: Comparison, score: float) -> Explanation:
    """The aligned words: those of Cobalt's aligner if the language has it, else words of like spelling."""
    if "alignment" in metric.asked:
        return explain_alignment(metric.aligner, comparison)
    texts = comparison.hypotheses[0], comparison.references[0][0]
    words = []
    for text in texts:
        located = locate_words(words_of(text), text, lowercase=True)
        words.append(tuple(replace(word, form=text[word.start : word.end]) for word in located))
    links = list(_alike(*map(words_of, texts)))
    return explain_pair(
        metric, comparison, words, links, unlinked(_LAYER, words, links), (), score=score
    )


def _alike(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[Link]:
    """Pairs of words, the most alike first, and of those the ones that stand in the most similar places."""
    vectors = spelling_vectors([*hypothesis, *reference])
    likeness = vectors[: len(hypothesis)] @ vectors[len(hypothesis) :].T
    equal = np.array(hypothesis, dtype=object)[:, None] == np.array(reference, dtype=object)
    likeness = np.where(equal, 1.0, np.minimum(likeness, 0.99)).astype(np.float64)
    pairs = [
        (-round(float(likeness[i, j]), 6), abs(i * len(reference) - j * len(hypothesis)), i, j)
        for i, j in np.argwhere(likeness >= _ALIKE).tolist()
    ]
    used: tuple[set[int], set[int]] = set(), set()
    for unlike, _, i, j in sorted(pairs):
        if i not in used[0] and j not in used[1]:
            used[0].add(i)
            used[1].add(j)
            kind = "identical" if unlike == -1.0 else "spelling"
            yield Link(_LAYER, kind, (i,), (j,), -unlike, 1.0)


def _priced(
    leftovers: Sequence[Leftover], costs: Mapping[str, float], in_words: WordPoints, sign: float
) -> Iterator[Leftover]:
    """The words with the points of their group, shared out by weight, and with those of their own.

    The points of a group without such words stay with the group.
    """
    for side, group in _UNALIGNED.items():
        words = [rest for rest in leftovers if rest.side == side]
        whole = sum(rest.weight for rest in words)
        for rest in words:
            own = sum(in_words.get((side, word), 0.0) for word in rest.words)
            cost = own + costs[group] * rest.weight / whole if group in costs else None
            yield replace(rest, cost=None if cost is None else sign * cost)
