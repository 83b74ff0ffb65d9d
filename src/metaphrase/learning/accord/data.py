"""What ``accord`` learns from: losses of judged translations beside people's scores or preferences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.judgements import Judgements
from metaphrase.errors import InputError
from metaphrase.meta.measures import preferences
from metaphrase.metrics import compare
from metaphrase.metrics.accord.features import LOSSES
from metaphrase.metrics.accord.metric import Accord

_PIECE = 2048


@dataclass(frozen=True, slots=True, eq=False)
class JudgedLosses:
    """One set of judgements of one language pair.

    ``losses`` has a row for each scored translation, whose standardised score ``human`` has, or for each pair
    of translations of which people prefer the first: the losses of the second less those of the first.
    ``references`` are what the translations were compared with.
    """

    name: str
    language_pair: str
    losses: FloatArray
    human: FloatArray | None
    references: frozenset[str] = frozenset()

    @property
    def is_ranked(self) -> bool:
        """Whether rows are preferences."""
        return self.human is None

    def shares_texts_with(self, other: JudgedLosses) -> bool:
        """Whether more than one in a hundred references of the smaller set are in the other one, too."""
        common = len(self.references & other.references)
        return common * 100 > min(len(self.references), len(other.references))


def judged_losses(
    judged: Judgements,
    metric: Accord,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> JudgedLosses:
    """Compare every judged translation with its references; several references count by their mean."""
    losses = _losses(judged, metric, threads, progress)
    name, pair = judged.name, judged.language_pair
    references = frozenset(one for text in judged.texts for one in text.references)
    if judged.is_ranked:
        pairs = preferences(judged)
        first, second = (
            judged.text_of[system, pairs.segment] for system in (pairs.first, pairs.second)
        )
        keep = (pairs.order != 0) & (first != second)
        differences = (losses[second] - losses[first]) * pairs.order[:, None]
        if not keep.any():
            raise _no_difference(judged, "preferences")
        return JudgedLosses(name, pair, differences[keep], None, references)
    systems, segments = np.nonzero(~np.isnan(judged.human) & (judged.text_of >= 0))
    human = judged.human[systems, segments]
    if len(human) < 2 or human.std() < 1e-9:
        raise _no_difference(judged, "scores")
    rows = losses[judged.text_of[systems, segments]]
    return JudgedLosses(name, pair, rows, (human - human.mean()) / human.std(), references)


def _losses(
    judged: Judgements, metric: Accord, threads: int, progress: Callable[[int], None] | None
) -> FloatArray:
    rows = np.empty((len(judged.texts), len(LOSSES)))
    done = 0
    for places, corpus in judged.corpora():
        for start in range(0, len(places), _PIECE):
            (comparison,) = compare(corpus[start : start + _PIECE], metric)
            found = np.mean(
                [
                    metric.losses(comparison, reference, threads=threads)
                    for reference in range(len(comparison.references))
                ],
                axis=0,
            )
            rows[places[start : start + _PIECE]] = found
            done += len(found)
            if progress is not None:
                progress(done)
    return rows


def _no_difference(judged: Judgements, what: str) -> InputError:
    return InputError(
        "MP844",
        f"The {what} of {judged.name} {judged.language_pair} make no difference between translations.",
        hint="Nothing can be learnt from them: leave the set out.",
    )
