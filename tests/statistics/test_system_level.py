"""The choice between two systems: pairwise accuracy and soft pairwise accuracy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metaphrase.errors import InputError, OptionError
from metaphrase.meta import (
    paired_permutation_p_values,
    soft_pairwise_accuracy,
    soft_pairwise_accuracy_of_scores,
    system_pairwise_accuracy,
)
from oracle.agreement import permutation_p_value

NAN = float("nan")


def test_pairwise_accuracy_by_hand() -> None:
    # Pairs: 12 right, 13 right, 14 wrong, 23 tied by people (the metric orders), 24 wrong, 34 wrong.
    metric, human = [4, 3, 2, 1], [3, 2, 2, 5]
    assert system_pairwise_accuracy(metric, human) == pytest.approx(2 / 6)
    assert system_pairwise_accuracy(metric, human, human_ties="leave-out") == pytest.approx(2 / 5)


def test_systems_of_different_language_pairs_are_not_compared() -> None:
    # de: one pair, right; cs: one pair, wrong.
    languages = ["de", "cs", "de", "cs"]
    value = system_pairwise_accuracy([1, 1, 2, 2], [1, 9, 2, 8], language_pairs=languages)
    assert value == pytest.approx(0.5)


def test_pairs_can_be_chosen() -> None:
    significant = np.zeros((3, 3), dtype=bool)
    significant[0, 2] = significant[2, 0] = True
    assert system_pairwise_accuracy([1, 2, 3], [1, 0, 2], counted=significant) == 1
    assert math.isnan(
        system_pairwise_accuracy([1, 2], [1, 2], counted=np.zeros((2, 2), dtype=bool))
    )


def test_a_single_system_or_missing_scores_leave_nothing_to_compare() -> None:
    for metric, human in (([], []), ([1], [1]), ([1, NAN], [1, 2])):
        assert math.isnan(system_pairwise_accuracy(metric, human))


@given(arrays(np.float64, (2, 6), elements=st.sampled_from([0.0, 1.0, 2.0])), st.integers(0, 99))
def test_system_accuracy_ignores_order_and_monotone_transforms(
    scores: np.ndarray, seed: int
) -> None:
    metric, human = scores
    order = np.random.default_rng(seed).permutation(6)
    assert system_pairwise_accuracy(np.exp(metric[order]), human[order] * 3) == pytest.approx(
        system_pairwise_accuracy(metric, human)
    )


@given(arrays(np.float64, (2, 5), elements=st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0])))
def test_p_values_approach_those_of_all_permutations(scores: np.ndarray) -> None:
    # Exact in binary fractions; 0.1 and the like only tie up to rounding, so tenths become integers.
    exact = permutation_p_value(*(np.round(scores * 10).astype(int).tolist()))
    sampled = paired_permutation_p_values(scores, permutations=4000)[0, 1]
    # Five standard errors of a share of 4000: 5 · √(¼ / 4000) = 0.04.
    assert sampled == pytest.approx(float(exact), abs=0.04)


def test_the_better_system_has_the_smaller_p_value() -> None:
    # Each of ten segments prefers the first: only the permutation that changes nothing is as good.
    scores = np.array([[1.0] * 10, [0.0] * 10])
    p_values = paired_permutation_p_values(scores, permutations=5000)
    assert p_values[0, 1] == pytest.approx(2**-10, abs=0.005)
    assert p_values[1, 0] == 1
    assert np.isnan(np.diag(p_values)).all()


def test_equal_systems_tie_in_every_permutation() -> None:
    scores = [[0.1, 0.2], [0.1, 0.2]]
    assert paired_permutation_p_values(scores)[0, 1] == 1
    assert paired_permutation_p_values(scores, equal="half")[0, 1] == 0.5


def test_ties_up_to_rounding_are_ties() -> None:
    # .1 + .2 − .3 is 5.6e−17 in doubles: the permutation that changes all three segments is a tie.
    scores = np.array([[0.1, 0.2, 0.0], [0.0, 0.0, 0.3]])
    shares = paired_permutation_p_values(scores, equal="half", permutations=999)
    assert shares[0, 1] + shares[1, 0] == pytest.approx(1)
    scaled = paired_permutation_p_values(scores * 10, equal="half", permutations=999)
    np.testing.assert_array_equal(shares, scaled)


def test_seeds_reproduce_and_differ() -> None:
    scores = np.random.default_rng(0).normal(size=(4, 30))
    first = paired_permutation_p_values(scores, seed=1)
    np.testing.assert_array_equal(first, paired_permutation_p_values(scores, seed=1))
    assert (first != paired_permutation_p_values(scores, seed=2)).any()


def test_missing_segments_are_left_out_of_the_pair() -> None:
    scores = np.random.default_rng(0).normal(size=(3, 20))
    scores[1, 5:] = NAN
    scores[2, :10] = NAN
    p_values = paired_permutation_p_values(scores)
    padded = np.where(np.arange(20) < 5, scores, 0.0)
    assert p_values[0, 1] == paired_permutation_p_values(padded)[0, 1]
    assert math.isnan(p_values[1, 2])


def test_soft_accuracy_by_hand() -> None:
    # |.1 − .2| = .1, |.5 − 1| = .5, |.3 − .3| = 0: 1 − .6/3.
    metric = [[NAN, 0.1, 0.5], [NAN, NAN, 0.3], [NAN, NAN, NAN]]
    human = [[NAN, 0.2, 1.0], [NAN, NAN, 0.3], [NAN, NAN, NAN]]
    assert soft_pairwise_accuracy(metric, human) == pytest.approx(0.8)


def test_a_metric_that_repeats_people_has_soft_accuracy_one() -> None:
    human = np.random.default_rng(3).normal(size=(5, 40))
    assert soft_pairwise_accuracy_of_scores(human, human) == 1
    assert soft_pairwise_accuracy_of_scores(2 * human + 1, human) == 1
    assert soft_pairwise_accuracy_of_scores(-human, human) < 0.6
    assert math.isnan(soft_pairwise_accuracy_of_scores(human[:1], human[:1]))


@given(arrays(np.float64, (4, 6), elements=st.sampled_from([0.0, 1.0, 3.0])), st.integers(0, 99))
def test_with_half_ties_soft_accuracy_ignores_the_order_of_systems(
    human: np.ndarray, seed: int
) -> None:
    random = np.random.default_rng(seed)
    metric = human + random.integers(0, 3, human.shape)
    order = random.permutation(4)
    options = {"equal": "half", "permutations": 50}
    assert soft_pairwise_accuracy_of_scores(
        metric[order], human[order], **options
    ) == pytest.approx(soft_pairwise_accuracy_of_scores(metric, human, **options))


def test_wrong_shapes_and_options_are_refused() -> None:
    with pytest.raises(InputError, match="MP701"):
        soft_pairwise_accuracy([[0.1, 0.2]], [[0.1, 0.2]])
    with pytest.raises(InputError, match="MP706"):
        system_pairwise_accuracy([1, 2], [1, 2], counted=[[False, True], [False, False]])
    for options in ({"permutations": 0}, {"seed": -1}, {"permutations": 2.5}):
        with pytest.raises(OptionError, match="MP711"):
            paired_permutation_p_values([[1.0]], **options)
    for options in ({"equal": "all"},):
        with pytest.raises(OptionError, match="MP710"):
            paired_permutation_p_values([[1.0]], **options)
    with pytest.raises(OptionError, match="MP710"):
        system_pairwise_accuracy([1], [1], human_ties="ignore")
