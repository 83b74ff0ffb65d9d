"""Linear models learn what they are shown, choose their regularisation by segments, and refuse the rest."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, MetaphraseError, OptionError, ResourceError
from metaphrase.learning.tesla.ranking import LinearFit, fit_ranking, fit_scores

RANDOM = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def _same_numbers_in_any_order() -> None:
    """Whichever tests run before, and in which process."""
    RANDOM.bit_generator.state = np.random.default_rng(7).bit_generator.state


def judged(rows: int = 300, noise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Features on very different scales, and the quality that they add up to."""
    features = RANDOM.normal(size=(rows, 3)) * [1.0, 10.0, 0.01] + [0.0, 5.0, -2.0]
    quality = features @ [1.0, -0.2, 50.0] + noise * RANDOM.normal(size=rows)
    return features, quality


def pairs_of(quality: np.ndarray, count: int = 600) -> tuple[np.ndarray, np.ndarray]:
    one, other = RANDOM.integers(len(quality), size=(2, count))
    different = quality[one] != quality[other]
    one, other = one[different], other[different]
    first = quality[one] > quality[other]
    return np.where(first, one, other), np.where(first, other, one)


def ranked(features: np.ndarray, quality: np.ndarray, **options: object) -> LinearFit:
    better, worse = pairs_of(quality)
    return fit_ranking(features, better, worse, better.tolist(), **options)


def test_a_ranking_that_features_explain_is_learnt() -> None:
    features, quality = judged()
    fit = ranked(features, quality)
    assert fit.found > 0.99
    assert max(fit.validated.values()) > 0.98
    assert np.corrcoef(fit.predict(features), quality)[0, 1] > 0.99


def test_a_ranking_without_reason_is_not_learnt() -> None:
    features, _ = judged()
    fit = ranked(features, RANDOM.normal(size=len(features)))
    # Chance is 0.5; 600 pairs of 300 texts stray from it by a few hundredths.
    assert max(fit.validated.values()) < 0.65


def test_the_optimum_is_that_of_the_squared_hinge() -> None:
    """The gradient of ½|w|² + C Σ max(0, 1 − w·d)² vanishes."""
    features, quality = judged(noise=2.0)
    better, worse = pairs_of(quality)
    fit = fit_ranking(features, better, worse, better.tolist(), costs=[0.01])
    difference = (features[better] - features[worse]) / fit.scales
    slack = np.maximum(0.0, 1.0 - difference @ fit.weights)
    gradient = fit.weights - 2 * 0.01 * (slack[:, None] * difference).sum(axis=0)
    assert np.abs(gradient).max() < 1e-3


def test_scale_and_shift_of_a_feature_do_not_matter() -> None:
    features, quality = judged(noise=1.0)
    better, worse = pairs_of(quality)
    groups = better.tolist()
    one = fit_ranking(features, better, worse, groups)
    other = fit_ranking(features * [3.0, 0.1, 7.0] + 4.0, better, worse, groups)
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-6)


def test_learning_is_deterministic_and_does_not_depend_on_the_order_of_pairs() -> None:
    features, quality = judged(noise=1.0)
    better, worse = pairs_of(quality)
    groups = better % 50
    shuffled = RANDOM.permutation(len(better))
    one = fit_ranking(features, better, worse, groups.tolist())
    again = fit_ranking(features, better, worse, groups.tolist())
    other = fit_ranking(features, better[shuffled], worse[shuffled], groups[shuffled].tolist())
    assert (one.weights == again.weights).all()
    assert one.validated == again.validated
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-4)


def test_what_is_held_out_is_held_out_by_segment() -> None:
    """A feature that tells segments apart helps on segments that were seen, and on no others."""
    segments = np.repeat(np.arange(40), 2)
    features = np.eye(40)[segments] * np.tile([1.0, -1.0], 40)[:, None]
    sign = RANDOM.choice([-1, 1], size=40)
    features *= sign[segments][:, None]
    better = 2 * np.arange(40)
    fit = fit_ranking(features, better, better + 1, [str(n) for n in range(40)], costs=[1.0])
    assert fit.found == 1.0
    assert (
        fit.validated[1.0] == 0.0
    )  # an unseen segment's feature has no weight: a tie, which is wrong


@pytest.mark.parametrize("ties", [0.0, 1.0])
def test_a_missing_feature_adds_nothing(ties: float) -> None:
    features, quality = judged(noise=ties)
    fit = ranked(features, quality)
    row = features[:1].copy()
    whole = fit.predict(row)
    row[0, 1] = np.nan
    without = (features[0, 1] - fit.means[1]) / fit.scales[1] * fit.weights[1]
    assert fit.predict(row) == pytest.approx(whole - without)


def test_a_feature_that_never_changes_weighs_nothing() -> None:
    features, quality = judged()
    features[:, 2] = 3.0
    assert ranked(features, quality).weights[2] == 0.0


