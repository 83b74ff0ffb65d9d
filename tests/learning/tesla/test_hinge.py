"""The ranking SVM's minimum against its dual, found in another way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import OptionError
from metaphrase.learning.tesla.hinge import least_hinge_loss
from metaphrase.learning.tesla.ranking import fit_ranking
from oracle.hinge import bounds, objective

NUMBERS = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 0.5]), st.floats(-3.0, 3.0))


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(NUMBERS, min_size=width, max_size=width), min_size=1, max_size=12
        )
    ),
    st.sampled_from([1e-3, 0.1, 1.0, 10.0]),
)
def test_no_weights_have_a_smaller_objective(rows: list[list[float]], cost: float) -> None:
    differences = np.array(rows)
    found = objective(least_hinge_loss(differences, cost), differences, cost)
    lower, upper = bounds(differences, cost)
    assert lower - 1e-6 * (1 + upper) <= found <= upper + 1e-6 * (1 + upper)


def test_one_pair_is_put_a_margin_apart() -> None:
    # By hand: w = a x with a = min(C, 1 / |x|²); here |x|² = 5.
    differences = np.array([[1.0, 2.0]])
    np.testing.assert_allclose(least_hinge_loss(differences, 1.0), [0.2, 0.4], atol=1e-9)
    np.testing.assert_allclose(least_hinge_loss(differences, 0.1), [0.1, 0.2], atol=1e-9)


def test_slacks_count_by_their_size_and_not_by_its_square() -> None:
    # By hand, with one feature: three pairs at 1 against one at −2 leave w = C (3 − 2) while all slacks are
    # positive. Of the squared hinge it is w = 2 C (3 (1 − w) − 2 (1 + 2 w)), that is 1/9.
    differences = np.array([[1.0], [1.0], [1.0], [-2.0]])
    np.testing.assert_allclose(least_hinge_loss(differences, 0.25), [0.25], atol=1e-9)


def test_many_noisy_pairs_are_solved_to_the_digits_that_models_keep() -> None:
    random = np.random.default_rng(5)
    differences = random.normal(size=(3000, 6)) + 0.1
    for cost in (1e-4, 1e-2, 1.0):
        weights = least_hinge_loss(differences, cost)
        again = least_hinge_loss(differences[random.permutation(3000)], cost)
        np.testing.assert_allclose(weights, again, rtol=1e-6)


@pytest.mark.parametrize("seed", [285, 5604])
def test_steps_do_not_go_round_in_a_circle(seed: int) -> None:
    # With these numbers full second-order steps came back to where they were, and the gap stayed at 1e-3.
    differences = np.abs(np.random.default_rng(seed).normal(size=(17, 7)))
    lower, upper = bounds(differences, 10.0)
    found = objective(least_hinge_loss(differences, 10.0), differences, 10.0)
    assert lower - 1e-6 * (1 + upper) <= found <= upper + 1e-6 * (1 + upper)


def test_the_ranking_is_learnt_with_the_loss_that_is_asked_for() -> None:
    random = np.random.default_rng(6)
    features = random.normal(size=(200, 3))
    better, worse = random.integers(0, 200, size=(2, 400))
    better, worse = better[better != worse], worse[better != worse]
    quality = features @ [1.0, 0.5, 0.0] + random.normal(size=200)
    better, worse = np.where(
        quality[better] > quality[worse], [better, worse], [worse, better]
    ).astype(int)
    fit = fit_ranking(features, better, worse, better.tolist(), loss="hinge", costs=[0.01])
    scaled = (features[better] - features[worse]) / fit.scales
    lower, upper = bounds(scaled, 0.01)
    assert upper - lower < 1e-6
    assert objective(fit.weights, scaled, 0.01) == pytest.approx(upper, rel=1e-6)
    with pytest.raises(OptionError, match="MP813"):
        fit_ranking(features, better, worse, better.tolist(), loss="logistic")
