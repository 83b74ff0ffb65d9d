"""A whole shared task computed again: every measure of every metric, clusters, and the weighted average.

Averages, their significance and the clusters are those of mt-metrics-eval (``AverageCorrMatrix``):
coefficients from -1 to 1 are first brought to the scale from 0 to 1; under the null hypothesis, the
difference of two averages is the weighted sum of what the resamples of the single tasks differ by; and only
metrics that take part in all tasks have an average.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, one_line
from metaphrase.meta.shared_tasks import SharedTask, Task
from metaphrase.meta.task_contests import Contest, contest
from metaphrase.meta.task_data import TaskData, basename
from metaphrase.statistics.chance_accuracy import ChanceAccuracy, chance_accuracy
from metaphrase.statistics.clusters import significance_clusters
from metaphrase.statistics.resampling import RESAMPLES, SEED

#: At most this p-value is a significant difference.
LEVEL = 0.05
#: Differences of averages that rounding alone can make.
_ROUNDING = 1e-12
#: The differences of two metrics in resamples of one task, the better one's lead first.
_Draws = dict[tuple[str, str], FloatArray]


@dataclass(frozen=True, slots=True)
class TaskMetric:
    """A metric of the table: primary, baseline or contrastive submission, or one of ``ours``."""

    name: str
    kind: str
    signature: str


@dataclass(frozen=True, slots=True, eq=False)
class TaskColumn:
    """One task; arrays and tuples have an entry per metric of the table.

    ``value`` is NaN where a metric does not take part, and ``reasons`` say why; ``cluster`` is 0 there, and
    everywhere if nothing was tested. ``chance`` is what knows nothing gets by acc-eq.
    """

    task: Task
    weight: float
    value: FloatArray
    cluster: NDArray[np.intp]
    reasons: tuple[str, ...]
    systems: int
    segments: int | None
    chance: ChanceAccuracy | None = None

    __repr__ = one_line


@dataclass(frozen=True, slots=True, eq=False)
class TaskTable:
    """Metrics from best to worst average; those without an average come last, by name."""

    task: str
    data: str
    metrics: tuple[TaskMetric, ...]
    columns: tuple[TaskColumn, ...]
    average: FloatArray
    cluster: NDArray[np.intp]
    resamples: int
    seed: int

    __repr__ = one_line

    def undefined(self) -> list[str]:
        """Why values are missing: each reason once, behind the metrics that it is true of."""
        found: dict[str, dict[str, None]] = {}
        for column in self.columns:
            for metric, reason in zip(self.metrics, column.reasons, strict=True):
                if reason:
                    found.setdefault(reason, {})[metric.name] = None
        return [f"{', '.join(names)}: {reason}" for reason, names in found.items()]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dictionaries for JSON; undefined values are null."""
        return {
            "task": self.task,
            "data": self.data,
            "resamples": self.resamples,
            "seed": self.seed,
            "metrics": [
                {"name": metric.name, "kind": metric.kind, "signature": metric.signature}
                for metric in self.metrics
            ],
            "average": {"values": _numbers(self.average), "clusters": self.cluster.tolist()},
            "tasks": [
                {
                    "name": column.task.label,
                    "language_pairs": list(column.task.pairs),
                    "level": column.task.level,
                    "measure": column.task.measure,
                    "weight": column.weight,
                    "values": _numbers(column.value),
                    "clusters": column.cluster.tolist(),
                    "reasons": [reason or None for reason in column.reasons],
                    "systems": column.systems,
                    "segments": column.segments,
                    "chance": None
                    if column.chance is None
                    else {
                        "constant": _number(column.chance.constant),
                        "random": _number(column.chance.calibrated),
                        "draws": column.chance.draws,
                    },
                }
                for column in self.columns
            ],
        }


