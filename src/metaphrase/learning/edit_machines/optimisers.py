"""Where the regression of an edit machine has its minimum: Levenberg-Marquardt, or SciPy's L-BFGS.

Both can stop after any accepted step and go on later from the state they gave, to the very same weights.

Levenberg-Marquardt knows the Jacobian, so its Gauss-Newton matrix JᵀJ is free. What that leaves out of the
Hessian (residuals times second derivatives) is not small, for people's scores are noisy. It is therefore
estimated from the change of the Jacobian along each step, as in NL2SOL (Dennis, Gay & Welsch, ACM TOMS
1981), which makes the last steps few and rejected ones rare.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.errors import OptionError
from metaphrase.extras import not_installed
from metaphrase.learning.edit_machines.regression import Point, Progress, Regression, Report

OPTIMISERS = ("lm", "lbfgs")
#: Optimisers are done when the objective can fall by less than this share of itself.
TOLERANCE = 1e-11
MOST_ITERATIONS = 500

#: What a checkpoint keeps, in terms of JSON.
State = dict[str, Any]
Save = Callable[[State], None]

#: The first damping, as a share of the diagonal. Without it the first steps from 0 are too long by far.
_FIRST_DAMPING = 0.5
_LEAST_DAMPING = 1e-12
#: A step is taken if it gains this share of what was expected of it.
_LEAST_GAIN = 1e-4
#: Differences of objectives smaller than this share of them are rounding.
_ROUNDING = 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The weights found, and what finding them cost: evaluations, and how many of them with a gradient."""

    weights: FloatArray
    alpha: float
    objective: float
    iterations: int
    evaluations: int
    gradients: int
    converged: bool


def optimiser_version(optimiser: str) -> str:
    """Optimisers with equal versions go equal ways; asking for one that is not installed is an error."""
    if optimiser not in OPTIMISERS:
        raise OptionError(
            "MP631",
            f"there is no optimiser {optimiser!r}.",
            hint=f"Choose {' or '.join(OPTIMISERS)}.",
        )
    if optimiser == "lm":
        return "1"
    try:
        import scipy  # noqa: F401
    except ImportError:
        raise not_installed(
            "L-BFGS is SciPy's, which is not installed.", "train", "Take the optimiser lm, or run"
        ) from None
    return f"scipy {version('scipy')}"


