"""The measures of WMT's metrics tasks, slow and obvious: loops over pairs, every threshold tried."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def sign(number: float) -> int:
    """1, 0 or -1."""
    return int(number > 0) - int(number < 0)


def accuracy(groups: list[tuple[list[float], list[float]]]) -> float:
    """Of pairs of systems within each group (metric, human), the share that both order alike."""
    alike = pairs = 0
    for metric, human in groups:
        for a, b in combinations(range(len(human)), 2):
            alike += sign(metric[a] - metric[b]) == sign(human[a] - human[b])
            pairs += 1
    return alike / pairs


def p_value(first: list[float], second: list[float], keep: np.ndarray) -> float:
    """Of choices which scores stay in their places, the share that makes the first system lead by as much."""
    observed = sum(first) - sum(second)
    as_much = 0
    for row in keep:
        signs = 2 * row - 1
        null = sum(s * (a - b) for s, a, b in zip(signs, first, second, strict=True))
        as_much += null >= observed - 1e-9
    return as_much / len(keep)


def soft_accuracy(metric: np.ndarray, human: np.ndarray) -> float:
    """SPA with the draws of mt-metrics-eval's pce.py: float32 numbers of seed 4, rounded to 0 or 1."""
    keep = np.rint(np.random.default_rng(4).random((1000, human.shape[1]), dtype=np.float32))
    gaps = [
        abs(p_value(metric[a], metric[b], keep) - p_value(human[a], human[b], keep))
        for a, b in combinations(range(len(human)), 2)
    ]
    return 1 - sum(gaps) / len(gaps)


def calibrated_accuracy(metric: np.ndarray, human: np.ndarray) -> float:
    """acc_eq averaged over segments, with the best of all thresholds."""
    systems, segments = human.shape
    sizes = {0.0}
    for segment in range(segments):
        for a, b in combinations(range(systems), 2):
            sizes.add(abs(metric[a, segment] - metric[b, segment]))
    return max(_accuracy_with(metric, human, epsilon) for epsilon in sizes)


def _accuracy_with(metric: np.ndarray, human: np.ndarray, epsilon: float) -> float:
    systems, segments = human.shape
    shares = []
    for segment in range(segments):
        right = pairs = 0
        for a, b in combinations(range(systems), 2):
            if np.isnan(human[a, segment]) or np.isnan(human[b, segment]):
                continue
            gap = metric[a, segment] - metric[b, segment]
            ours = 0 if abs(gap) <= epsilon else sign(gap)
            right += ours == sign(human[a, segment] - human[b, segment])
            pairs += 1
        if pairs:
            shares.append(right / pairs)
    return sum(shares) / len(shares)
