"""How far the metrics of a report agree with people who judged its segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metaphrase.meta.coefficients import kendall, pearson

FloatArray = NDArray[np.float64]
#: What the numbers of :class:`Agreement` are.
MEASURE = "segments: Kendall's τ-b of all judged translations; systems: Pearson's r"
#: Two points lie on a line always.
_FEWEST_SYSTEMS = 3


@dataclass(frozen=True, slots=True, eq=False)
class HumanScores:
    """People's scores, (systems, segments), NaN where there is none; higher is better.

    ``name`` says where they come from, ``passed_over`` which judged systems the corpus does not have.
    """

    name: str
    scores: FloatArray
    passed_over: tuple[str, ...] = ()

    def systems(self) -> FloatArray:
        """The mean of each system's judged segments; NaN if there is none."""
        known = ~np.isnan(self.scores)
        sums = np.where(known, self.scores, 0.0).sum(axis=1)
        counts = known.sum(axis=1)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


@dataclass(frozen=True, slots=True)
class Agreement:
    """A metric's correlations with people, NaN where they are undefined."""

    segment: float
    system: float


def agreement(segment: FloatArray, system: Sequence[float], human: HumanScores) -> Agreement:
    """Correlate a metric's scores of segments, (systems, segments), and of systems; higher is better."""
    people = human.systems()
    judged = int((~np.isnan(people)).sum())
    return Agreement(
        segment=kendall(segment.ravel(), human.scores.ravel()),
        system=pearson(system, people) if judged >= _FEWEST_SYSTEMS else float("nan"),
    )
