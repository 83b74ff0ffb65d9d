"""The permutation test said slowly: hybrids one by one, coefficients by SciPy, accuracies as fractions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import scipy.stats
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Group = list[tuple[int, int]]


def groups(judged: NDArray[np.bool_], group_by: str) -> list[Group]:
    """The judged cells of each group that has any."""
    systems, segments = judged.shape
    cells = [(s, i) for s in range(systems) for i in range(segments) if judged[s, i]]
    if group_by == "none":
        return [cells] if cells else []
    axis = 0 if group_by == "system" else 1
    together = [[cell for cell in cells if cell[axis] == n] for n in range(judged.shape[axis])]
    return [one for one in together if one]


def sign(a: float, b: float, epsilon: float = 0.0) -> int:
    return 0 if abs(a - b) <= epsilon else 1 if a > b else -1


def right(scores: FloatArray, human: FloatArray, a: tuple, b: tuple, epsilon: float) -> bool:
    return sign(scores[a], scores[b], epsilon) == sign(human[a], human[b])


def accuracy(
    scores: FloatArray, human: FloatArray, parts: list[Group], epsilon: float
) -> Fraction | None:
    """acc_eq of each group, then their mean; groups without a pair are left out."""
    values = []
    for part in parts:
        outcomes = [
            right(scores, human, a, b, epsilon) for k, a in enumerate(part) for b in part[k + 1 :]
        ]
        if outcomes:
            values.append(Fraction(sum(outcomes), len(outcomes)))
    return sum(values, Fraction(0)) / len(values) if values else None


def calibrated_accuracy(
    scores: FloatArray, human: FloatArray, parts: list[Group]
) -> tuple[Fraction | None, float]:
    """The best accuracy of any ε, and the smallest ε that gives it; only differences need trying."""
    candidates = {0.0}
    for part in parts:
        candidates |= {float(abs(scores[a] - scores[b])) for a in part for b in part if a != b}
    best, chosen = accuracy(scores, human, parts, 0.0), 0.0
    for epsilon in sorted(candidates):
        value = accuracy(scores, human, parts, epsilon)
        if value is not None and best is not None and value > best:
            best, chosen = value, epsilon
    return best, chosen


def standardised(scores: FloatArray, judged: NDArray[np.bool_]) -> FloatArray:
    """z-scores over judged cells, which are summed in the same order as the package packs them."""
    result = np.full(scores.shape, np.nan)
    values = scores[judged]
    deviation = values.std()
    result[judged] = (values - values.mean()) / (deviation if deviation > 0 else 1.0)
    return result


def coefficient(
    name: str, scores: FloatArray, human: FloatArray, parts: list[Group], zero: bool
) -> float:
    """The mean of groups' coefficients by SciPy; undefined ones left out, or 0."""
    function: Callable = {
        "pearson": scipy.stats.pearsonr,
        "spearman": scipy.stats.spearmanr,
        "kendall": scipy.stats.kendalltau,
    }[name]
    values = []
    for part in parts:
        x = [scores[cell] for cell in part]
        y = [human[cell] for cell in part]
        value = np.nan
        if len(x) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = function(x, y)[0]
        if not np.isnan(value):
            values.append(value)
        elif zero:
            values.append(0.0)
    return float(np.mean(values)) if values else float("nan")


def hybrids(
    metric: FloatArray, rival: FloatArray, judged: NDArray[np.bool_], units: dict, bits: FloatArray
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Both hybrids of every resample; unit u is exchanged if bit u of its words is set."""
    for words in bits:
        one, two = metric.copy(), rival.copy()
        for cell in zip(*np.nonzero(judged), strict=True):
            unit = units[cell]
            if int(words[unit // 64]) >> (unit % 64) & 1:
                one[cell], two[cell] = rival[cell], metric[cell]
        yield one, two


def numbered_units(judged: NDArray[np.bool_], swap: str, group_by: str) -> dict:
    """Units in the order in which bits are drawn: cells group by group, or systems or segments."""
    if swap == "cell":
        cells = [cell for part in groups(judged, group_by) for cell in part]
        return {cell: number for number, cell in enumerate(cells)}
    axis = 0 if swap == "system" else 1
    cells = list(zip(*np.nonzero(judged), strict=True))
    names = sorted({cell[axis] for cell in cells})
    return {cell: names.index(cell[axis]) for cell in cells}
