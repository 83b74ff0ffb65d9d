"""Williams' test: do two metrics correlate with people to different degrees?

Evan J. Williams: Regression Analysis. Wiley 1959; for metrics: Yvette Graham, Timothy Baldwin: Testing for
Significance of Increased Correlation with Human Judgment. EMNLP 2014.

The two correlations share the human scores, hence are dependent, and the more alike the metrics are, the
smaller a difference can be told. For n points with correlations r₁ (metric, human), r₂ (rival, human) and
r₁₂ (metric, rival):

    t = (r₁ − r₂) √((n − 1)(1 + r₁₂)) / √(2 K (n − 1)/(n − 3) + ((r₁ + r₂)²/4)(1 − r₁₂)³)
    K = 1 − r₁² − r₂² − r₁₂² + 2 r₁ r₂ r₁₂

follows Student's t with n − 3 degrees of freedom if the metrics do not differ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.errors import InputError
from metaphrase.statistics.coefficients import pearson


@dataclass(frozen=True, slots=True)
class WilliamsResult:
    """``p_value`` is one-sided: how likely so large a lead of the metric is if there is none in truth.

    A small one says that the metric correlates better than its rival; the rival's is 1 minus it.
    """

    p_value: float
    t: float
    metric: float
    rival: float
    between: float
    points: int


def williams_test(metric: ArrayLike, rival: ArrayLike, human: ArrayLike) -> WilliamsResult:
    """Williams' test of the Pearson correlations of ``metric`` and ``rival`` with ``human``.

    Points that lack one of the three scores (NaN) are left out; the arrays may have any shape, the same for
    all three. The p-value is NaN with fewer than four points or a constant score.
    """
    arrays = [np.asarray(values, dtype=np.float64) for values in (metric, rival, human)]
    if not arrays[0].shape == arrays[1].shape == arrays[2].shape:
        shapes = ", ".join(str(values.shape) for values in arrays)
        raise InputError("MP744", f"metric, rival and human scores have shapes {shapes}.")
    points = np.stack([values.ravel() for values in arrays])
    points = points[:, np.isfinite(points).all(axis=0)]
    n = points.shape[1]
    first, second, between = (pearson(points[i], points[j]) for i, j in ((0, 2), (1, 2), (0, 1)))
    t = williams_t(first, second, between, n)
    return WilliamsResult(student_t_tail(t, n - 3), t, first, second, between, n)


def williams_t(metric: float, rival: float, between: float, points: int) -> float:
    """Williams' statistic of three correlations; NaN where it is undefined."""
    if points < 4:
        return math.nan
    k = 1 - metric**2 - rival**2 - between**2 + 2 * metric * rival * between
    # K is the determinant of a correlation matrix: below 0 only by rounding.
    variance = 2 * max(k, 0.0) * (points - 1) / (points - 3)
    variance += (metric + rival) ** 2 / 4 * (1 - between) ** 3
    lead = (metric - rival) * math.sqrt(max((points - 1) * (1 + between), 0.0))
    if variance > 0:
        return lead / math.sqrt(variance)
    # Two metrics that are one and the same: no lead, and nothing to measure it by.
    return 0.0 if lead == 0 else math.nan


def student_t_tail(t: float, degrees: float) -> float:
    """P(T > t) for Student's t: ½ I_x(ν/2, ½) with x = ν/(ν + t²) for t ≥ 0."""
    if math.isnan(t) or not degrees > 0:
        return math.nan
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    square = t * t
    # Both x and 1 − x are given, as each is exact by itself and subtracting would lose digits.
    tail = 0.5 * incomplete_beta(
        degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square)
    )
    return tail if t >= 0 else 1 - tail


def incomplete_beta(a: float, b: float, x: float, complement: float) -> float:
    """The regularised incomplete beta function I_x(a, b); ``complement`` is 1 − x.

    By its continued fraction (Abramowitz and Stegun 26.5.8), which converges fast for
    x < (a + 1)/(a + b + 2); elsewhere by I_x(a, b) = 1 − I_{1−x}(b, a).
    """
    if x <= 0 or complement <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, complement, x)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(logarithm + a * math.log(x) + b * math.log(complement)) / a
    return front * _beta_fraction(a, b, x)


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Lentz's evaluation, as modified by Thompson and Barnett, of 1/(1 + d₁/(1 + d₂/(1 + …)))."""
    tiny = 1e-300
    numerator, denominator, fraction = 1.0, 0.0, 1.0
    for i in range(1000):
        m = i // 2
        if i == 0:
            step = 1.0
        elif i % 2 == 0:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        denominator = 1 / ((1 + step * denominator) or tiny)
        numerator = (1 + step / numerator) or tiny
        change = numerator * denominator
        fraction *= change
        if i > 0 and abs(change - 1) < 1e-16:
            break
    return fraction - 1
