"""What metrics made of a challenge set: how often they saw the error, by kind and by severity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.corpus.challenges import Challenge
from metaphrase.errors import OptionError
from metaphrase.presentation import present
from metaphrase.scoring import MetricInfo, Refusal
from metaphrase.statistics.cluster_bootstrap import cluster_sums
from metaphrase.statistics.proportions import wilson_interval
from metaphrase.version import __version__

#: Raised when a key of the JSON form changes its meaning.
SCHEMA = 1
#: The severities that come first in tables, worst first; others follow in the order of the items.
SEVERITIES = ("critical", "major", "minor")


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """All items with one kind of error: their places among the items."""

    name: str
    severity: str
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """How often a metric was right about ``items``: it scored the good translation strictly higher.

    A tie is wrong and counted apart. ``low`` and ``high`` are the 95 % interval of ``accuracy``.
    """

    items: int
    right: int
    tied: int
    low: float
    high: float

    @property
    def wrong(self) -> int:
        """How often the bad translation scored higher."""
        return self.items - self.right - self.tied

    @property
    def accuracy(self) -> float:
        """The share of items about which the metric is right."""
        return self.right / self.items

    @property
    def ties(self) -> float:
        """The share of items in which it sees no difference."""
        return self.tied / self.items

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends."""
        return self.low, self.high


@dataclass(frozen=True, slots=True, eq=False)
class MeanSeen:
    """Means over kinds, which count alike; ``draws`` are those of ``accuracy`` in every resample."""

    kinds: int
    accuracy: float
    ties: float
    draws: FloatArray

    @property
    def interval(self) -> tuple[float, float]:
        """95 % of the resamples."""
        low, high = np.nanpercentile(self.draws, [2.5, 97.5])
        return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Failure:
    """An item about which a metric is wrong, or sees no difference, with both scores."""

    item: Challenge
    good: float
    bad: float

    @property
    def is_tie(self) -> bool:
        """Whether both translations have one score."""
        return self.good == self.bad


