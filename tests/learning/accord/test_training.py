"""Weights come out as people judge, near those of a prior if there is one, and the same every time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

from metaphrase.errors import InputError
from metaphrase.learning.accord import Recipe, fit_weights, train_accord
from metaphrase.learning.accord.data import JudgedLosses
from metaphrase.learning.accord.training import _least, agreement
from metaphrase.trained.accord_model import Interval, Scale
from oracle.judged_losses import NAMES, TRUTH, made_up, ranked, scored

SCALE, INTERVAL = Scale(middle=1.0, steepness=3.5), Interval(0.9, 40.0, 15.0, 5.0)


def direction(weights: np.ndarray) -> np.ndarray:
    return weights / np.linalg.norm(weights)


def cosine(weights: np.ndarray) -> float:
    return float(direction(weights) @ direction(TRUTH))


OBJECTIVES = {
    "scores": [scored(1), scored(2)],
    "preferences": [ranked(3), ranked(4)],
    "both": [scored(1), scored(2), ranked(3)],
}
every_objective = pytest.mark.parametrize("sets", OBJECTIVES.values(), ids=OBJECTIVES.keys())


class TestWeights:
    @every_objective
    def test_what_judges_look_at_is_found(self, sets: list[JudgedLosses]) -> None:
        assert cosine(fit_weights(sets)) > 0.99

    @every_objective
    def test_none_is_below_0(self, sets: list[JudgedLosses]) -> None:
        assert (fit_weights(sets) >= 0).all()

    def test_a_loss_that_judges_like_has_none(self) -> None:
        """No weight is negative, even where these raters prefer what is wrong."""
        texts, _ = made_up(5)
        odd = scored(5, quality=texts[:, 3] - texts[:, 0])
        weights = fit_weights([odd])
        assert weights[0] > 0
        assert weights[3] == 0

    @every_objective
    def test_judged_translations_lose_1_in_the_mean(self, sets: list[JudgedLosses]) -> None:
        weights = fit_weights(sets)
        assert np.mean([(one.texts @ weights).mean() for one in sets]) == pytest.approx(1)

    def test_without_noise_and_penalty_regression_is_exact(self) -> None:
        texts, _ = made_up(6)
        exact = scored(6, quality=-texts @ TRUTH)
        weights = fit_weights([exact], Recipe(penalty=1e-9))
        assert weights / weights[0] * TRUTH[0] == pytest.approx(TRUTH, abs=1e-6)

    @every_objective
    def test_the_unit_of_a_loss_does_not_matter(self, sets: list[JudgedLosses]) -> None:
        units = np.array([0.1, 3.0, 1.0, 20.0])
        other = [replace(one, texts=one.texts * units) for one in sets]
        assert fit_weights(other) * units == pytest.approx(fit_weights(sets), abs=1e-6)

    @every_objective
    def test_they_are_the_same_every_time(self, sets: list[JudgedLosses]) -> None:
        assert fit_weights(sets).tolist() == fit_weights(sets).tolist()

    @every_objective
    def test_a_loss_that_never_changes_has_none(self, sets: list[JudgedLosses]) -> None:
        still = [replace(one, texts=np.where(np.arange(4) != 1, one.texts, 0.25)) for one in sets]
        assert fit_weights(still)[1] == 0

    def test_with_a_greater_penalty_losses_that_say_the_same_share_more(self) -> None:
        random = np.random.default_rng(0)
        texts = np.repeat(random.random((400, 1)), 2, axis=1)
        texts[:, 1] += 0.1 * random.random(400)
        sets = [scored(0, texts=texts, quality=-texts[:, 0])]
        shares = []
        for penalty in (1e-9, 0.01, 1.0):
            weights = fit_weights(sets, Recipe(penalty=penalty))
            shares.append(weights[1] / weights[0])
        assert shares == sorted(shares)
        assert shares[0] == pytest.approx(0, abs=1e-3)
        assert shares[-1] == pytest.approx(1, abs=0.2)


def about(column: int, rows: int) -> JudgedLosses:
    """People who look at one of two losses only."""
    texts = np.random.default_rng(column).random((rows, 2))
    return scored(column, texts=texts, quality=-texts[:, column])


class TestSets:
    def test_a_large_one_does_not_drown_a_small_one(self) -> None:
        """All rows of a set count the square root of their number: 100 rows against 10,000 are 1 to 10."""
        weights = fit_weights([about(0, 100), about(1, 10_000)])
        assert weights[0] / weights[1] == pytest.approx(0.1, rel=0.2)

    @pytest.mark.parametrize("times", [0.0, 0.5, 3.0])
    def test_they_count_as_the_user_says(self, times: float) -> None:
        sets = [about(0, 5000), about(1, 5000)]
        weights = fit_weights(sets, Recipe(set_weights={sets[0].name: times}))
        assert weights[0] / weights[1] == pytest.approx(times, rel=0.1, abs=0.05)

    def test_scores_and_preferences_count_the_same(self) -> None:
        """Those who score look at the first loss, those who rank at the second."""
        texts = np.random.default_rng(1).random((4000, 2))
        one, other = np.arange(2000), np.arange(2000, 4000)
        first = texts[one, 1] < texts[other, 1]
        preferences = replace(
            ranked(9),
            texts=texts,
            better=np.where(first, one, other),
            worse=np.where(first, other, one),
        )
        weights = fit_weights([about(0, 4000), preferences])
        assert weights[0] / weights[1] == pytest.approx(1, rel=0.1)

    def test_all_counting_twice_as_much_changes_nothing(self) -> None:
        sets = OBJECTIVES["both"]
        twice = Recipe(set_weights={one.name: 2.0 for one in sets})
        assert fit_weights(sets, twice) == pytest.approx(fit_weights(sets), abs=1e-9)


class TestPrior:
    PRIOR = np.array([1.0, 2.0, 0.0, 1.0])

    @every_objective
    def test_with_a_huge_penalty_it_is_all_that_counts(self, sets: list[JudgedLosses]) -> None:
        weights = fit_weights(sets, Recipe(penalty=1e9, prior=self.PRIOR))
        assert direction(weights) == pytest.approx(direction(self.PRIOR), abs=1e-6)

    @every_objective
    def test_without_a_penalty_it_does_not_count(self, sets: list[JudgedLosses]) -> None:
        with_it, without = (
            fit_weights(sets, Recipe(penalty=0.0, prior=prior)) for prior in (self.PRIOR, None)
        )
        assert with_it == pytest.approx(without, abs=1e-6)

    @every_objective
    def test_in_between_weights_are_in_between(self, sets: list[JudgedLosses]) -> None:
        near = [
            float(
                direction(fit_weights(sets, Recipe(penalty=p, prior=self.PRIOR)))
                @ direction(self.PRIOR)
            )
            for p in (0.0, 0.1, 1.0, 10.0)
        ]
        assert near == sorted(near)
        assert near[0] < near[-1]

    @every_objective
    def test_how_large_it_is_does_not_matter(self, sets: list[JudgedLosses]) -> None:
        one, other = (
            fit_weights(sets, Recipe(penalty=0.1, prior=times * self.PRIOR)) for times in (1, 1000)
        )
        assert one == pytest.approx(other, abs=1e-6)

    def test_few_judgements_are_better_with_one_that_is_right(self) -> None:
        few = [scored(8, rows=8)]
        assert cosine(fit_weights(few, Recipe(penalty=1.0, prior=TRUTH))) > cosine(fit_weights(few))


#: People who never see the last penalty.
UNSEEN = replace(scored(1), texts=scored(1).texts * [1, 1, 1, 0])
MEAN = UNSEEN.texts.mean(axis=0)


def corrupted(more: list[float], *, place: float = 100.0, rows: int = 200) -> JudgedLosses:
    """Texts beside the same with ``more`` of each penalty, which should score ``place`` at most."""
    better = UNSEEN.texts[:rows]
    texts = np.concatenate([better, better + more])
    one, other = np.arange(rows), np.arange(rows, 2 * rows)
    return JudgedLosses(
        "corrupted",
        "de-en",
        texts=texts,
        place=np.where(np.arange(2 * rows) < rows, 100.0, place),
        system=np.arange(2 * rows) // rows,
        segment=np.arange(2 * rows) % rows,
        human=None,
        better=one,
        worse=other,
        corrupted=True,
    )


class TestCorrupted:
    BEFORE = fit_weights([UNSEEN])

    def test_a_penalty_that_judged_texts_never_have_gets_a_weight(self) -> None:
        weights = fit_weights([UNSEEN, corrupted([0, 0, 0, 1])])
        assert self.BEFORE[3] == 0 < weights[3]
        assert weights[:3] == pytest.approx(self.BEFORE[:3], rel=0.05)

    def test_the_more_they_count_the_more_of_them_lose_more(self) -> None:
        """They have more of the third penalty and less of the first, which raters mind more."""
        worse = corrupted([-0.1, 0, 0.1, 0])
        lost = [
            float(worse.losses[0] @ fit_weights([UNSEEN, worse], Recipe(corruption=strength)))
            for strength in (0.0, 1e-4, 1e-2, 1.0)
        ]
        assert lost == sorted(set(lost))
        assert lost[0] < 0 < lost[-1]

    @pytest.mark.parametrize("strength", [0.01, 1.0, 100.0])
    def test_every_penalty_keeps_a_quarter_of_its_weight(self, strength: float) -> None:
        weights = fit_weights(
            [UNSEEN, corrupted([-1, 0, 0, 0])], Recipe(corruption=strength, penalty=1e-6)
        )
        assert (weights >= self.BEFORE / 4 - 1e-12).all()
        assert weights[0] < self.BEFORE[0]
        if strength == 100:
            assert weights[0] == pytest.approx(self.BEFORE[0] / 4, rel=1e-3)

    @pytest.mark.parametrize("place", [1.0, 10.0, 30.0])
    def test_broken_references_lose_what_their_place_asks_for(self, place: float) -> None:
        # Nothing but the last penalty tells them from their references, and no pair says so.
        broken = replace(
            corrupted([0, 0, 0, 1], place=place),
            texts=np.repeat([[0.0, 0, 0, 0], [0, 0, 0, 1]], 200, axis=0),
            better=np.empty(0, int),
            worse=np.empty(0, int),
        )
        weights = fit_weights([UNSEEN, broken], Recipe(corruption=1.0))
        # The steepness that is reckoned with is 3.6, and the middle what judged texts lose in the mean.
        wanted = (100 / place - 1) ** (1 / 3.6) * (MEAN @ weights)
        assert weights[3] > wanted

    @pytest.mark.parametrize("recipe", [Recipe(), Recipe(corruption=100.0)])
    def test_without_them_nothing_changes(self, recipe: Recipe) -> None:
        assert fit_weights([UNSEEN], recipe).tolist() == self.BEFORE.tolist()

    def test_those_that_count_nothing_change_nothing(self) -> None:
        weights = fit_weights([UNSEEN, corrupted([0, 0, 0, 1])], Recipe(corruption=0.0))
        assert weights.tolist() == self.BEFORE.tolist()

    def test_they_alone_teach_nothing(self) -> None:
        with pytest.raises(InputError, match="MP844"):
            fit_weights([corrupted([0, 0, 0, 1])])


class TestFloors:
    def test_a_weight_is_at_least_a_number_or_a_share_of_another(self) -> None:
        before = fit_weights([UNSEEN])
        weights = fit_weights([UNSEEN], Recipe(floors=((3, 0.7, None), (2, 0.9, 0))))
        assert weights.tolist() == [before[0], before[1], 0.9 * before[0], 0.7]

    def test_a_weight_that_is_greater_stays(self) -> None:
        floors = ((0, 1e-6, None), (0, 1e-6, 1))
        assert (
            fit_weights([UNSEEN], Recipe(floors=floors)).tolist() == TestCorrupted.BEFORE.tolist()
        )

    def test_corrupted_texts_do_not_undo_it(self) -> None:
        recipe = Recipe(floors=((3, 5.0, None),))
        assert fit_weights([UNSEEN, corrupted([0, 0, 0, -1])], recipe)[3] == 5


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """A matrix of at least as many rows as columns, and a goal."""
    columns = draw(st.integers(1, 12))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    matrix = random.normal(size=(columns + draw(st.integers(0, 20)), columns))
    # Losses go up together: the more alike columns are, the more weights are tied to 0.
    matrix += draw(st.sampled_from([0.0, 1.0, 5.0])) * random.normal(size=(len(matrix), 1))
    goal = random.normal(size=len(matrix)) * draw(st.sampled_from([1e-3, 1.0, 1e3]))
    # A goal that can be reached leaves no distance but that of rounding.
    return matrix, matrix @ np.abs(goal[:columns]) if draw(st.booleans()) else goal


#: Hilbert's matrix, whose columns are nearly the same: its condition number is 1.6e4.
HILBERT = 1 / (np.arange(4)[:, None] + np.arange(1, 5))


class TestLeastSquares:
    @settings(max_examples=300, deadline=None)
    @given(problem=problems())
    @example(problem=(HILBERT, HILBERT @ np.ones(4)))
    def test_they_are_those_of_scipy(self, problem: tuple[np.ndarray, np.ndarray]) -> None:
        matrix, goal = problem
        found = _least(matrix.T @ matrix, matrix.T @ goal)
        expected, residual = nnls(matrix, goal)
        assert (found >= 0).all()
        condition = np.linalg.cond(matrix)
        length, weight = np.linalg.norm(goal), np.linalg.norm(expected)
        # Where no weight gains more than 1e-10 of the largest, the search ends, and normal equations round:
        # the condition number says how far both move the point that is reached. It is off at right angles.
        moved = 10 * np.finfo(float).eps * np.linalg.norm(matrix, 2) * weight + 1e-10 * length
        distance, rounding = np.linalg.norm(matrix @ found - goal), 1e-13 * length
        assert residual - rounding <= distance <= np.hypot(residual, condition * moved) + rounding
        if condition < 1e3:
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-8 * np.abs(goal).max())

    def test_columns_that_are_the_same_do_not_stop_it(self) -> None:
        matrix = np.random.default_rng(0).random((50, 3))[:, [0, 1, 1, 2, 0]]
        goal = matrix @ np.arange(1.0, 6.0)
        found = _least(matrix.T @ matrix + 1e-9 * np.eye(5), matrix.T @ goal)
        assert matrix @ found == pytest.approx(goal, abs=1e-5)

    def test_where_everything_is_below_0_there_is_nothing(self) -> None:
        assert _least(np.eye(3), -np.ones(3)).tolist() == [0.0] * 3
        assert _least(np.eye(3), np.zeros(3)).tolist() == [0.0] * 3


class TestAgreement:
    def test_it_is_that_of_scores_or_of_preferences(self) -> None:
        weights = fit_weights([scored(1)])
        one, pairs = scored(2), ranked(3)
        expected = np.corrcoef(-(one.texts @ weights), one.human)[0, 1]
        assert agreement(one, weights) == pytest.approx(expected)
        # τ: right pairs less wrong ones, over all.
        right = (pairs.losses @ weights > 0).mean()
        assert agreement(pairs, weights) == pytest.approx(2 * right - 1)

    def test_a_tie_is_wrong(self) -> None:
        assert agreement(ranked(3), np.zeros(4)) == -1

    def test_nothing_agrees_with_nothing(self) -> None:
        assert np.isnan(agreement(scored(1), np.zeros(4)))
        nobody = ranked(3).of_segments(np.zeros(10_000, dtype=bool))
        assert np.isnan(agreement(nobody, TRUTH))


class TestModel:
    def test_it_has_the_weights_of_all_sets(self) -> None:
        sets = [replace(one, texts=one.texts * [1, 1, 0, 1]) for one in OBJECTIVES["both"]]
        recipe = Recipe(penalty=0.5)
        model = train_accord(
            sets,
            NAMES,
            SCALE,
            INTERVAL,
            recipe,
            name="mine",
            lang="en",
            licence="CC0",
            training={"data": "x"},
        )
        assert (model.name, model.lang, model.licence) == ("mine", "en", "CC0")
        assert (model.scale, model.interval) == (SCALE, INTERVAL)
        assert model.training == {"data": "x"}
        assert "short" not in model.features
        assert model.weights(NAMES) == pytest.approx(fit_weights(sets, recipe), abs=5e-7)

    def test_it_is_the_same_every_time(self) -> None:
        one, again = (
            train_accord(OBJECTIVES["both"], NAMES, SCALE, None, name="mine", lang="en")
            for _ in range(2)
        )
        assert one.to_json() == again.to_json()


TEXTS, QUALITY = made_up(7, 30)
NOBODY = np.zeros(10_000, dtype=bool)
TIES = replace(ranked(3), name="ties", better=np.empty(0, int), worse=np.empty(0, int))


@pytest.mark.parametrize(
    "sets",
    [
        [],
        [scored(1, name="nothing").of_segments(NOBODY)],
        [ranked(3, name="nothing").of_segments(NOBODY), scored(1, name="something")],
        [TIES],
        [TIES, scored(1, name="scores")],
        [scored(7, name="equal", texts=np.ones((30, 4)), quality=QUALITY)],
        [replace(ranked(3, name="equal texts"), texts=np.ones((4000, 4)))],
        [scored(7, name="contrary", texts=TEXTS @ np.ones((4, 4)), quality=-QUALITY)],
        [replace(ranked(3), name="contrary", better=ranked(3).worse, worse=ranked(3).better)],
    ],
    ids=lambda sets: " and ".join(one.name for one in sets) or "none",
)
def test_nothing_is_learnt_from_nothing(sets: list[JudgedLosses]) -> None:
    with pytest.raises(InputError, match="MP844"):
        fit_weights(sets)
