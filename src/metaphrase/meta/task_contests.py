"""The metrics of one task against each other: what each of them reaches, and which differences are real."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.meta.shared_tasks import Task, TaskLevel
from metaphrase.meta.task_data import TaskData
from metaphrase.statistics.coefficients import pearson
from metaphrase.statistics.judged_cells import JudgedCells
from metaphrase.statistics.null_distributions import PairOutcomes, null_of_outcomes
from metaphrase.statistics.permutation import (
    EarlyStopping,
    PermutationResult,
    outcome,
    permutation_test,
)
from metaphrase.statistics.soft_accuracy_tests import Certainty, Pair, soft_accuracy_tests
from metaphrase.statistics.system_level import (
    paired_permutation_p_values,
    soft_pairwise_accuracy,
    system_pairwise_accuracy,
)
from metaphrase.statistics.system_nulls import null_of_system_accuracy
from metaphrase.threads import check_threads

#: The organisers' rule: after every 100 resamples, stop where p is clear already.
_EARLY = EarlyStopping(block=100, low=0.02, high=0.5)
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Contest(ABC):
    """One task: ``scores`` by metric, of the same cells as ``human``.

    ``systems`` and ``segments`` stand behind a value; there are no segments where people scored systems.
    """

    human: FloatArray
    scores: Mapping[str, FloatArray]
    systems: int
    segments: int | None = None

    @abstractmethod
    def value(self, metric: str) -> float:
        """How far the metric agrees with people; NaN where that is undefined."""

    @abstractmethod
    def tests(
        self, pairs: Sequence[Pair], resamples: int, seed: int, progress: Progress
    ) -> dict[Pair, PermutationResult]:
        """Whether the first metric of each pair agrees better than the second.

        ``progress`` is told how many pairs are done.
        """


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Duels(Contest):
    """A contest in which every pair of metrics is tested by itself."""

    @abstractmethod
    def test(self, metric: str, rival: str, resamples: int, seed: int) -> PermutationResult:
        """Whether ``metric`` agrees better than ``rival``."""

    def tests(
        self, pairs: Sequence[Pair], resamples: int, seed: int, progress: Progress
    ) -> dict[Pair, PermutationResult]:
        found = {}
        for number, (metric, rival) in enumerate(pairs, 1):
            found[metric, rival] = self.test(metric, rival, resamples, seed)
            progress(number)
        return found


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Accuracy(_Duels):
    """System scores of all language pairs, one after the other."""

    pairs: Int64Array

    def value(self, metric: str) -> float:
        return system_pairwise_accuracy(self.scores[metric], self.human, language_pairs=self.pairs)

    def test(self, metric: str, rival: str, resamples: int, seed: int) -> PermutationResult:
        null = null_of_system_accuracy(
            self.scores[metric],
            self.scores[rival],
            self.human,
            self.pairs,
            np.random.default_rng(seed),
        )
        return outcome(null, resamples, _EARLY)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Pearson(_Duels):
    threads: int | None

    def value(self, metric: str) -> float:
        known = ~np.isnan(self.human)
        return pearson(self.scores[metric][known], self.human[known])

    def test(self, metric: str, rival: str, resamples: int, seed: int) -> PermutationResult:
        return permutation_test(
            self.scores[metric],
            self.scores[rival],
            self.human,
            resamples=resamples,
            seed=seed,
            early=_EARLY,
            threads=self.threads,
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Soft(Contest):
    sure: Certainty
    threads: int | None

    def value(self, metric: str) -> float:
        p_values = paired_permutation_p_values(self.scores[metric])
        return soft_pairwise_accuracy(p_values, self.sure.p_values)

    def tests(
        self, pairs: Sequence[Pair], resamples: int, seed: int, progress: Progress
    ) -> dict[Pair, PermutationResult]:
        return soft_accuracy_tests(
            self.scores,
            pairs,
            self.sure,
            resamples=resamples,
            seed=seed,
            early=_EARLY,
            threads=check_threads(self.threads),
            progress=progress,
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Calibrated(_Duels):
    """Each metric has its own ε, and keeps it: outcomes of pairs are exchanged, not scores."""

    found: dict[str, PairOutcomes] = field(default_factory=dict)

    def _outcomes(self, metric: str) -> PairOutcomes:
        if metric not in self.found:
            scores = self.scores[metric]
            cells = JudgedCells.of(scores, scores, self.human, group_by="segment")
            self.found[metric] = PairOutcomes.of(cells, cells.raw_metric, "calibrated")
        return self.found[metric]

    def value(self, metric: str) -> float:
        found = self._outcomes(metric)
        return found.sum / found.scale if found.scale else float("nan")

    def test(self, metric: str, rival: str, resamples: int, seed: int) -> PermutationResult:
        generator = np.random.default_rng(seed)
        null = null_of_outcomes(self._outcomes(metric), self._outcomes(rival), generator)
        return outcome(null, resamples, _EARLY)


def contest(
    task: Task, data: Mapping[str, TaskData], metrics: Sequence[str], threads: int | None
) -> tuple[Contest, dict[str, str]]:
    """The contest of a task, and why metrics that are not in it cannot take part."""
    reads: TaskLevel = "segment" if task.measure == "spa" else task.level
    chosen = [data[pair] for pair in task.pairs]
    absent: dict[str, str] = {}
    scores: dict[str, list[FloatArray]] = {}
    for metric in metrics:
        found = [one.scored(metric, reads) for one in chosen]
        reasons = [one for one in found if isinstance(one, str)]
        if reasons:
            absent[metric] = reasons[0]
        else:
            scores[metric] = [one for one in found if not isinstance(one, str)]
    human = [one.judged(reads)[1] for one in chosen]
    systems = sum(map(len, human))
    if task.measure == "accuracy":
        return _Accuracy(
            human=np.concatenate(human)[:, 0],
            scores={name: np.concatenate(own)[:, 0] for name, own in scores.items()},
            systems=systems,
            pairs=np.repeat(np.arange(len(human)), [len(one) for one in human]),
        ), absent
    known = ~np.isnan(human[0])
    # Soft accuracy compares whole columns; the others compare whatever was judged.
    kept = known.all(axis=0) if task.measure == "spa" else known.any(axis=0)
    judged = human[0][:, kept]
    own = {name: found[0][:, kept] for name, found in scores.items()}
    segments = int(kept.sum()) if reads == "segment" else None
    if task.measure == "spa":
        sure = Certainty.of(judged)
        return _Soft(
            human=judged,
            scores=own,
            systems=systems,
            segments=segments,
            sure=sure,
            threads=threads,
        ), absent
    if task.measure == "pearson":
        return _Pearson(
            human=judged, scores=own, systems=systems, segments=segments, threads=threads
        ), absent
    return _Calibrated(human=judged, scores=own, systems=systems, segments=segments), absent
