"""Whether the choice scores higher than the best single system, by a metric that did not choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.metrics import create
from metaphrase.selection.choosing import Chooser
from metaphrase.selection.matrices import pairwise
from metaphrase.selection.near_copies import NearCopies
from metaphrase.selection.result import Selection
from metaphrase.statistics.resampling import Interval, confidence_interval

#: Fewer sentences have no interval.
LEAST = 10
_RESAMPLES, _SEED = 1000, 12345
#: Sentences that are measured at once.
_PIECE = 64


@dataclass(frozen=True, slots=True)
class BestSystem:
    """The system with the highest mean utility by ``metric``, beside the choice.

    A utility is the mean score with the candidates of all other systems; near copies of a system are no
    others, and have one vote together. Candidates that are others put together have none, and are left out.
    ``same`` is in how many sentences the choice is the system's own text.
    """

    metric: str
    system: int
    sentences: int
    choice: float
    best: float
    difference: Interval
    same: int

    @property
    def is_beaten(self) -> bool:
        """Whether the choice scores higher than the system: the interval of the difference is above 0."""
        return self.difference.low > 0


class BestSystemCheck:
    """Measures choices among systems as they go by; candidate i is always that of system i.

    The metric that chose would find its own choice best whatever it is worth: so another one judges, chrF, or
    BLEU of what chrF chose.
    """

    def __init__(self, chooser: Chooser, merged: NearCopies | None = None) -> None:
        by_chrf = any(metric.name.startswith("chrf") for metric in chooser.metrics)
        name = "bleu" if by_chrf else "chrf"
        self.metric = create(name, lang=chooser.metrics[0].lang)
        self._threads = chooser.threads
        self._votes = None if merged is None else merged.votes
        self._utilities: list[FloatArray] = []
        self._choices: list[int] = []
        self._same: list[list[bool]] = []
        self._waiting: list[Selection] = []

    def watched(self, found: Iterable[Selection]) -> Iterator[Selection]:
        """The selections as they are made."""
        for selection in found:
            if not selection.refused:
                self._waiting.append(selection)
            if len(self._waiting) == _PIECE:
                self._measure()
            yield selection
        self._measure()

    def _measure(self) -> None:
        if not self._waiting:
            return
        texts = [list(one.candidates.texts) for one in self._waiting]
        matrices = pairwise(self.metric, texts, threads=self._threads)
        for one, scores in zip(self._waiting, matrices, strict=True):
            votes = (
                np.ones_like(scores) - np.eye(len(scores)) if self._votes is None else self._votes
            )
            put_together = sorted(one.concatenated)
            votes = votes.copy()
            votes[:, put_together] = 0.0
            total = votes.sum(axis=1)
            utilities = np.divide(
                (scores * votes).sum(axis=1),
                total,
                out=np.full(len(scores), np.nan),
                where=total > 0,
            )
            utilities[put_together] = np.nan
            self._utilities.append(utilities)
            self._choices.append(one.index)
            self._same.append([text == one.text for text in one.candidates.texts])
        self._waiting.clear()

    def result(self) -> BestSystem | None:
        """The comparison; ``None`` of fewer sentences than an interval is made of."""
        if len(self._choices) < LEAST:
            return None
        utilities = np.stack(self._utilities)
        measured = ~np.isnan(utilities)
        counts = measured.sum(axis=0)
        means = np.where(measured, utilities, 0.0).sum(axis=0) / np.maximum(counts, 1)
        # What is measured in few sentences is no system to compare with.
        best = int(np.where(2 * counts > len(utilities), means, -np.inf).argmax())
        chosen = utilities[np.arange(len(utilities)), self._choices]
        both = measured[:, best] & ~np.isnan(chosen)
        if both.sum() < LEAST:
            return None
        chosen, of_best = chosen[both], utilities[both, best]
        rows = np.column_stack([chosen - of_best, np.ones(len(chosen))])
        return BestSystem(
            self.metric.label,
            best,
            len(chosen),
            float(chosen.mean()),
            float(of_best.mean()),
            confidence_interval(
                rows, _mean, resamples=_RESAMPLES, seed=_SEED, threads=self._threads
            ),
            sum(
                same[best]
                for same, counts_here in zip(self._same, both, strict=True)
                if counts_here
            ),
        )


def _mean(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0] / sums[..., 1])
