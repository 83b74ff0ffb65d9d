"""What acc_eq gives metrics that know nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metaphrase.statistics.chance_accuracy import chance_accuracy
from metaphrase.statistics.pairwise import pairwise_accuracy, tie_calibration
from oracle import shared_task as oracle


def made_up(seed: int, systems: int = 5, segments: int = 8) -> np.ndarray:
    human = np.round(-np.random.default_rng(seed).exponential(1.5, (systems, segments)))
    human[0, 0] = np.nan
    return human


def test_by_the_slow_twin() -> None:
    human = made_up(1)
    found = chance_accuracy(human, draws=3, seed=7)
    constant = oracle.calibrated_accuracy(np.zeros_like(human), human)
    assert found.constant == pytest.approx(constant, abs=1e-12)
    random = np.random.default_rng(7)
    drawn = [
        oracle.calibrated_accuracy(random.standard_normal(human.shape), human) for _ in range(3)
    ]
    assert found.calibrated == pytest.approx(sum(drawn) / 3, abs=1e-12)
    assert found.draws == 3


def test_people_who_never_tie_leave_a_constant_metric_nothing() -> None:
    found = chance_accuracy([[3, 1], [2, 2], [1, 3]])
    # All 3 pairs of each segment are ordered: t = 0, and random scores order half of them.
    assert (found.constant, found.untied) == (0, 0.5)


def test_people_who_always_tie_make_every_metric_right() -> None:
    found = chance_accuracy(np.zeros((4, 3)))
    assert (found.constant, found.untied, found.calibrated) == (1, 0, 1)


def test_the_expectation_without_ties_is_the_mean_of_all_orders() -> None:
    # Every order of three systems on one segment with one tie: (1 - 1/3) / 2 = 1/3.
    human = np.array([[0.0], [0.0], [-1.0]])
    orders = [np.array(o, dtype=float)[:, None] for o in
              ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))]  # fmt: skip
    mean = sum(pairwise_accuracy(order, human, group_by="segment") for order in orders) / 6
    assert chance_accuracy(human).untied == pytest.approx(mean)


def test_without_pairs_there_is_no_chance_level() -> None:
    found = chance_accuracy(np.zeros((1, 3)))
    assert all(map(math.isnan, (found.constant, found.untied, found.calibrated)))


@given(
    arrays(np.float64, (4, 3), elements=st.integers(-3, 3).map(float)),
    arrays(np.float64, (4, 3), elements=st.integers(-3, 0).map(float)),
)
def test_no_calibrated_metric_gets_less_than_a_constant_one(
    metric: np.ndarray, human: np.ndarray
) -> None:
    found = chance_accuracy(human, draws=1)
    assert tie_calibration(metric, human, group_by="segment").accuracy >= found.constant - 1e-12
    assert found.calibrated >= found.constant - 1e-12