def minimise(
    regression: Regression,
    *,
    optimiser: str = "lm",
    tolerance: float = TOLERANCE,
    most_iterations: int = MOST_ITERATIONS,
    state: State | None = None,
    save: Save | None = None,
    report: Report | None = None,
) -> Solution:
    """The minimum, from weights of 0 or from a ``state`` that ``save`` was given after an accepted step."""
    optimiser_version(optimiser)
    search = _levenberg_marquardt if optimiser == "lm" else _lbfgs
    return search(
        regression,
        tolerance,
        most_iterations,
        state,
        save or (lambda _: None),
        report or (lambda _: None),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Damped:
    """Between two steps of Levenberg-Marquardt: ``residual_hessian`` is what Gauss-Newton leaves out."""

    weights: FloatArray
    residual_hessian: FloatArray
    damping: float
    iterations: int = 0
    evaluations: int = 0
    gradients: int = 0
    converged: bool = False

    @classmethod
    def from_state(cls, state: State) -> _Damped:
        known = dict(state)
        weights, hessian = (np.array(known.pop(k)) for k in ("weights", "residual_hessian"))
        return cls(weights, hessian, **known)

    def state(self) -> State:
        found = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return found | {
            "weights": self.weights.tolist(),
            "residual_hessian": self.residual_hessian.tolist(),
        }


def _levenberg_marquardt(
    regression: Regression,
    tolerance: float,
    most_iterations: int,
    state: State | None,
    save: Save,
    report: Report,
) -> Solution:
    size = regression.weights
    if state is None:
        now = _Damped(
            np.zeros(size), np.zeros((size, size)), _FIRST_DAMPING, evaluations=1, gradients=1
        )
    else:
        now = _Damped.from_state(state)
    point = regression.point(now.weights)
    while not now.converged and now.iterations < most_iterations:
        before = point
        now, point = _iterate(regression, now, point, tolerance)
        save(now.state())
        if point is before:
            break
        step = float(np.linalg.norm(point.weights - before.weights))
        report(Progress(now.iterations, point.objective, step, now.evaluations))
    return Solution(
        now.weights,
        point.alpha,
        point.objective,
        now.iterations,
        now.evaluations,
        now.gradients,
        now.converged,
    )


def _iterate(
    regression: Regression, now: _Damped, point: Point, tolerance: float
) -> tuple[_Damped, Point]:
    """One accepted step, or the insight that there is none to take."""
    descent = point.descent(regression.penalty)
    gauss_newton = point.normal_matrix() + regression.penalty * np.eye(regression.weights)
    # What an undamped step could gain: it depends neither on the damping nor on the features' scales.
    if descent @ np.linalg.solve(gauss_newton, descent) <= tolerance * point.objective:
        return replace(now, converged=True), point
    hessian = gauss_newton + now.residual_hessian
    scale = np.diag(np.diag(gauss_newton))
    damping, growth = now.damping, 2.0
    evaluations, gradients, careful = now.evaluations, now.gradients, False
    while True:
        damped = hessian + damping * scale
        if not _positive_definite(damped):
            damping *= 4
            continue
        step = np.linalg.solve(damped, descent)
        expected = 2 * (descent @ step) - step @ hessian @ step
        if expected <= _ROUNDING * point.objective:
            # After rejections this is no minimum but a place that no step leads out of.
            return replace(now, converged=not careful), point
        evaluations += 1
        # Few steps are rejected, so the gradient is asked for at once; after a rejection, when one is found.
        weights = point.weights + step
        trial = None if careful else regression.point(weights)
        objective = regression.objective(weights) if trial is None else trial.objective
        gradients += trial is not None
        gain = (point.objective - objective) / float(expected)
        if gain > _LEAST_GAIN:
            break
        damping, growth, careful = damping * growth, growth * 2, True
    if trial is None:
        trial = regression.point(weights)
        evaluations, gradients = evaluations + 1, gradients + 1
    # Nielsen (1999): less damping the better the step was foreseen.
    damping *= max(0.1, 1 - (2 * gain - 1) ** 3)
    return (
        _Damped(
            weights,
            _updated_hessian(now.residual_hessian, point, trial, regression.penalty),
            max(damping, _LEAST_DAMPING),
            now.iterations + 1,
            evaluations,
            gradients,
        ),
        trial,
    )


def _updated_hessian(hessian: FloatArray, old: Point, new: Point, penalty: float) -> FloatArray:
    """The symmetric matrix nearest to ``hessian``, sized, that explains the change of the Jacobian."""
    step = new.weights - old.weights
    turn = old.descent(penalty) - new.descent(penalty)
    along = float(turn @ step)
    if along <= 0:
        return hessian
    bent = np.einsum("ij,i->j", old.jacobian - new.jacobian, new.residuals)
    before = float(step @ hessian @ step)
    if before != 0:
        hessian = hessian * min(1.0, abs(float(bent @ step)) / abs(before))
    missing = bent - hessian @ step
    update = np.outer(missing, turn) + np.outer(turn, missing)
    return np.asarray(hessian + update / along - (missing @ step) / along**2 * np.outer(turn, turn))


def _positive_definite(matrix: FloatArray) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _lbfgs(
    regression: Regression,
    tolerance: float,
    most_iterations: int,
    state: State | None,
    save: Save,
    report: Report,
) -> Solution:
    """SciPy does not show its state, so the state is all it was told: told again, it goes the same way."""
    from scipy.optimize import minimize

    told: list[tuple[list[float], float, list[float], float]] = []
    told += [] if state is None else map(tuple, state["told"])
    known = len(told)
    asked = iterations = 0
    last = np.zeros(regression.weights)

    def evaluate(weights: FloatArray) -> tuple[float, FloatArray]:
        nonlocal asked
        if asked == len(told):
            point = regression.point(weights.copy())
            gradient = -2 * point.descent(regression.penalty)
            told.append((weights.tolist(), point.objective, gradient.tolist(), point.alpha))
        asked += 1
        _, objective, gradient_, _ = told[asked - 1]
        return objective, np.array(gradient_)

    def accepted(weights: FloatArray) -> None:
        nonlocal iterations, last
        iterations += 1
        if asked > known:
            save({"told": told})
        _, objective, _, _ = _told(told, weights)
        report(Progress(iterations, objective, float(np.linalg.norm(weights - last)), asked))
        last = weights.copy()

    result = minimize(
        evaluate,
        last,
        jac=True,
        method="L-BFGS-B",
        callback=lambda weights: accepted(weights),
        options={
            "maxiter": most_iterations,
            "maxfun": 20 * most_iterations,
            "maxcor": 20,
            "ftol": tolerance,
            "gtol": 0.0,
        },
    )
    weights, objective, _, alpha = _told(told, result.x)
    return Solution(
        np.array(weights), alpha, objective, iterations, asked, asked, bool(result.success)
    )


def _told(
    told: list[tuple[list[float], float, list[float], float]], weights: FloatArray
) -> tuple[list[float], float, list[float], float]:
    """What SciPy was told about the weights, most likely a moment ago."""
    wanted = weights.tolist()
    return next(one for one in reversed(told) if one[0] == wanted)
