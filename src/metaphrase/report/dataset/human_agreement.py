"""How far the metrics of a report agree with people who judged its segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.formats.judged.human_scores import HumanScores
from metaphrase.statistics.coefficients import kendall, pearson

#: What the numbers of :class:`Agreement` are.
MEASURE = "segments: Kendall's τ-b of all judged translations; systems: Pearson's r"
#: Two points always lie on a line.
_FEWEST_SYSTEMS = 3


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
