"""What the weighted sum of penalties is worth in penalty points of MQM.

MQM adds up the errors of a segment, so a long segment has more of them; the sum of ``accord`` does not know
how long a segment is. The points are taken for rate · sum · words^length. The length is the one by which
points correlate best with those of raters, segment by segment, over judgements that the weights were not
learned from. The rate makes their mean that of raters. Some raters are twice as strict as others, so each
language pair of each test set has a rate of its own, and their geometric mean is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.judgements import Judgements
from metaphrase.learning.accord.calibration import HeldOut
from metaphrase.learning.accord.data import JudgedLosses
from metaphrase.metrics.accord.features import count_words
from metaphrase.trained.accord_model import ErrorPoints

#: The exponents that are tried.
_LENGTHS = np.round(np.arange(0.0, 1.5001, 0.01), 2)


@dataclass(frozen=True, slots=True, eq=False)
class RatedPoints:
    """Segments of one test set: what they lose, the words of their references, the points of raters."""

    name: str
    language_pair: str
    lost: FloatArray
    words: FloatArray
    points: FloatArray


def rated_points(judged: Judgements, losses: JudgedLosses, held_out: HeldOut) -> RatedPoints:
    """The segments of a set with ratings of MQM, which are negative sums of points."""
    words = np.array([float(count_words(text.references).mean()) for text in judged.texts])
    rows = judged.text_of[losses.system, losses.segment]
    points = 0.0 - judged.human[losses.system, losses.segment]
    return RatedPoints(judged.name, judged.language_pair, held_out.lost, words[rows], points)


def fit_points(sets: Sequence[RatedPoints]) -> ErrorPoints:
    """The rate and length of test sets that all count alike."""
    found = []
    for length in _LENGTHS.tolist():
        worth = ErrorPoints(rate=1.0, length=length).worth
        expected = [one.lost * worth(one.words) for one in sets]
        agreed = [
            float(np.corrcoef(x, one.points)[0, 1]) for x, one in zip(expected, sets, strict=True)
        ]
        rates = [
            float(np.log(one.points.mean() / x.mean()))
            for x, one in zip(expected, sets, strict=True)
        ]
        found.append((_mean(sets, agreed), -length, _mean(sets, rates)))
    _, length, rate = max(found)
    return ErrorPoints(rate=round(float(np.exp(rate)), 6), length=-length)


def _mean(sets: Sequence[RatedPoints], values: Sequence[float]) -> float:
    """Over test sets, each the mean of its language pairs."""
    by_name: dict[str, list[float]] = {}
    for one, value in zip(sets, values, strict=True):
        by_name.setdefault(one.name, []).append(value)
    return float(np.mean([np.mean(some) for some in by_name.values()]))
