"""Both optimisers find the minimum, go the same way twice, and go on where they were interrupted."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from metaphrase.errors import OptionError, ResourceError
from metaphrase.learning.edit_machines.optimisers import OPTIMISERS, Solution, minimise
from metaphrase.learning.edit_machines.regression import Progress, Regression

Floats = NDArray[np.float64]


@dataclass
class ListedSequences:
    """Rates of pairs whose edit sequences are listed: ``counts[pair, sequence, feature]``."""

    counts: Floats
    words: Floats
    evaluated: int = 0

    def values(self, weights: Floats) -> Floats:
        self.evaluated += 1
        scores = self.counts @ weights
        return np.logaddexp.reduce(scores, axis=1) / self.words

    def jacobian(self, weights: Floats) -> tuple[Floats, Floats]:
        self.evaluated += 1
        scores = self.counts @ weights
        sums = np.logaddexp.reduce(scores, axis=1)
        shares = np.exp(scores - sums[:, None])
        expected = np.einsum("ps,psf->pf", shares, self.counts)
        return sums / self.words, expected / self.words[:, None]


def problem(*, noise: float = 0.5, features: int = 8, penalty: float = 5.0) -> Regression:
    """Targets that weights explain in part, as those of people are."""
    random = np.random.default_rng(7)
    counts = random.poisson(2.0, (300, 12, features)).astype(float)
    rates = ListedSequences(counts, random.integers(10, 60, 300).astype(float))
    explained = rates.values(random.normal(size=features))
    targets = explained / explained.std() + noise * random.normal(size=300) + 3.0
    return Regression(targets, rates, features, penalty)


def numeric_gradient(regression: Regression, weights: Floats) -> Floats:
    steps = 1e-6 * np.eye(len(weights))
    return np.array(
        [
            (regression.objective(weights + step) - regression.objective(weights - step)) / 2e-6
            for step in steps
        ]
    )


@pytest.mark.parametrize("optimiser", OPTIMISERS)
class TestMinimum:
    @pytest.mark.parametrize("noise", [0.0, 0.5, 3.0])
    def test_the_gradient_vanishes(self, optimiser: str, noise: float) -> None:
        regression = problem(noise=noise)
        found = minimise(regression, optimiser=optimiser, tolerance=1e-13)
        assert found.converged
        assert np.abs(numeric_gradient(regression, found.weights)).max() < 1e-3
        assert found.objective == regression.objective(found.weights)

    def test_alpha_is_the_mean_of_what_is_left(self, optimiser: str) -> None:
        regression = problem()
        found = minimise(regression, optimiser=optimiser)
        left = regression.targets - regression.rates.values(found.weights)
        assert found.alpha == pytest.approx(left.mean())

    def test_shifted_targets_shift_alpha_alone(self, optimiser: str) -> None:
        regression = problem()
        shifted = Regression(regression.targets + 100, regression.rates, 8, 5.0)
        here, there = (minimise(one, optimiser=optimiser) for one in (regression, shifted))
        assert there.weights == pytest.approx(here.weights, abs=1e-4)
        assert there.alpha == pytest.approx(here.alpha + 100, abs=1e-4)

    def test_constant_targets_are_met_at_zero(self, optimiser: str) -> None:
        one = problem()
        # The rates at zero are constant as well where every pair has as many sequences and words.
        rates = ListedSequences(one.rates.counts, np.full(300, 20.0))  # type: ignore[attr-defined]
        found = minimise(Regression(np.full(300, 2.0), rates, 8, 5.0), optimiser=optimiser)
        assert found.weights == pytest.approx(np.zeros(8), abs=1e-9)
        assert found.alpha == pytest.approx(2.0 - np.log(12) / 20)

    def test_a_heavy_penalty_holds_weights_at_zero(self, optimiser: str) -> None:
        found = minimise(problem(penalty=1e9), optimiser=optimiser)
        assert np.abs(found.weights).max() < 1e-6

    def test_iterations_can_be_limited(self, optimiser: str) -> None:
        found = minimise(problem(), optimiser=optimiser, most_iterations=2)
        assert (found.iterations, found.converged) == (2, False)

    def test_progress_is_told_after_every_accepted_step(self, optimiser: str) -> None:
        told: list[Progress] = []
        found = minimise(problem(), optimiser=optimiser, report=told.append)
        numbers = [one.iteration for one in told]
        assert numbers[: found.iterations] == list(range(1, found.iterations + 1))
        objectives = [one.objective for one in told]
        assert objectives == sorted(objectives, reverse=True)
        assert objectives[-1] == found.objective


def test_both_optimisers_find_the_same_minimum() -> None:
    one, other = (minimise(problem(), optimiser=name, tolerance=1e-13) for name in OPTIMISERS)
    assert one.objective == pytest.approx(other.objective, rel=1e-9)
    assert one.weights == pytest.approx(other.weights, abs=1e-4)


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_evaluations_are_counted(optimiser: str) -> None:
    regression = problem(features=20)
    regression.rates.evaluated = 0  # type: ignore[attr-defined]
    found = minimise(regression, optimiser=optimiser)
    assert regression.rates.evaluated == found.evaluations  # type: ignore[attr-defined]
    assert found.gradients <= found.evaluations


class InterruptionError(Exception):
    pass


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("after", [1, 2, 5])
def test_interrupted_and_resumed_training_goes_the_same_way(optimiser: str, after: int) -> None:
    whole = minimise(problem(), optimiser=optimiser)
    states: list[str] = []

    def save(state: dict[str, Any]) -> None:
        states.append(json.dumps(state))
        if len(states) == after:
            raise InterruptionError

    with pytest.raises(InterruptionError):
        minimise(problem(), optimiser=optimiser, save=save)
    resumed = minimise(problem(), optimiser=optimiser, state=json.loads(states[-1]))
    assert_equal(resumed, whole)


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_resuming_what_was_done_changes_nothing(optimiser: str) -> None:
    states: list[dict[str, Any]] = []
    whole = minimise(problem(), optimiser=optimiser, save=states.append)
    assert_equal(minimise(problem(), optimiser=optimiser, state=states[-1]), whole)


def assert_equal(one: Solution, other: Solution) -> None:
    for name in Solution.__dataclass_fields__:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_steps_that_leave_the_numbers_are_rejected() -> None:
    @dataclass
    class Cliff(ListedSequences):
        """Overflows where weights are a little larger than those that are sought."""

        def jacobian(self, weights: Floats) -> tuple[Floats, Floats]:
            values, jacobian = super().jacobian(weights)
            return np.where(np.abs(weights).max() > 0.3, np.nan, values), jacobian

        def values(self, weights: Floats) -> Floats:
            return np.where(np.abs(weights).max() > 0.3, np.nan, super().values(weights))

    safe = problem()
    cliff = Cliff(safe.rates.counts, safe.rates.words)  # type: ignore[attr-defined]
    found = minimise(Regression(safe.targets, cliff, 8, 5.0))
    assert np.isfinite(found.objective)
    assert not found.converged
    assert found.objective < safe.objective(np.zeros(8))


def test_an_unknown_optimiser() -> None:
    with pytest.raises(OptionError, match="MP631"):
        minimise(problem(), optimiser="adam")


def test_lbfgs_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(ResourceError, match="MP970"):
        minimise(problem(), optimiser="lbfgs")
