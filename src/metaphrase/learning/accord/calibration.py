"""What a sum of losses means to people: the scale of ``accord`` and how far to trust it.

Everything here is measured on judgements that the weights were not learnt from. A translation's *place* is
the share, out of 100, of the judged translations that people placed lower. The scale is the mean place of
translations that lose as much. The interval is conformal: as wide as it must be for the share ``COVERAGE`` of
segments, and of systems, to have their place, or mean place, within it. Places are places among what was
judged together: how good all translations of a year are, compared with another year's, nobody was asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import InputError
from metaphrase.trained.accord_model import Interval, Scale

COVERAGE = 0.9
#: How many straight lines a scale has at most, and how many judgements each of them needs.
_LINES, _OF_A_LINE = 12, 25
#: With fewer judgements nothing can be said of what a score means.
FEWEST = 2 * _OF_A_LINE
#: A system of fewer segments says little about what people think of systems.
_FEWEST_SEGMENTS = 20
#: How many standard deviations of a normal distribution are ``COVERAGE`` of it.
_DEVIATIONS = 1.645


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Translations of one set that the weights do not know: what they lose, and where people place them."""

    name: str
    language_pair: str
    lost: FloatArray
    place: FloatArray
    system: Int64Array

    @property
    def weight(self) -> float:
        """What a row counts: all rows of a set together the square root of their number."""
        return float(1.0 / np.sqrt(len(self.lost)))

    def groups(self, size: int | None) -> list[Int64Array]:
        """Rows of ``size`` segments of a system that follow each other, or all of the system (``None``)."""
        groups = []
        for system in np.unique(self.system).tolist():
            rows = np.flatnonzero(self.system == system)
            if size is None:
                groups += [rows] if len(rows) >= _FEWEST_SEGMENTS else []
            else:
                groups += np.split(rows, range(size, len(rows), size))[: len(rows) // size]
        return groups


def fit_scale(sets: Sequence[HeldOut]) -> Scale:
    """The mean place by loss, falling; straight lines between the means of equally many judgements."""
    count = sum(np.count_nonzero(one.lost > 0) for one in sets)
    lines = min(_LINES, count // _OF_A_LINE)
    if lines < 2:
        raise InputError(
            "MP846",
            f"{count} judgements are too few to tell what a score means to people.",
            hint=f"Give at least {FEWEST}.",
        )
    lost, place = (
        np.concatenate([getattr(one, column) for one in sets]) for column in ("lost", "place")
    )
    weight = np.concatenate([np.full(len(one.lost), one.weight) for one in sets])
    some = lost > 0
    lost, place, weight = lost[some], place[some], weight[some]
    order = np.argsort(lost, kind="stable")
    reached = np.cumsum(weight[order])
    bins = np.minimum((reached / reached[-1] * lines).astype(int), lines - 1)
    totals = [
        np.bincount(bins, column[order], lines)
        for column in (weight, weight * lost, weight * place)
    ]
    levels = _falling(
        [
            (total, of_lost / total, of_place / total)
            for total, of_lost, of_place in zip(*totals, strict=True)
            if total > 0
        ]
    )
    knots = [(0.0, 100.0)]
    for loss, score in levels:
        knot = round(float(loss), 6), round(min(max(float(score), 0.1), 99.9), 3)
        if knot[0] > knots[-1][0] and knot[1] < knots[-1][1]:
            knots.append(knot)
    return Scale(tuple(knots))


def _falling(bins: Iterable[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """Isotonic regression: neighbours that do not fall by a thousandth are made one, with their mean."""
    pools: list[tuple[float, float, float]] = []
    for weight, loss, score in bins:
        pool = weight, loss, score
        while pools and pools[-1][2] < pool[2] + 0.001:
            before = pools.pop()
            total = before[0] + pool[0]
            pool = (
                total,
                (before[0] * before[1] + pool[0] * pool[1]) / total,
                (before[0] * before[2] + pool[0] * pool[2]) / total,
            )
        pools.append(pool)
    return [(loss, score) for _, loss, score in pools]


def fit_interval(sets: Sequence[HeldOut], scale: Scale) -> Interval:
    """How far the mean place of segments lies from their mean score: of one, of ten and of whole systems."""
    reached: list[float] = []
    for size in (1, 10):
        deviation, weight, _ = _deviations(sets, scale, size)
        reached.append(_quantile(np.abs(deviation), weight) if len(deviation) else reached[-1])
    segment, ten = reached
    deviation, weight, sizes = _deviations(sets, scale, None)
    # What is left of a system's deviation after that of its segments, which shrinks with their number.
    left = np.sqrt(np.maximum(deviation**2 - ten**2 * 10.0 / sizes / _DEVIATIONS**2, 0.0))
    # What a set is off by is taken off: one system alone says nothing about systems.
    several = any(len(one.groups(None)) > 1 for one in sets)
    many = _quantile(left, weight) if several else ten
    ten = min(ten, segment)
    return Interval(COVERAGE, round(segment, 3), round(ten, 3), round(min(many, ten), 3))


def calibrate(sets: Sequence[HeldOut], scale: Scale | None = None) -> tuple[Scale, Interval]:
    """Scale and interval of the same sets, or the interval on a scale that is there already."""
    scale = scale or fit_scale(sets)
    return scale, fit_interval(sets, scale)


def coverage(
    judged: HeldOut, scale: Scale, interval: Interval, size: int | None
) -> tuple[float, int]:
    """The share of groups of ``size`` segments whose mean place is within the interval, and their number."""
    deviation, _, sizes = _deviations([judged], scale, size)
    if not len(deviation):
        return float("nan"), 0
    return float(np.mean(np.abs(deviation) <= interval.reach(sizes))), len(deviation)


def _deviations(
    sets: Sequence[HeldOut], scale: Scale, size: int | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mean place less mean score of each group, with what it counts and how many segments it has.

    A place is one among the translations that were judged together. So what a whole set is off by says
    nothing, and is taken off.
    """
    rows: list[tuple[float, float, float]] = []
    for one in sets:
        apart = one.place - scale.scores(one.lost)
        apart -= apart.mean()
        groups = one.groups(size)
        rows += [
            (float(apart[group].mean()), 1.0 / np.sqrt(len(groups)), float(len(group)))
            for group in groups
        ]
    deviation, weight, sizes = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return deviation, weight, sizes


def _quantile(values: FloatArray, weights: FloatArray) -> float:
    """The least value that the share ``COVERAGE`` do not exceed, with one more judgement in mind."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    wanted = COVERAGE * (1.0 + weights.mean() / reached[-1]) * reached[-1]
    at = min(int(np.searchsorted(reached, wanted * (1 - 1e-12))), len(values) - 1)
    return float(values[order][at])
