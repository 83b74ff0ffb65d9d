"""Linear models of people's preferences and of their scores.

A ranking SVM (Joachims 2002) learns weights under which the translation that people prefer has the higher
score: an SVM on the differences of the features of two translations, without intercept,

    min ½ |w|² + C Σ ξ (hinge) or C Σ ξ² (squared hinge), ξ = max(0, 1 − w · difference),

with a sum over all pairs. The first is what SVM-rank solves, the program of the paper (4.4; METRICS 3.6); its
option -c is this C times the number of rankings, and its C = C of SVM-light. Absolute scores are
learnt by ridge regression. Both standardise features, and both choose how far weights are held down by
cross-validation over groups, so that nothing about a segment that is predicted was learnt from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.errors import InputError, OptionError
from metaphrase.extras import not_installed
from metaphrase.learning.tesla.hinge import least_hinge_loss

#: Candidates for C, the cost of a pair in the wrong order.
COSTS = tuple(10.0**k for k in range(-5, 2))
#: Candidates for λ, the penalty of squared weights, as multiples of the number of rows.
PENALTIES = tuple(10.0**k for k in range(-6, 2))
#: Called with a line about what was done.
Report = Callable[[str], None]
#: Of a ranking SVM; the first is the default.
LOSSES = ("squared-hinge", "hinge")


@dataclass(frozen=True, slots=True, eq=False)
class LinearFit:
    """score = intercept + Σ weight · (feature − mean) / scale, where a missing feature (NaN) adds nothing.

    ``regularisation`` is the candidate that was chosen; ``validated`` has, for each candidate, how well
    groups were predicted that were not learnt from: the share of pairs in the right order, or Pearson's r.
    ``found`` is that number for the model as it is, on what it was learnt from.
    """

    weights: FloatArray
    means: FloatArray
    scales: FloatArray
    intercept: float
    regularisation: float
    validated: dict[float, float]
    found: float

    def predict(self, features: ArrayLike) -> FloatArray:
        """Scores of rows of features."""
        rows = np.asarray(features, dtype=np.float64)
        return np.asarray(self.intercept + _standard(rows, self.means, self.scales) @ self.weights)


def fit_ranking(
    features: ArrayLike,
    better: ArrayLike,
    worse: ArrayLike,
    groups: Sequence[object],
    *,
    shares: ArrayLike | None = None,
    loss: str = LOSSES[0],
    costs: Sequence[float] = COSTS,
    folds: int = 5,
    report: Report | None = None,
) -> LinearFit:
    """Weights under which row ``better[i]`` of ``features`` scores above row ``worse[i]``.

    ``groups[i]`` is what must not be torn apart by cross-validation, such as the segment. ``shares`` are
    there if features are means over references and missing for some: of how many (0 to 1) each is the mean,
    for the score is the mean over all, and to it a reference without the feature adds nothing.
    """
    if loss not in LOSSES:
        raise OptionError("MP813", f"{loss!r} is no loss.", hint=f"Choose from {' '.join(LOSSES)}.")
    rows = _matrix(features)
    pairs = np.asarray(better, dtype=np.int64), np.asarray(worse, dtype=np.int64)
    if len(pairs[0]) == 0 or len(pairs[0]) != len(pairs[1]) or len(pairs[0]) != len(groups):
        raise InputError(
            "MP811", f"there are {len(pairs[0])} pairs in order to learn from, of {len(groups)}."
        )
    if min(map(np.min, pairs)) < 0 or max(map(np.max, pairs)) >= len(rows):
        raise InputError("MP811", "a pair names a text that has no features.")
    means, scales = _spread(rows)
    standard = _standard(rows, means, scales) * _shares(shares, rows)
    differences = standard[pairs[0]] - standard[pairs[1]]

    def fit(chosen: BoolArray, cost: float) -> FloatArray:
        return _separate(differences[chosen], cost, loss)

    def right(scores: FloatArray, chosen: BoolArray) -> float:
        return float((scores[chosen] > 0).mean())

    cost, validated = _choose(
        _checked(costs, folds), _folds(groups, folds), differences, fit, right, "C", report
    )
    everything = np.ones(len(differences), dtype=bool)
    weights = fit(everything, cost)
    found = right(differences @ weights, everything)
    return LinearFit(weights, means, scales, 0.0, cost, validated, found)


def fit_scores(
    features: ArrayLike,
    scores: ArrayLike,
    groups: Sequence[object],
    *,
    shares: ArrayLike | None = None,
    penalties: Sequence[float] = PENALTIES,
    folds: int = 5,
    report: Report | None = None,
) -> LinearFit:
    """Ridge regression: weights that predict ``scores`` with the least squared error and small weights.

    The penalty is the one with the highest correlation on groups that were held out. ``shares`` are those
    of :func:`fit_ranking`.
    """
    rows = _matrix(features)
    human = np.asarray(scores, dtype=np.float64)
    if human.shape != (len(rows),) or len(groups) != len(rows) or len(rows) < 2:
        raise InputError("MP811", f"there are {len(human)} scores to learn from, of {len(rows)}.")
    if not np.isfinite(human).all() or human.std() == 0:
        raise InputError("MP811", "the scores to learn from are all the same, or not numbers.")
    means, scales = _spread(rows)
    standard = _standard(rows, means, scales) * _shares(shares, rows)
    intercept = float(human.mean())

    def fit(chosen: BoolArray, penalty: float) -> FloatArray:
        part = standard[chosen]
        matrix = part.T @ part + penalty * len(part) * np.eye(part.shape[1])
        return np.asarray(np.linalg.solve(matrix, part.T @ (human[chosen] - intercept)))

    def agreement(predicted: FloatArray, chosen: BoolArray) -> float:
        return _pearson(predicted[chosen], human[chosen])

    penalty, validated = _choose(
        _checked(penalties, folds), _folds(groups, folds), standard, fit, agreement, "λ", report
    )
    everything = np.ones(len(rows), dtype=bool)
    weights = fit(everything, penalty)
    found = agreement(standard @ weights, everything)
    return LinearFit(weights, means, scales, intercept, penalty, validated, found)


def _choose(
    candidates: Sequence[float],
    fold: Int64Array,
    rows: FloatArray,
    fit: Callable[[BoolArray, float], FloatArray],
    quality: Callable[[FloatArray, BoolArray], float],
    name: str,
    report: Report | None,
) -> tuple[float, dict[float, float]]:
    """The candidate whose predictions of held-out folds are best, and how good those of each are.

    Of equally good ones the first, which learns least of the data's noise if candidates go that way.
    """
    found: dict[float, float] = {}
    for candidate in candidates:
        predicted = np.empty(len(rows))
        for held_out in _held_out(fold):
            predicted[held_out] = rows[held_out] @ fit(~held_out, candidate)
        found[candidate] = quality(predicted, np.ones(len(rows), dtype=bool))
        if report is not None:
            report(f"{name} = {candidate:g}: {found[candidate]:.4f} on what was held out")
    return max(found, key=lambda candidate: found[candidate]), found


def _separate(differences: FloatArray, cost: float, loss: str) -> FloatArray:
    """The weights of an SVM that has every difference on the positive side."""
    if loss == "hinge":
        return least_hinge_loss(differences, cost)
    try:
        from sklearn.svm import LinearSVC
    except ImportError:
        raise not_installed(
            "A ranking is learnt by scikit-learn, which is not installed.", "train"
        ) from None
    # Two classes are asked for; without intercept, turning a difference round changes nothing.
    sign = np.where(np.arange(len(differences)) % 2, -1.0, 1.0)
    if len(differences) == 1:
        differences, sign = np.repeat(differences, 2, axis=0), np.array([1.0, -1.0])
        cost /= 2
    machine = LinearSVC(C=cost, fit_intercept=False, dual=False, tol=1e-6, max_iter=10_000)
    machine.fit(differences * sign[:, None], sign)
    return np.asarray(machine.coef_[0], dtype=np.float64)


def _folds(groups: Sequence[object], folds: int) -> Int64Array:
    """The fold of each row; rows of one group are in one fold, whatever their order."""
    labels, group = np.unique(np.array([str(label) for label in groups]), return_inverse=True)
    if len(labels) < 2:
        raise InputError(
            "MP812",
            "Cross-validation needs judgements of at least two segments.",
            hint="Add judgements.",
        )
    return np.asarray(group.astype(np.int64) % min(folds, len(labels)))


def _held_out(fold: Int64Array) -> Iterator[BoolArray]:
    for number in range(int(fold.max()) + 1):
        yield fold == number


def _checked(candidates: Sequence[float], folds: int) -> Sequence[float]:
    if folds < 2:
        raise OptionError(
            "MP813",
            f"with folds = {folds} cross-validation has nothing to learn from.",
            hint="Choose 2 or more.",
        )
    if not candidates or not all(0 < c < np.inf for c in candidates):
        raise OptionError("MP813", "cross-validation needs positive numbers to choose from.")
    return candidates


def _matrix(features: ArrayLike) -> FloatArray:
    rows = np.asarray(features, dtype=np.float64)
    if rows.ndim != 2 or rows.size == 0 or np.isinf(rows).any():
        raise InputError("MP811", "there are no features to learn from, or an infinite one.")
    return rows


def _spread(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of each feature where it is there; 1 for one that never changes."""
    present = ~np.isnan(rows)
    count = np.maximum(present.sum(axis=0), 1)
    means = np.where(present, rows, 0.0).sum(axis=0) / count
    squares = np.where(present, rows - means, 0.0) ** 2
    scales = np.sqrt(squares.sum(axis=0) / count)
    return means, np.where(scales > 1e-12, scales, 1.0)


def _standard(rows: FloatArray, means: FloatArray, scales: FloatArray) -> FloatArray:
    return np.where(np.isnan(rows), 0.0, (rows - means) / scales)


def _shares(shares: ArrayLike | None, rows: FloatArray) -> FloatArray:
    found = np.ones_like(rows) if shares is None else np.asarray(shares, dtype=np.float64)
    if found.shape != rows.shape or not ((found >= 0) & (found <= 1)).all():
        raise InputError("MP811", "the shares of features are not one from 0 to 1 for each.")
    return found


def _pearson(one: FloatArray, other: FloatArray) -> float:
    if one.std() == 0 or other.std() == 0:
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])
