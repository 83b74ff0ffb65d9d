"""The ranking SVM itself: the exact minimum of ½ |w|² + C Σ max(0, 1 − w · difference).

Its dual is a quadratic program in a box, min ½ |Xᵀa|² − Σ a with 0 ≤ a ≤ C, whose matrix has the rank of the
few features. A primal-dual interior-point method solves it in some twenty steps that each cost one small
system (Fine and Scheinberg 2001; Ferris and Munson 2002). Coordinate descent, which scikit-learn has, takes
thousands of passes over such data for fewer digits, and their order is random.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.errors import InputError

#: The relative gap between the primal and the dual objective at which weights no longer change in the digits
#: that a model keeps.
_GAP = 1e-12
_MOST_STEPS = 60


def least_hinge_loss(differences: FloatArray, cost: float) -> FloatArray:
    """The weights w; rows of ``differences`` are to have w · row ≥ 1, and ``cost`` is C.

    The minimum is unique, for |w|² is strictly convex.
    """
    # In units of C the box is 0 ≤ a ≤ 1; r = 1 − a, and z and u are the multipliers of its two sides.
    rows = np.sqrt(cost) * differences
    a, r, z, u = (np.full(len(rows), value) for value in (0.5, 0.5, 1.0, 1.0))
    best, best_gap = rows.T @ a, np.inf
    for _ in range(_MOST_STEPS):
        weights = rows.T @ a
        margins = rows @ weights
        square = float(weights @ weights)
        primal = square / 2 + float(np.maximum(0.0, 1.0 - margins).sum())
        gap = (primal - (float(a.sum()) - square / 2)) / (1.0 + primal)
        if gap < best_gap:
            best, best_gap = weights, gap
        now = float(a @ z + r @ u)
        if gap < _GAP or now < _GAP * (1.0 + primal):
            break
        fault = margins - 1.0 - z + u
        scaled = rows / (z / a + u / r)[:, None]
        newton = _Newton((a, r, z, u), rows, scaled, np.eye(rows.shape[1]) + rows.T @ scaled)
        # Mehrotra's predictor, a step towards the corner, says how far to aim. Its second order counts as far
        # as that step could be gone: in full it may lead round in a circle.
        da, dr, dz, du = newton.step(fault, -a * z, -r * u)
        length = _longest((a, r, z, u), (da, dr, dz, du))
        then = float((a + length * da) @ (z + length * dz) + (r + length * dr) @ (u + length * du))
        aim = now / (2 * len(a)) * (then / now) ** 3
        second = length**2
        steps = newton.step(fault, aim - a * z - second * da * dz, aim - r * u - second * dr * du)
        length = min(1.0, 0.995 * _longest((a, r, z, u), steps))
        a, r, z, u = (place + length * one for place, one in zip((a, r, z, u), steps, strict=True))
    if not best_gap < 1e-6:
        raise InputError("MP811", "the differences of the features are too badly scaled.")
    return np.asarray(np.sqrt(cost) * best)


class _Newton(NamedTuple):
    """The linear system of a step, which needs no more than a matrix of the features (Woodbury)."""

    places: tuple[FloatArray, ...]
    rows: FloatArray
    scaled: FloatArray
    system: FloatArray

    def step(self, fault: FloatArray, to_z: FloatArray, to_u: FloatArray) -> tuple[FloatArray, ...]:
        """The changes by which ``fault`` goes, and a · z and r · u grow by ``to_z`` and ``to_u``."""
        a, r, z, u = self.places
        wanted = (-fault + to_z / a - to_u / r) / (z / a + u / r)
        da = wanted - self.scaled @ np.linalg.solve(self.system, self.rows.T @ wanted)
        return da, -da, (to_z - z * da) / a, (to_u + u * da) / r


def _longest(places: tuple[FloatArray, ...], steps: tuple[FloatArray, ...]) -> float:
    """The share of the steps, 1 at most, after which nothing is below 0."""
    shares = [
        float((place[step < 0] / -step[step < 0]).min(initial=1.0))
        for place, step in zip(places, steps, strict=True)
    ]
    return min(shares)
