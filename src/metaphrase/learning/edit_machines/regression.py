"""Regression of people's scores on the log-sums of edit machines (Wang & Manning, EMNLP 2012).

Minimised over the weights θ and α is ``Σ_i (t_i − (y_i / len_i + α))² + λ‖θ‖²`` (Eq. 3; METRICS 6.1) with t a
person's score, y the log-sum over all edit sequences, len the words of both sides, and α not penalised. Given
θ the best α is the mean of ``t − y / len``, so that only θ is searched for: in all that follows, residuals
and the columns of the Jacobian (expected counts per word) are taken from their means.

The paper calls the objective convex; it is not where predictions are above their targets. All
optimisers therefore start at θ = 0, as published.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray
from metaphrase.matching.edit_machine import (
    MachineOptions,
    arc_counts,
    expected_counts,
    log_sums,
)
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.trained.edit_features import parameter_names, parameter_of_feature

#: Weights at which a step is not even tried.
_FARTHEST = 1e5


class Rates(Protocol):
    """Log-sums per word as a function of weights, one a pair."""

    def values(self, weights: FloatArray) -> FloatArray:
        """``y / len``."""

    def jacobian(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """``y / len`` and its derivatives, pairs × weights."""


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """The rates of an edit machine over the weights that are learnt; others are 0.

    ``learnt`` are places among :func:`~metaphrase.trained.edit_features.parameter_names`.
    """

    pairs: EditPairs
    options: MachineOptions
    jump_labels: int
    learnt: NDArray[np.intp]
    threads: int = 1

    @property
    def words(self) -> FloatArray:
        """The words of both sides of each pair; 1 where there are none, for their log-sum is 0."""
        lengths = self.pairs.reference_lengths.astype(np.float64) + self.pairs.hypothesis_lengths
        return np.maximum(lengths, 1.0)

    def values(self, weights: FloatArray) -> FloatArray:
        """``y / len``; not a number where weights are too large, so that no optimiser goes there."""
        if not np.abs(weights).max(initial=0.0) <= _FARTHEST:
            return np.full(len(self.pairs), np.nan)
        sums = log_sums(
            self.pairs, self._features(weights), options=self.options, threads=self.threads
        )
        return np.asarray(sums / self.words)

    def jacobian(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """``y / len`` and expected counts per word; not a number where weights are too large."""
        if not np.abs(weights).max(initial=0.0) <= _FARTHEST:
            return np.full(len(self.pairs), np.nan), np.zeros((len(self.pairs), len(weights)))
        sums, counts = expected_counts(
            self.pairs, self._features(weights), options=self.options, threads=self.threads
        )
        words = self.words
        return sums / words, self._tied(counts) / words[:, None]

    def _features(self, weights: FloatArray) -> FloatArray:
        parameters = np.zeros(len(parameter_names(self.jump_labels)))
        parameters[self.learnt] = weights
        return parameters[parameter_of_feature(self.jump_labels)]

    def _tied(self, counts: FloatArray) -> FloatArray:
        """Counts of the learnt weights: those of all features that share one, added up."""
        places = np.full(len(parameter_names(self.jump_labels)), -1)
        places[self.learnt] = np.arange(len(self.learnt))
        tied = np.zeros((len(counts), len(self.learnt)))
        for feature, place in enumerate(places[parameter_of_feature(self.jump_labels)]):
            if place >= 0:
                tied[:, place] += counts[:, feature]
        return tied


def frequent_parameters(
    pairs: EditPairs,
    *,
    options: MachineOptions,
    jump_labels: int,
    start_features: bool,
    cut_off: int,
    threads: int = 1,
) -> NDArray[np.intp]:
    """Places of the parameters that fire on at least ``cut_off`` arcs of the pairs' trellises (METRICS 6.3).

    Arcs, not best paths: the paper's counts (one feature fires 262 times a pair) cannot be others.
    """
    names = parameter_names(jump_labels)
    arcs = np.zeros(len(names), dtype=np.int64)
    found = arc_counts(pairs, options=options, threads=threads)
    np.add.at(arcs, parameter_of_feature(jump_labels), found)
    wanted = [start_features or not name.startswith("S|") for name in names]
    # A feature that never fires cannot be learnt, whatever the cut-off.
    return np.flatnonzero((arcs >= max(cut_off, 1)) & np.array(wanted))


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The regression at some weights; ``jacobian`` and ``residuals`` are taken from their means."""

    weights: FloatArray
    alpha: float
    objective: float
    residuals: FloatArray
    jacobian: FloatArray

    def descent(self, penalty: float) -> FloatArray:
        """Minus half the gradient of the objective."""
        along = np.einsum("ij,i->j", self.jacobian, self.residuals)
        return np.asarray(along - penalty * self.weights)

    def normal_matrix(self) -> FloatArray:
        """Half the Gauss-Newton Hessian, without the penalty.

        Not by BLAS, whose order of summation depends on how many threads it finds.
        """
        return np.asarray(np.einsum("ij,ik->jk", self.jacobian, self.jacobian))


@dataclass(frozen=True, slots=True, eq=False)
class Regression:
    """Targets and what is to meet them."""

    targets: FloatArray
    rates: Rates
    weights: int
    penalty: float

    def objective(self, weights: FloatArray) -> float:
        """What is minimised; costs a forward pass."""
        _, objective, _ = self._fit(self.rates.values(weights), weights)
        return objective

    def point(self, weights: FloatArray) -> Point:
        """All that a step needs; costs a forward and a backward pass."""
        values, jacobian = self.rates.jacobian(weights)
        alpha, objective, residuals = self._fit(values, weights)
        return Point(weights, alpha, objective, residuals, jacobian - jacobian.mean(axis=0))

    def _fit(self, values: FloatArray, weights: FloatArray) -> tuple[float, float, FloatArray]:
        residuals = self.targets - values
        alpha = float(residuals.mean())
        residuals = residuals - alpha
        squares = float(np.sum(residuals * residuals))
        penalty = self.penalty * float(np.sum(weights * weights))
        return alpha, squares + penalty, residuals


@dataclass(frozen=True, slots=True)
class Progress:
    """How far training has come: a step was accepted."""

    iteration: int
    objective: float
    step: float
    evaluations: int


Report = Callable[[Progress], None]
