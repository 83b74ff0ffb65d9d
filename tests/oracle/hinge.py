"""A ranking SVM by coordinate ascent in its dual, min ½ |Xᵀa|² − Σ a with 0 ≤ a ≤ C: slow, and obvious."""

from __future__ import annotations

import numpy as np


def objective(weights: np.ndarray, differences: np.ndarray, cost: float) -> float:
    """½ |w|² + C Σ max(0, 1 − w · difference)."""
    slacks = [max(0.0, 1.0 - float(np.dot(weights, row))) for row in differences]
    return 0.5 * float(np.dot(weights, weights)) + cost * sum(slacks)


def bounds(differences: np.ndarray, cost: float, *, passes: int = 3000) -> tuple[float, float]:
    """Between which two numbers the least objective lies: those of the dual and of its weights."""
    a = np.zeros(len(differences))
    weights = np.zeros(differences.shape[1])
    lower, upper = -np.inf, np.inf
    for _ in range(passes):
        for i, row in enumerate(differences):
            square = float(row @ row)
            wanted = a[i] + (1.0 - float(weights @ row)) / square if square > 0 else cost
            new = min(max(wanted, 0.0), cost)
            weights = weights + (new - a[i]) * row
            a[i] = new
        lower = float(a.sum()) - 0.5 * float(weights @ weights)
        upper = objective(weights, differences, cost)
        if upper - lower < 1e-9 * (1 + upper):
            break
    return lower, upper
