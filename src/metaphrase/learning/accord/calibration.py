"""What a sum of losses means to people: the scale of ``accord`` and how far to trust it.

Everything here is measured on judgements that the weights were not learnt from. A translation's *place* is
the share, out of 100, of the judged translations that people placed lower. The scale says how many
of the judged translations lose more. The interval is conformal: as wide as it must be for the share
``COVERAGE`` of segments, and of systems, to have their place, or mean place, within it. Places are places
among what was judged together: how good all translations of a year are, compared with another year's,
nobody was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import InputError
from metaphrase.trained.accord_model import Interval, Scale

COVERAGE = 0.9
#: With fewer judgements nothing can be said of what a score means.
FEWEST = 50
#: The best and the worst translations, out of 1, which the scale need not fit.
_TAIL = 0.02
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
    """The score is the share of judged translations that lose more, out of 100.

    Their losses are taken for log-logistic: the logarithm of the odds of losing more falls in a straight line
    with the logarithm of what is lost. The line is that of least squares; translations that are their
    references, which lose nothing, are left out.
    """
    lost = np.concatenate([np.empty(0), *(one.lost for one in sets)])
    weight = np.concatenate([np.empty(0), *(np.full(len(one.lost), one.weight) for one in sets)])
    order = np.argsort(lost, kind="stable")
    lost, weight = lost[order], weight[order]
    some = lost > 0
    lost, weight = lost[some], weight[some]
    if len(np.unique(lost)) < 2 or len(lost) < FEWEST:
        raise InputError(
            "MP846",
            f"{len(lost)} judgements are too few to tell what a score means to people.",
            hint=f"Give at least {FEWEST}.",
        )
    share = (np.cumsum(weight) - 0.5 * weight) / weight.sum()
    middle = (share > _TAIL) & (share < 1.0 - _TAIL)
    odds, place, weight = np.log(1.0 / share - 1.0)[middle], np.log(lost)[middle], weight[middle]
    centre = np.average(place, weights=weight), np.average(odds, weights=weight)
    spread = np.average((place - centre[0]) ** 2, weights=weight)
    product = np.average((place - centre[0]) * (odds - centre[1]), weights=weight)
    steepness = float(np.clip(-product / max(spread, 1e-12), 0.1, 20.0))
    return Scale(
        middle=round(float(np.exp(centre[0] + centre[1] / steepness)), 6),
        steepness=round(steepness, 4),
    )


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
