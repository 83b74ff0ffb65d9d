"""Explains a score of ``accord``: what each group of losses costs, and which words were aligned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from metaphrase.metrics.accord.features import GROUPS, LOSSES
from metaphrase.metrics.cobalt.explanation import explain as explain_alignment
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explanation import Explanation, Feature, Leftover

if TYPE_CHECKING:
    from metaphrase.metrics.accord.metric import Accord

#: What the points of the groups are taken from.
_WHOLE = "as good as the reference"
#: The group that has the words of a side that were not aligned.
_UNALIGNED = {"hypothesis": "words too many", "reference": "words missing"}


def explain(metric: Accord, comparison: Comparison) -> Explanation:
    """Explain the only segment of ``comparison``."""
    words = explain_alignment(metric.aligner, comparison)
    score, _, *lost = metric.statistics(comparison)[0].tolist()
    weights = metric.trained.features
    losses = metric.losses(comparison, 0)[0].tolist()
    cost = {name: loss * weights.get(name, 0.0) for name, loss in zip(LOSSES, losses, strict=True)}
    features = tuple(
        Feature(
            group,
            group,
            points,
            {name: cost[name] for name in names if cost[name]},
        )
        for (group, names), points in zip(GROUPS.items(), lost, strict=True)
        if any(name in weights for name in names)
    )
    parts = {_WHOLE: 100.0, **{one.name: 0.0 - (one.value or 0.0) for one in features}}
    points = sum(lost)
    cut = f"The losses cost {points:.1f} points, of which there are 100."
    return replace(
        words,
        metric=metric.name,
        signature=str(metric.signature(1)),
        score=score,
        leftovers=tuple(_priced(words.leftovers, parts)),
        features=features,
        parts=parts,
        notes=(cut,) if points > 100 else (),
    )


def _priced(leftovers: Sequence[Leftover], parts: Mapping[str, float]) -> Iterator[Leftover]:
    """The words with the points of their group, shared out by weight: they add up to it.

    The points of a group without such words stay with the group.
    """
    for side, group in _UNALIGNED.items():
        words = [rest for rest in leftovers if rest.side == side]
        whole = sum(rest.weight for rest in words)
        for rest in words:
            cost = 0.0 - parts[group] * rest.weight / whole if group in parts else None
            yield replace(rest, cost=cost)
