"""acc_eq and tie calibration: every pair and every threshold, tried one by one, give the same."""

from __future__ import annotations

import math
from dataclasses import astuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from metaphrase.errors import OptionError
from metaphrase.meta import pairwise_accuracy, tie_calibration
from metaphrase.statistics import pairwise
from oracle.agreement import accuracy, calibrated_accuracy, groups

NAN = float("nan")
GROUPS = ["none", "segment", "system"]
PAIRS = array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=5).flatmap(
    lambda shape: st.tuples(
        arrays(
            np.float64,
            shape,
            elements=st.one_of(st.sampled_from([0.1, 0.3, 0.4, NAN]), st.floats(0, 1, width=16)),
        ),
        arrays(np.float64, shape, elements=st.sampled_from([0.0, -1.0, -5.0, NAN])),
    )
)


@pytest.mark.parametrize("group_by", GROUPS)
@given(pair=PAIRS)
def test_calibration_finds_the_best_of_all_thresholds(
    group_by: str, pair: tuple[np.ndarray, np.ndarray]
) -> None:
    expected_accuracy, expected_epsilon = calibrated_accuracy(
        groups(pair[0].tolist(), pair[1].tolist(), group_by)
    )
    actual = tie_calibration(*pair, group_by=group_by)
    assert actual.accuracy == pytest.approx(expected_accuracy, abs=1e-12, nan_ok=True)
    assert actual.epsilon == pytest.approx(expected_epsilon, abs=0, rel=0, nan_ok=True)


@pytest.mark.parametrize("group_by", GROUPS)
@given(pair=PAIRS, bins=st.integers(1, 5), block=st.integers(1, 20))
def test_bins_and_blocks_do_not_change_the_result(
    group_by: str, pair: tuple[np.ndarray, np.ndarray], bins: int, block: int
) -> None:
    expected = tie_calibration(*pair, group_by=group_by)
    with patch.multiple(pairwise, _BINS=bins, _BLOCK=block):
        actual = tie_calibration(*pair, group_by=group_by)
    assert astuple(actual) == pytest.approx(astuple(expected), abs=0, rel=0, nan_ok=True)


def test_groups_of_many_sizes() -> None:
    # Pairs of 30, 31, … 59 segments have no common multiple that a double could hold.
    random = np.random.default_rng(5)
    metric, human = random.integers(0, 9, (2, 30, 59)).astype(float)
    for system in range(30):
        human[system, 30 + system :] = NAN
    accuracies = [
        pairwise_accuracy(metric, human, group_by="system", epsilon=epsilon) for epsilon in range(9)
    ]
    best = tie_calibration(metric, human, group_by="system")
    assert best.accuracy == pytest.approx(max(accuracies), abs=1e-12)
    assert accuracies[int(best.epsilon)] == best.accuracy


@pytest.mark.parametrize("group_by", GROUPS)
@given(pair=PAIRS, epsilon=st.sampled_from([0.0, 0.1, 0.4 - 0.1, 1.0]))
def test_accuracy_at_a_threshold_counts_all_pairs(
    group_by: str, pair: tuple[np.ndarray, np.ndarray], epsilon: float
) -> None:
    compared = [
        accuracy(group, epsilon)
        for group in groups(pair[0].tolist(), pair[1].tolist(), group_by)
        if len(group) > 1
    ]
    expected = float(sum(compared) / len(compared)) if compared else NAN
    actual = pairwise_accuracy(*pair, group_by=group_by, epsilon=epsilon)
    assert actual == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("group_by", GROUPS)
@given(pair=PAIRS, seed=st.integers(0, 99))
def test_the_order_of_systems_and_segments_does_not_matter(
    group_by: str, pair: tuple[np.ndarray, np.ndarray], seed: int
) -> None:
    random = np.random.default_rng(seed)
    rows, columns = (random.permutation(size) for size in pair[0].shape)
    shuffled = tie_calibration(*(s[rows][:, columns] for s in pair), group_by=group_by)
    actual = tie_calibration(*pair, group_by=group_by)
    assert shuffled.accuracy == pytest.approx(actual.accuracy, abs=1e-12, nan_ok=True)
    assert shuffled.epsilon == pytest.approx(actual.epsilon, abs=0, rel=0, nan_ok=True)


@given(pair=PAIRS)
def test_accuracy_without_calibration_ignores_monotone_transforms(
    pair: tuple[np.ndarray, np.ndarray],
) -> None:
    metric, human = pair
    assert pairwise_accuracy(8 * metric - 3, human**3) == pytest.approx(
        pairwise_accuracy(metric, human), nan_ok=True
    )


def test_calibration_by_hand() -> None:
    # Systems a, b, c on one segment; people: a = b > c. Differences of the metric: ab .1, bc .4, ac .5.
    # ε = 0: ac and bc right, 2/3. ε = .1 finds the tie, 3/3. ε = .4 loses bc, 2/3.
    metric, human = [[0.9], [0.8], [0.4]], [[5.0], [5.0], [1.0]]
    assert pairwise_accuracy(metric, human, group_by="segment") == pytest.approx(2 / 3)
    best = tie_calibration(metric, human, group_by="segment")
    assert best.accuracy == 1
    assert best.epsilon == 0.9 - 0.8


def test_one_threshold_serves_all_groups() -> None:
    # Segment 1 wants ε ≥ .25 (people tie), segment 2 wants ε < .25 and segment 3 too: 2/3 without ties.
    metric = [[0.0, 0.0, 0.0], [0.25, 0.25, 0.25]]
    human = [[1, 1, 1], [1, 2, 2]]
    best = tie_calibration(metric, human, group_by="segment")
    assert (best.accuracy, best.epsilon) == (pytest.approx(2 / 3), 0)
    # With two segments that people tie, it is the other way round.
    human = [[1, 1, 1], [1, 1, 2]]
    best = tie_calibration(metric, human, group_by="segment")
    assert (best.accuracy, best.epsilon) == (pytest.approx(2 / 3), 0.25)


def test_segments_weigh_the_same_however_many_systems_were_judged() -> None:
    # Segment 1: three systems, all pairs right; segment 2: two systems, wrong. (1 + 0) / 2, not 3/4.
    metric = [[1, 1], [2, 2], [3, NAN]]
    human = [[1, 2], [2, 1], [3, 0]]
    assert pairwise_accuracy(metric, human, group_by="segment") == pytest.approx(0.5)


def test_all_ties_and_constant_metrics() -> None:
    flat = np.ones((3, 4))
    rising = np.arange(12.0).reshape(3, 4)
    assert tie_calibration(flat, flat).accuracy == 1
    assert tie_calibration(flat, rising).accuracy == 0
    everything = tie_calibration(rising, flat)
    assert (everything.accuracy, everything.epsilon) == (1, 11)


def test_without_a_pair_the_result_is_nan() -> None:
    for metric in ([[]], [[1.0]], [[NAN, 1.0]]):
        human = np.ones_like(metric)
        assert math.isnan(pairwise_accuracy(metric, human))
        assert math.isnan(tie_calibration(metric, human).epsilon)
    assert math.isnan(pairwise_accuracy([[1.0, 2.0]], [[1.0, 2.0]], group_by="segment"))


def test_a_negative_threshold_is_refused() -> None:
    for epsilon in (-0.1, NAN, math.inf, "0"):
        with pytest.raises(OptionError, match="MP711"):
            pairwise_accuracy([[1.0]], [[1.0]], epsilon=epsilon)