def test_scores_are_regressed() -> None:
    """Without noise and with next to no penalty, ridge regression is the line itself."""
    features, quality = judged()
    fit = fit_scores(features, quality, [str(n) for n in range(300)], penalties=[1e-12])
    np.testing.assert_allclose(fit.predict(features), quality, atol=1e-6)
    np.testing.assert_allclose(fit.weights / fit.scales, [1.0, -0.2, 50.0], atol=1e-6)
    assert fit.found == pytest.approx(1.0)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from([1e-3, 0.1, 1.0]))
def test_ridge_regression_minimises_its_objective(seed: int, penalty: float) -> None:
    random = np.random.default_rng(seed)
    features, scores = random.normal(size=(30, 4)), random.normal(size=30)
    fit = fit_scores(features, scores, list(range(30)), penalties=[penalty])

    def objective(weights: np.ndarray) -> float:
        predicted = fit.intercept + (features - fit.means) / fit.scales @ weights
        return float(((predicted - scores) ** 2).sum() + penalty * 30 * (weights**2).sum())

    best = objective(fit.weights)
    for step in random.normal(size=(5, 4)) * 1e-3:
        assert best <= objective(fit.weights + step) + 1e-12


def test_a_feature_of_some_references_adds_its_share() -> None:
    """Quality is made of shares of one feature, so that only they explain it."""
    features = RANDOM.normal(size=(200, 1))
    shares = RANDOM.choice([0.5, 1.0], size=(200, 1))
    quality = ((features - features.mean()) * shares)[:, 0]
    options = {"penalties": [1e-12]}
    assert fit_scores(features, quality, list(range(200)), **options).found < 0.99
    fit = fit_scores(features, quality, list(range(200)), shares=shares, **options)
    assert fit.found == pytest.approx(1.0)
    better, worse = pairs_of(quality)
    groups = better.tolist()
    assert fit_ranking(features, better, worse, groups, shares=shares).found == 1.0
    assert fit_ranking(features, better, worse, groups).found < 1.0


def test_of_noise_a_stronger_penalty_is_chosen() -> None:
    features = RANDOM.normal(size=(60, 40))
    scores = features[:, 0] + 3.0 * RANDOM.normal(size=60)
    fit = fit_scores(features, scores, list(range(60)), penalties=[1e-6, 10.0])
    assert fit.regularisation == 10.0


def test_what_is_tried_is_told() -> None:
    features, quality = judged()
    told: list[str] = []
    ranked(features, quality, costs=[0.1, 1.0], report=told.append)
    assert [line.partition(":")[0] for line in told] == ["C = 0.1", "C = 1"]


def test_without_scikit_learn_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    features, quality = judged()
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    with pytest.raises(ResourceError, match=r"MP970.*\[train\]"):
        ranked(features, quality)


@pytest.mark.parametrize(
    ("code", "learn"),
    [
        ("MP811", lambda x: fit_ranking(x, [], [], [])),
        ("MP811", lambda x: fit_ranking(x, [0, 1], [1], ["a", "b"])),
        ("MP811", lambda x: fit_ranking(x, [0, 9], [1, 1], ["a", "b"])),
        ("MP811", lambda x: fit_ranking(x, [0, -1], [1, 1], ["a", "b"])),
        ("MP811", lambda x: fit_ranking(np.full((3, 2), np.inf), [0], [1], ["a"])),
        ("MP811", lambda x: fit_scores(x, [1.0, 1.0, 1.0], "abc")),
        ("MP811", lambda x: fit_scores(x, [1.0, np.nan, 1.0], "abc")),
        ("MP811", lambda x: fit_scores(x, [1.0, 2.0], "ab")),
        ("MP811", lambda x: fit_scores(x, [1.0, 2.0, 3.0], "abc", shares=np.full(x.shape, 2.0))),
        ("MP811", lambda x: fit_scores(x, [1.0, 2.0, 3.0], "abc", shares=[1.0])),
        ("MP812", lambda x: fit_ranking(x, [0, 1], [1, 2], ["a", "a"])),
        ("MP813", lambda x: fit_ranking(x, [0, 1], [1, 2], ["a", "b"], folds=1)),
        ("MP813", lambda x: fit_scores(x, [1.0, 2.0, 3.0], "abc", penalties=[])),
        ("MP813", lambda x: fit_scores(x, [1.0, 2.0, 3.0], "abc", penalties=[-1.0])),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(code: str, learn: object) -> None:
    with pytest.raises(MetaphraseError, match=code) as caught:
        learn(np.arange(6.0).reshape(3, 2))
    assert isinstance(caught.value, InputError | OptionError)


def test_a_single_fold_is_called_so() -> None:
    with pytest.raises(OptionError, match="folds = 1") as caught:
        fit_ranking(np.eye(3), [0, 1], [1, 2], ["a", "b"], folds=1)
    assert caught.value.hint == "Choose 2 or more."