def task_table(
    shared: SharedTask,
    data: Mapping[str, TaskData],
    signatures: Mapping[str, str],
    *,
    name: str,
    own: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> TaskTable:
    """Compute ``shared`` on ``data`` by language pair; ``name`` is what the data are called.

    ``signatures`` name the metrics that are compared and say how each was made; ``own`` of them are no
    submissions. ``resamples=0`` leaves the tests out, and with them the clusters.
    """
    # By name, which is how the organisers order metrics of equal value.
    names = sorted(signatures)
    columns: list[TaskColumn] = []
    draws: list[_Draws] = []
    for number, (task, weight) in enumerate(zip(shared.tasks, shared.weights, strict=True)):
        found, absent = contest(task, data, names, threads)
        values = {metric: found.value(metric) for metric in found.scores}
        for metric, number_found in values.items():
            if np.isnan(number_found):
                absent[metric] = "Too little was judged, or all scores are the same."
        # Other draws in each task, or chance would favour the same metric in all of them.
        drawn_by = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
        drawn, p_values = _tests(found, values, resamples, drawn_by, task.label, progress)
        draws.append(drawn)
        value = np.array([values.get(metric, np.nan) for metric in names])
        columns.append(
            TaskColumn(
                task,
                weight,
                value,
                _clusters(names, value, p_values) if resamples else _none(names),
                tuple(absent.get(metric, "") for metric in names),
                found.systems,
                found.segments,
                chance_accuracy(found.human, seed=seed) if task.measure == "acc-eq" else None,
            )
        )
    average = sum(
        (c.weight * (c.value - c.task.lowest) / (1 - c.task.lowest) for c in columns),
        np.zeros(len(names)),
    )
    cluster = _none(names)
    if resamples:
        cluster = _clusters(names, average, _average_p_values(names, average, columns, draws))
    order = np.argsort(-average, kind="stable")
    metrics = [
        TaskMetric(
            metric, "ours" if metric in own else shared.kind(basename(metric)), signatures[metric]
        )
        for metric in names
    ]
    return TaskTable(
        shared.name,
        name,
        tuple(metrics[row] for row in order.tolist()),
        tuple(_ordered(column, order) for column in columns),
        average[order],
        cluster[order],
        resamples,
        seed,
    )


def _tests(
    found: Contest,
    values: Mapping[str, float],
    resamples: int,
    seed: int,
    label: str,
    progress: Callable[[str], None] | None,
) -> tuple[_Draws, dict[tuple[str, str], float]]:
    """Every pair of metrics that have a value, the better one first."""
    if not resamples:
        return {}, {}
    defined = [metric for metric, value in values.items() if not np.isnan(value)]
    ranked = sorted(defined, key=lambda metric: -values[metric])
    pairs = list(combinations(ranked, 2))

    def done(number: int) -> None:
        if progress is not None:
            progress(f"{label}: {number:,} of {len(pairs):,} pairs of metrics")

    results = found.tests(pairs, resamples, seed, done)
    draws = {pair: result.differences for pair, result in results.items()}
    return draws, {pair: result.p_value for pair, result in results.items()}


def _average_p_values(
    names: Sequence[str],
    average: FloatArray,
    columns: Sequence[TaskColumn],
    draws: Sequence[_Draws],
) -> dict[tuple[str, str], float]:
    averages = dict(zip(names, average.tolist(), strict=True))
    defined = [metric for metric in names if not np.isnan(averages[metric])]
    ranked = sorted(defined, key=lambda metric: -averages[metric])
    p_values = {}
    for better, worse in combinations(ranked, 2):
        parts = []
        for column, drawn in zip(columns, draws, strict=True):
            straight = (better, worse) in drawn
            differences = drawn[better, worse] if straight else -drawn[worse, better]
            parts.append(column.weight * differences / (1 - column.task.lowest))
        most = max(map(len, parts))
        # A test that stopped early has fewer resamples: they are repeated.
        null = sum((np.resize(part, most) for part in parts), np.zeros(most))
        lead = averages[better] - averages[worse]
        p_values[better, worse] = float((null >= lead - _ROUNDING).mean())
    return p_values


def _clusters(
    names: Sequence[str], value: FloatArray, p_values: Mapping[tuple[str, str], float]
) -> NDArray[np.intp]:
    """Clusters of the metrics that have a value; 0 for others."""
    places = {metric: place for place, metric in enumerate(names)}
    matrix = np.full((len(names), len(names)), np.nan)
    for (better, worse), p_value in p_values.items():
        matrix[places[better], places[worse]] = p_value
    defined = np.flatnonzero(~np.isnan(value))
    cluster = _none(names)
    chosen = np.ix_(defined, defined)
    cluster[defined] = significance_clusters(value[defined], matrix[chosen], level=LEVEL).rank
    return cluster


def _none(names: Sequence[str]) -> NDArray[np.intp]:
    return np.zeros(len(names), dtype=np.intp)


def _ordered(column: TaskColumn, order: NDArray[np.intp]) -> TaskColumn:
    return replace(
        column,
        value=column.value[order],
        cluster=column.cluster[order],
        reasons=tuple(column.reasons[row] for row in order.tolist()),
    )


def _numbers(values: FloatArray) -> list[float | None]:
    return [_number(value) for value in values.tolist()]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
