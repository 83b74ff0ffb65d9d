"""Weights come out as people judge, fold by fold, and the same every time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from metaphrase.errors import InputError
from metaphrase.learning.accord.data import JudgedLosses
from metaphrase.learning.accord.training import (
    agreement,
    fit_weights,
    leave_one_out,
    train_accord,
)

#: What a loss of 1 takes off the quality that judges see; the last one is no fault.
TRUTH = np.array([3.0, 1.0, 0.5, 0.0])
NAMES = ("c1p", "w1r", "short", "ap")


def made_up(number: int, rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Losses on different scales, and what judges make of them."""
    random = np.random.default_rng(number)
    losses = random.random((rows, 4)) * [1.0, 1.0, 2.0, 0.5]
    return losses, -losses @ TRUTH + 0.3 * random.normal(size=rows)


def scored(number: int, name: str = "", rows: int = 400) -> JudgedLosses:
    losses, quality = made_up(number, rows)
    human = (quality - quality.mean()) / quality.std()
    return JudgedLosses(name or f"set {number}", "de-en", losses, human)


def ranked(number: int, name: str = "", rows: int = 2000) -> JudgedLosses:
    losses, quality = made_up(number, 2 * rows)
    one, other = np.arange(rows), np.arange(rows, 2 * rows)
    first = quality[one] > quality[other]
    better, worse = np.where(first, one, other), np.where(first, other, one)
    return JudgedLosses(name or f"set {number}", "de-en", losses[worse] - losses[better], None)


def cosine(points: np.ndarray) -> float:
    return float(points @ TRUTH / np.linalg.norm(points) / np.linalg.norm(TRUTH))


OBJECTIVES = {
    "scores": [scored(1), scored(2)],
    "preferences": [ranked(3), ranked(4)],
    "both": [scored(1), scored(2), ranked(3)],
}
every_objective = pytest.mark.parametrize("sets", OBJECTIVES.values(), ids=OBJECTIVES.keys())


@every_objective
def test_what_judges_look_at_is_found(sets: list[JudgedLosses]) -> None:
    assert cosine(fit_weights(sets).points) > 0.99


@every_objective
def test_more_of_a_loss_never_raises_a_score(sets: list[JudgedLosses]) -> None:
    fit = fit_weights(sets)
    assert (fit.points >= 0).all()
    losses, _ = made_up(9)
    for number in range(4):
        worse = losses + 0.1 * np.eye(4)[number]
        assert (fit.scores(worse) <= fit.scores(losses)).all()


def test_a_loss_that_judges_like_has_no_weight() -> None:
    """Nothing that goes wrong is rewarded, even if these judges do."""
    losses, _ = made_up(5)
    human = losses[:, 3] - losses[:, 3].mean() - (losses[:, 0] - losses[:, 0].mean())
    odd = JudgedLosses("odd", "de-en", losses, human / human.std())
    points = fit_weights([odd]).points
    assert points[0] > 0
    assert points[3] == 0


@pytest.mark.parametrize("sets", [OBJECTIVES["scores"], OBJECTIVES["both"]])
def test_the_mean_translation_has_50_points_and_a_perfect_one_100(sets: list[JudgedLosses]) -> None:
    fit = fit_weights(sets)
    assert fit.scores(np.zeros((1, 4))).tolist() == [100.0]
    both = np.concatenate([fit.scores(one.losses) for one in sets if not one.is_ranked])
    # The two scored sets are of one size, so that each row counts the same; people's mean is 0.
    assert both.mean() == pytest.approx(50.0)


def test_a_point_is_the_same_share_of_a_standard_deviation_everywhere() -> None:
    """(score − 50) / spread regresses people's z-scores with a slope of 1."""
    sets = OBJECTIVES["scores"]
    fit = fit_weights(sets)
    predicted = np.concatenate([(fit.scores(one.losses) - 50) / fit.spread for one in sets])
    human = np.concatenate([one.human for one in sets])
    assert np.polyfit(predicted, human, 1) == pytest.approx([1.0, 0.0], abs=1e-9)


def test_without_noise_and_penalty_regression_is_exact() -> None:
    losses, _ = made_up(6)
    exact = JudgedLosses("exact", "de-en", losses, -(losses - losses.mean(axis=0)) @ TRUTH)
    points = fit_weights([exact], penalty=1e-9).points
    np.testing.assert_allclose(points / points[0] * 3.0, TRUTH, atol=1e-6)


@every_objective
def test_the_scale_of_a_loss_does_not_matter(sets: list[JudgedLosses]) -> None:
    scales = np.array([0.1, 3.0, 1.0, 20.0])
    scaled = [replace(one, losses=one.losses * scales) for one in sets]
    points = fit_weights(scaled).points * scales
    np.testing.assert_allclose(points, fit_weights(sets).points, atol=1e-5)


@every_objective
def test_fitting_is_deterministic(sets: list[JudgedLosses]) -> None:
    one, again = (fit_weights(sets) for _ in range(2))
    assert one.points.tolist() == again.points.tolist()
    assert one.spread == again.spread


