"""A sentence of which a metric refuses some candidates: the best of the others is chosen.

What cannot be measured can neither be chosen nor stand in for a reference. If nothing can be measured, the
first candidate is taken, for every sentence has one in the output, and nothing is said of how good it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np

from metaphrase.errors import MetaphraseError
from metaphrase.metrics import Metric
from metaphrase.metrics.refusals import reason
from metaphrase.selection.candidates import Candidates
from metaphrase.selection.result import Selection

Made = TypeVar("Made")


def attempt(
    make: Callable[[], Made], metrics: Sequence[Metric]
) -> tuple[Made, None] | tuple[None, MetaphraseError]:
    """What ``make`` makes, or why a metric refused it; other errors are raised."""
    try:
        return make(), None
    except Exception as error:
        why = reason(error, metrics[0] if len(metrics) == 1 else None)
        if why is None:
            raise
        return None, why


def kept_candidates(
    sentence: Candidates, refused: dict[str, str]
) -> tuple[Candidates | None, list[int]]:
    """The sentence without the texts that are refused, and the places of its candidates, if any is left."""
    places = [place for place, text in enumerate(sentence.texts) if text not in refused]
    samples = sentence.texts if sentence.samples is None else sentence.samples
    rows = [row for row, text in enumerate(samples) if text not in refused]
    weights = None if sentence.weights is None else np.asarray(sentence.weights)[rows]
    if not places or not rows or (weights is not None and not weights.any()):
        return None, []
    left = Candidates(
        texts=[sentence.texts[place] for place in places],
        samples=None if sentence.samples is None else [samples[row] for row in rows],
        weights=weights,
        references=sentence.references,
        source=sentence.source,
        name=sentence.name,
    )
    return left, places


def best_of_the_others(
    sentence: Candidates,
    metrics: Sequence[Metric],
    choose: Callable[[Candidates], Selection],
    *,
    measure: Callable[[Candidates], Selection],
) -> Selection:
    """What ``choose`` chooses of a sentence without the texts that ``measure`` cannot measure alone."""
    refused: dict[str, str] = {}
    for text in dict.fromkeys([*sentence.texts, *(sentence.samples or ())]):
        alone = Candidates(texts=[text], references=sentence.references, source=sentence.source)
        _, why = attempt(partial(measure, alone), metrics)
        if why is not None:
            refused[text] = f"[{why.code}] {why.message}"
    left, places = kept_candidates(sentence, refused)
    found: Selection | None = None
    if left is not None:
        found, why = attempt(partial(choose, left), metrics)
        if why is not None:  # what stands alone is refused beside others
            refused |= dict.fromkeys(sentence.texts, f"[{why.code}] {why.message}")
    count = len(sentence)
    concatenated: frozenset[int] = frozenset()
    utilities, by_metric = np.full(count, np.nan), np.full((len(metrics), count), np.nan)
    order = np.arange(count)
    if found is not None:
        utilities[places], by_metric[:, places] = found.utilities, found.by_metric
        best_first = np.array(places)[found.order]
        concatenated = frozenset(places[place] for place in found.concatenated)
        order = np.concatenate([best_first, np.setdiff1d(order, best_first)])
    return Selection(
        candidates=sentence,
        metrics=metrics,
        utilities=utilities,
        by_metric=by_metric,
        order=order,
        pairs=0 if found is None else found.pairs,
        possible=0 if found is None else found.possible,
        refused={
            place: refused.get(text, "no sample was left to compare it with")
            for place, text in enumerate(sentence.texts)
            if found is None or text in refused
        },
        concatenated=concatenated,
    )
