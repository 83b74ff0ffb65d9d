"""From losses and judgements to the weights of ``accord``.

Two linear models are fitted and averaged, because each is best at its own task and nearly as good at the
other's: ridge regression of people's standardised scores, and logistic regression of their preferences. Both
see losses over their standard deviation. The mean of the two, each brought to a standard deviation of 1, is
fitted to people's scores once more, which gives it a scale: a prediction of 0 losses becomes 100 points, and
one that people score as the mean translation 50.

Sets count by the square root of their size, so that no large set drowns the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.errors import InputError
from metaphrase.learning.accord.data import JudgedLosses
from metaphrase.trained.accord_model import AccordModel

#: The ridge per judgement, of standardised losses; a usual one, not tuned.
PENALTY = 0.01
_NEWTON_STEPS = 25
_SWEEPS = 10_000
#: Where a translation of people's mean score lies between 0 and 100 points.
_MEAN_SCORE = 50.0


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """``100 − points · losses`` is the score, and ``(score − 50) / spread`` the predicted z-score."""

    points: FloatArray
    spread: float

    def scores(self, losses: FloatArray) -> FloatArray:
        """Scores before they are cut at 0; of preferences, the difference in favour of people's."""
        return np.asarray(100.0 - losses @ self.points)


def fit_weights(sets: Sequence[JudgedLosses], *, penalty: float = PENALTY) -> Fit:
    """Fit both models to the sets."""
    scored = [one for one in sets if not one.is_ranked]
    ranked = [one for one in sets if one.is_ranked]
    if not sets or not all(len(one.losses) for one in sets):
        raise InputError("MP844", "there is nothing to learn from.")
    if scored:
        scale = _weighted_deviation(scored)
    else:
        scale = np.sqrt(np.mean([(one.losses**2).mean(axis=0) for one in ranked], axis=0) / 2)
    scale = np.where(scale > 1e-9, scale, np.inf)
    fits = []
    if scored:
        fits.append(_ridge(scored, scale, penalty))
    if ranked:
        fits.append(_preferences(ranked, scale, penalty))
    directions = [
        weights / max(_deviation(scored or ranked, scale, weights), 1e-12) for weights in fits
    ]
    weights = np.mean(directions, axis=0) / scale
    if not weights.any():
        raise InputError("MP844", "No loss is greater where people are less content.")
    if not scored:
        return Fit(weights * 10.0, 10.0)
    slope, at_no_loss = _calibrated(scored, weights)
    spread = _MEAN_SCORE / max(at_no_loss, 0.1)
    return Fit(weights * slope * spread, spread)


def leave_one_out(sets: Sequence[JudgedLosses], *, penalty: float = PENALTY) -> dict[str, Fit]:
    """For each set by name the fit of all others that share no texts with it, whatever their language pairs.

    People judged the same translations of a test set more than once, in other ways: who has learnt from one
    of these sets has seen the texts of the other.
    """
    fits = {}
    for name in dict.fromkeys(one.name for one in sets):
        left_out = [one for one in sets if one.name == name]
        others = [
            one
            for one in sets
            if one.name != name and not any(map(one.shares_texts_with, left_out))
        ]
        fits[name] = fit_weights(others, penalty=penalty)
    return fits


def agreement(judged: JudgedLosses, fit: Fit) -> float:
    """Pearson's r with people's scores, or τ with their preferences."""
    if judged.human is None:
        return float(np.mean(np.sign(judged.losses @ fit.points)))
    return float(np.corrcoef(fit.scores(judged.losses), judged.human)[0, 1])


def train_accord(
    sets: Sequence[JudgedLosses],
    names: Sequence[str],
    *,
    name: str,
    lang: str,
    licence: str = "",
    training: dict[str, Any] | None = None,
) -> AccordModel:
    """The model of all sets."""
    fit = fit_weights(sets)
    return AccordModel(
        name=name,
        lang=lang,
        features={
            loss: round(float(points), 6)
            for loss, points in zip(names, fit.points, strict=True)
            if points
        },
        licence=licence,
        training=dict(training or {}),
    )