@dataclass(frozen=True, eq=False)
class Probed:
    """Scores of all items by all metrics, and what follows from them.

    ``good`` and ``bad`` are metrics × items, in the metrics' own direction. Items of which a metric refused a
    text are not among them: ``left_out`` says how many there were, and ``refusals`` why.
    """

    items: tuple[Challenge, ...]
    metrics: tuple[MetricInfo, ...]
    good: FloatArray
    bad: FloatArray
    left_out: int = 0
    refusals: tuple[tuple[Refusal, Challenge], ...] = ()
    warnings: tuple[str, ...] = ()
    resamples: int = 1000
    seed: int = 12345

    def __repr__(self) -> str:
        """One line: how much was probed, and the mean accuracy of the first metrics."""
        means = ", ".join(
            f"{info.name} {100 * self.mean(info.name).accuracy:.1f}" for info in self.metrics[:3]
        )
        more = ", …" if len(self.metrics) > 3 else ""
        return f"<Probed items={len(self.items)} kinds={len(self.kinds)}: {means}{more}>"

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        return str(present(self, "html"))

    @cached_property
    def kinds(self) -> tuple[ErrorKind, ...]:
        """By severity, then in the order of the items."""
        found: dict[tuple[str, str], list[int]] = {}
        for place, item in enumerate(self.items):
            found.setdefault((item.severity, item.kind), []).append(place)
        order = {name: place for place, name in enumerate(self.severities)}
        kinds = [ErrorKind(kind, severity, tuple(rows)) for (severity, kind), rows in found.items()]
        return tuple(sorted(kinds, key=lambda kind: order[kind.severity]))

    @cached_property
    def severities(self) -> tuple[str, ...]:
        """Those of the items, worst first; one of them may be empty."""
        given = dict.fromkeys(item.severity for item in self.items)
        known = [name for name in SEVERITIES if name in given]
        return (*known, *(name for name in given if name not in SEVERITIES))

    def right(self, metric: str) -> BoolArray:
        """For each item whether the metric scores the good translation strictly higher (TER: lower)."""
        place = self._place(metric)
        above = self.good[place] > self.bad[place]
        below = self.good[place] < self.bad[place]
        return np.asarray(above if self.metrics[place].higher_is_better else below)

    def tied(self, metric: str) -> BoolArray:
        """For each item whether both translations have one score."""
        place = self._place(metric)
        return np.asarray(self.good[place] == self.bad[place])

    def seen(self, metric: str, kind: ErrorKind) -> Seen:
        """How often a metric is right about a kind.

        The interval is Wilson's: items of a kind are different sentences, and it also holds where all or none
        are right.
        """
        rows = list(kind.items)
        right = int(np.count_nonzero(self.right(metric)[rows]))
        tied = int(np.count_nonzero(self.tied(metric)[rows]))
        return Seen(len(rows), right, tied, *wilson_interval(right, len(rows)))

    def mean(self, metric: str, severity: str | None = None) -> MeanSeen:
        """The mean over the kinds of a severity, or over all of them.

        Kinds share their sentences, so that sentences are drawn, each with all of its errors; metrics are
        compared on the same draws.
        """
        kinds = [
            number
            for number, kind in enumerate(self.kinds)
            if severity is None or kind.severity == severity
        ]
        seen = [self.seen(metric, self.kinds[number]) for number in kinds]
        accuracy = float(np.mean([one.accuracy for one in seen]))
        ties = float(np.mean([one.ties for one in seen]))
        counts, right = self._resampled[[0, 1 + self._place(metric)]][:, :, kinds]
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = right / counts
        drawn = ~np.isnan(shares)
        draws = np.full(len(shares), np.nan)
        some = drawn.any(axis=1)
        draws[some] = np.where(drawn, shares, 0.0)[some].sum(axis=1) / drawn[some].sum(axis=1)
        return MeanSeen(len(kinds), accuracy, ties, draws)

    def failures(self, metric: str, kind: ErrorKind, most: int) -> list[Failure]:
        """The items of a kind about which the metric is most wrong, then those in which it sees nothing."""
        place = self._place(metric)
        sign = 1.0 if self.metrics[place].higher_is_better else -1.0
        margin = sign * (self.bad[place] - self.good[place])
        wrong = [row for row in kind.items if margin[row] >= 0]
        worst = sorted(wrong, key=lambda row: (-margin[row], row))[:most]
        return [
            Failure(self.items[row], float(self.good[place, row]), float(self.bad[place, row]))
            for row in worst
        ]

    def to_dict(self, *, examples: int = 0) -> dict[str, Any]:
        """The JSON form, with so many failures of each metric and kind."""
        return {
            "schema": SCHEMA,
            "metaphrase": __version__,
            "items": len(self.items),
            "left_out": self.left_out,
            "resampling": {"resamples": self.resamples, "seed": self.seed},
            "metrics": [
                {
                    "name": info.name,
                    "signature": info.signature,
                    "higher_is_better": info.higher_is_better,
                }
                for info in self.metrics
            ],
            "kinds": [
                {
                    "kind": kind.name,
                    "severity": kind.severity,
                    "items": len(kind.items),
                    "metrics": {
                        info.name: self._seen_dict(info.name, kind, examples)
                        for info in self.metrics
                    },
                }
                for kind in self.kinds
            ],
            "means": list(self._mean_dicts()),
            "warnings": list(self.warnings),
            "refusals": [
                {**refusal.as_dict(), "segment": item.id, "path": item.path, "line": item.line}
                for refusal, item in self.refusals
            ],
        }

    def _seen_dict(self, metric: str, kind: ErrorKind, examples: int) -> dict[str, Any]:
        seen = self.seen(metric, kind)
        return {
            "right": seen.right,
            "tied": seen.tied,
            "wrong": seen.wrong,
            "accuracy": seen.accuracy,
            "low": seen.low,
            "high": seen.high,
            "ties": seen.ties,
            "failures": [
                {
                    "id": one.item.id,
                    "path": one.item.path,
                    "line": one.item.line,
                    "source": one.item.source,
                    "reference": one.item.reference,
                    "good": one.item.good,
                    "bad": one.item.bad,
                    "good_score": one.good,
                    "bad_score": one.bad,
                }
                for one in self.failures(metric, kind, examples)
            ],
        }

    def _mean_dicts(self) -> Iterator[dict[str, Any]]:
        groups: Sequence[str | None] = (
            (*self.severities, None) if len(self.severities) > 1 else [None]
        )
        for severity in groups:
            means = {info.name: self.mean(info.name, severity) for info in self.metrics}
            yield {
                "severity": severity,
                "kinds": next(iter(means.values())).kinds,
                "metrics": {
                    name: {
                        "accuracy": mean.accuracy,
                        "low": mean.interval[0],
                        "high": mean.interval[1],
                        "ties": mean.ties,
                    }
                    for name, mean in means.items()
                },
            }

    def _place(self, metric: str) -> int:
        for place, info in enumerate(self.metrics):
            if info.name == metric:
                return place
        raise OptionError(
            "MP514",
            f"the metric {metric!r} did not probe anything.",
            hint=f"There are {', '.join(info.name for info in self.metrics)}.",
        )

    @cached_property
    def _resampled(self) -> FloatArray:
        """How many items there are of each kind, and how many each metric is right about, in every resample.

        The shape is 1 + metrics × resamples × kinds.
        """
        columns, kinds = self._columns, len(self.kinds)
        size = columns.sentences * kinds
        counted = [np.ones(len(self.items)), *(self.right(info.name) for info in self.metrics)]
        cells = np.concatenate(
            [
                np.bincount(columns.cell, weights=one[columns.order], minlength=size).reshape(
                    -1, kinds
                )
                for one in counted
            ],
            axis=1,
        )
        sums = cluster_sums(cells, resamples=self.resamples, seed=self.seed)
        return np.asarray(sums.reshape(self.resamples, -1, kinds).swapaxes(0, 1))

    @cached_property
    def _columns(self) -> _Cells:
        sentences: dict[str, int] = {}
        places = [sentences.setdefault(item.sentence, len(sentences)) for item in self.items]
        order = [row for kind in self.kinds for row in kind.items]
        numbers = [number for number, kind in enumerate(self.kinds) for _ in kind.items]
        cell = np.array([places[row] for row in order]) * len(self.kinds) + np.array(numbers)
        return _Cells(len(sentences), np.array(order), cell)


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Where items are in the table sentences × kinds: ``cell`` of each, kind by kind (``order``)."""

    sentences: int
    order: Int64Array
    cell: Int64Array