def test_a_loss_that_never_changes_has_no_weight() -> None:
    one = scored(1)
    still = replace(one, losses=np.where(np.arange(4) != 1, one.losses, 0.25))
    assert fit_weights([still]).points[1] == 0


def test_a_large_set_does_not_drown_a_small_one() -> None:
    """All rows of a set count the square root of their number: 100 rows against 10,000 are 1 to 10."""
    random = np.random.default_rng(0)

    def about(column: int, rows: int) -> JudgedLosses:
        losses = random.random((rows, 2))
        human = -(losses[:, column] - losses[:, column].mean())
        return JudgedLosses(str(column), "de-en", losses, human / human.std())

    points = fit_weights([about(0, 100), about(1, 10_000)]).points
    assert points[0] / points[1] == pytest.approx(0.1, rel=0.2)


def test_agreement_is_that_of_scores_or_of_preferences() -> None:
    fit = fit_weights([scored(1)])
    one, pairs = scored(2), ranked(3)
    expected = np.corrcoef(100 - one.losses @ fit.points, one.human)[0, 1]
    assert agreement(one, fit) == pytest.approx(expected)
    # τ: right pairs less wrong ones, over all.
    right = (pairs.losses @ fit.points > 0).mean()
    assert agreement(pairs, fit) == pytest.approx(2 * right - 1)


class TestFolds:
    SETS = (scored(1, "a"), ranked(3, "a"), scored(2, "b"), scored(4, "c"))

    def test_each_set_is_left_out_with_all_its_language_pairs(self) -> None:
        fits = leave_one_out(self.SETS)
        assert [*fits] == ["a", "b", "c"]
        for name, fit in fits.items():
            others = [one for one in self.SETS if one.name != name]
            assert fit.points.tolist() == fit_weights(others).points.tolist()

    def test_sets_with_the_same_texts_are_left_out_together(self) -> None:
        texts = frozenset(str(number) for number in range(100))
        others = frozenset({"0", *(f"another {number}" for number in range(99))})
        sets = [replace(one, references=others if one.name == "c" else texts) for one in self.SETS]
        fits = leave_one_out(sets)
        for name, learnt_from in {"a": "c", "b": "c", "c": "ab"}.items():
            expected = fit_weights([one for one in sets if one.name in learnt_from])
            assert fits[name].points.tolist() == expected.points.tolist()

    @pytest.mark.parametrize("name", ["a", "b", "c"])
    def test_what_is_left_out_is_never_looked_at(self, name: str) -> None:
        before = leave_one_out(self.SETS)
        changed = [
            replace(
                one,
                losses=one.losses[::-1] * 3,
                human=None if one.human is None else one.human**3,
            )
            if one.name == name
            else one
            for one in self.SETS
        ]
        after = leave_one_out(changed)
        for other, fit in after.items():
            same = fit.points.tolist() == before[other].points.tolist()
            assert same == (other == name)
            assert (fit.spread == before[other].spread) == (other == name)


class TestModel:
    def test_it_has_the_weights_of_all_sets(self) -> None:
        sets = OBJECTIVES["both"]
        sets = [replace(one, losses=one.losses * [1, 1, 0, 1]) for one in sets]
        model = train_accord(
            sets, NAMES, name="mine", lang="en", licence="CC0", training={"data": "x"}
        )
        fit = fit_weights(sets)
        assert (model.name, model.lang, model.licence) == ("mine", "en", "CC0")
        assert model.training == {"data": "x"}
        assert "short" not in model.features
        np.testing.assert_allclose(model.weights(NAMES), fit.points, atol=5e-7)

    def test_one_set_is_enough(self) -> None:
        model = train_accord([scored(1)], NAMES, name="mine", lang="en")
        assert cosine(model.weights(NAMES)) > 0.99

    def test_it_is_the_same_every_time(self) -> None:
        one, again = (
            train_accord(OBJECTIVES["both"], NAMES, name="mine", lang="en") for _ in range(2)
        )
        assert one.to_json() == again.to_json()


LOSSES, QUALITY = made_up(7, 30)
NOTHING = JudgedLosses("nothing", "de-en", np.ones((0, 4)), None)


@pytest.mark.parametrize(
    "sets",
    [
        [],
        [NOTHING],
        [NOTHING, scored(1)],
        [JudgedLosses("equal", "de-en", np.ones((30, 4)), QUALITY)],
        [JudgedLosses("equal", "de-en", np.zeros((30, 4)), None)],
        [JudgedLosses("contrary", "de-en", LOSSES @ np.ones((4, 4)), -QUALITY)],
        [JudgedLosses("contrary", "de-en", -LOSSES, None)],
    ],
    ids=lambda sets: " and ".join(one.name for one in sets) or "none",
)
def test_nothing_is_learnt_from_nothing(sets: list[JudgedLosses]) -> None:
    with pytest.raises(InputError, match="MP844"):
        fit_weights(sets)