def _weight(judged: JudgedLosses) -> float:
    """What a row counts: all rows of a set together the square root of their number."""
    return float(1.0 / np.sqrt(len(judged.losses)))


def _weighted_deviation(sets: Sequence[JudgedLosses]) -> FloatArray:
    total = sum(_weight(one) * len(one.losses) for one in sets)
    mean = sum(_weight(one) * one.losses.sum(axis=0) for one in sets) / total
    squares = sum(_weight(one) * ((one.losses - mean) ** 2).sum(axis=0) for one in sets) / total
    return np.asarray(np.sqrt(squares))


def _deviation(sets: Sequence[JudgedLosses], scale: FloatArray, weights: FloatArray) -> float:
    return float(np.mean([np.std(one.losses @ (weights / scale)) for one in sets]))


def _ridge(sets: Sequence[JudgedLosses], scale: FloatArray, penalty: float) -> FloatArray:
    """Regression of −z on losses, each language pair with an intercept of its own."""
    gram = np.zeros((len(scale), len(scale)))
    product_with_human = np.zeros(len(scale))
    total = 0.0
    for one in sets:
        assert one.human is not None
        rows = (one.losses - one.losses.mean(axis=0)) / scale
        gram += _weight(one) * (rows.T @ rows)
        product_with_human -= _weight(one) * (rows.T @ one.human)
        total += _weight(one) * len(rows)
    ridge = penalty * total * np.eye(len(scale))
    return _least(gram + ridge, product_with_human)


def _preferences(sets: Sequence[JudgedLosses], scale: FloatArray, penalty: float) -> FloatArray:
    """Logistic regression, by Newton's method; differences are the losses of the worse less the better's."""
    rows = np.concatenate([one.losses / scale for one in sets])
    counts = np.concatenate([np.full(len(one.losses), _weight(one)) for one in sets])
    ridge = penalty * counts.sum()
    weights = np.zeros(len(scale))
    for _ in range(_NEWTON_STEPS):
        wrong = 1.0 / (1.0 + np.exp(np.clip(rows @ weights, -30.0, 30.0)))
        gradient = rows.T @ (wrong * counts) - ridge * weights
        curvature = (rows * (counts * wrong * (1.0 - wrong))[:, None]).T @ rows
        curvature += ridge * np.eye(len(scale))
        before, weights = weights, _least(curvature, curvature @ weights + gradient)
        if np.abs(weights - before).max() < 1e-9:
            break
    return weights


def _least(quadratic: FloatArray, linear: FloatArray) -> FloatArray:
    """The weights of at least 0 that minimise ½ w·Qw − l·w, by coordinate descent."""
    weights = np.zeros(len(linear))
    slope = -linear
    for _ in range(_SWEEPS):
        largest = 0.0
        for i, curvature in enumerate(np.diag(quadratic)):
            moved = max(weights[i] - slope[i] / curvature, 0.0) - weights[i]
            if moved:
                weights[i] += moved
                slope = slope + moved * quadratic[i]
                largest = max(largest, abs(moved))
        if largest < 1e-12:
            break
    return weights


def _calibrated(sets: Sequence[JudgedLosses], weights: FloatArray) -> tuple[float, float]:
    """z = at_no_loss − slope · (weights · losses), by weighted least squares."""
    predicted = np.concatenate([one.losses @ weights for one in sets])
    human = np.concatenate([one.human for one in sets if one.human is not None])
    counts = np.concatenate([np.full(len(one.losses), _weight(one)) for one in sets])
    mean, mean_human = np.average(predicted, weights=counts), np.average(human, weights=counts)
    covariance = np.average((predicted - mean) * (human - mean_human), weights=counts)
    slope = -covariance / np.average((predicted - mean) ** 2, weights=counts)
    return float(slope), float(mean_human + slope * mean)
