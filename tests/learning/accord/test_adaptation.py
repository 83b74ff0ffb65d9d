"""A model near the given one, and an honest word on whether it is better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from metaphrase.errors import InputError
from metaphrase.learning.accord.adaptation import (
    STRENGTHS,
    adapt,
    best_strength,
    calibrated_weights,
    difference_interval,
)
from metaphrase.learning.accord.data import JudgedLosses
from metaphrase.learning.accord.training import Recipe, agreement, fit_weights, folds, validate
from metaphrase.trained.accord_model import Scale

TRUTH = np.array([3.0, 0.0, 1.0, 0.5, 0.0, 0.0])
CONTRARY = np.array([0.0, 1.0, 0.0, 0.0, 1.0, 1.0])
NOTHING = np.empty(0, dtype=np.int64)


def scored(
    seed: int, rows: int = 200, *, name: str = "mine", pair: str = "de-en", noise: float = 1.0
) -> JudgedLosses:
    """Two systems of ``rows / 2`` segments; people see ``TRUTH``, with noise."""
    random = np.random.default_rng(seed)
    texts = random.random((rows, 6))
    human = -texts @ TRUTH + noise * random.standard_normal(rows)
    return JudgedLosses(
        name,
        pair,
        texts=texts,
        place=100.0 * human.argsort().argsort() / rows,
        system=np.arange(rows) % 2,
        segment=np.arange(rows) // 2,
        human=(human - human.mean()) / human.std(),
        better=NOTHING,
        worse=NOTHING,
        references=frozenset(f"{name} {pair} {number}" for number in range(rows // 2)),
    )


def ranked(seed: int, rows: int = 200, *, name: str = "ranked") -> JudgedLosses:
    """The same as preferences between the two systems."""
    one = scored(seed, rows, name=name)
    assert one.human is not None
    first = np.arange(0, rows, 2)
    wins = one.human[first] > one.human[first + 1]
    return replace(
        one,
        human=None,
        better=np.where(wins, first, first + 1),
        worse=np.where(wins, first + 1, first),
    )


def cosine(weights: np.ndarray, other: np.ndarray = TRUTH) -> float:
    return float(weights @ other / np.linalg.norm(weights) / np.linalg.norm(other))


class TestWhetherItHelped:
    @pytest.mark.parametrize("sets", [[scored(1)], [ranked(1)], [scored(1), ranked(2)]])
    def test_a_model_that_is_wrong_is_helped(self, sets: list[JudgedLosses]) -> None:
        found = adapt(sets, CONTRARY + 0.1 * TRUTH)
        assert found.verdict == "helped"
        assert found.adapted.mean > found.given.mean + 0.1

    def test_a_model_that_is_right_is_kept(self) -> None:
        """In the mean, few judgements are nearer to the truth with it than without."""
        found = [(one, adapt([one], TRUTH)) for one in (scored(seed, 60) for seed in range(6))]
        assert "helped" not in {each.verdict for _, each in found}
        near = np.mean([cosine(fit_weights([one], each.recipe)) for one, each in found])
        assert near > np.mean([cosine(fit_weights([one])) for one, _ in found])

    def test_harm_is_called_harm(self) -> None:
        """One strength that is too weak for so few judgements."""
        sets = [scored(9, 400, noise=0.3)]
        spoilt = replace(sets[0], human=np.random.default_rng(0).permutation(sets[0].human))
        found = adapt(sets, TRUTH, strengths=[1e-6])
        worse = validate([spoilt], Recipe(penalty=1e-6), by="segment").parts
        parts = [
            (judged, weights)
            for (judged, _), (_, weights) in zip(found.given.parts, worse, strict=True)
        ]
        harmed = replace(found.adapted, parts=parts)
        low, high = difference_interval(harmed, found.given)
        assert low < high < 0
        assert replace(found, interval=(low, high)).verdict == "did harm"

    def test_a_model_does_not_differ_from_itself(self) -> None:
        found = validate([scored(1), ranked(2)], weights=TRUTH, by="segment")
        assert difference_interval(found, found) == (0.0, 0.0)

    def test_the_interval_has_the_difference_within_and_turns_with_it(self) -> None:
        sets = [scored(1), ranked(2)]
        one, other = (validate(sets, weights=each, by="segment") for each in (TRUTH, CONTRARY))
        low, high = difference_interval(one, other)
        assert low < one.mean - other.mean < high
        assert difference_interval(other, one) == pytest.approx((-high, -low))


class TestStrength:
    def test_it_is_chosen_without_what_is_held_out(self) -> None:
        """Other judgements in the first fold change the weights of all folds but the first."""
        one = scored(5)
        assert one.human is not None
        (_, (held_out, *_)), *_ = folds([one], "segment")
        changed = np.isin(one.segment, held_out.segment)
        other = replace(one, human=np.where(changed, -one.human, one.human))
        before, after = (adapt([each], CONTRARY + TRUTH).adapted.parts for each in (one, other))
        same = [a.tolist() == b.tolist() for (_, a), (_, b) in zip(before, after, strict=True)]
        assert same == [True, False, False, False, False]

    def test_one_that_is_given_is_taken(self) -> None:
        assert adapt([scored(1)], TRUTH, strengths=[0.7]).recipe.penalty == 0.7

    def test_a_greater_one_keeps_weights_nearer(self) -> None:
        one, given = scored(2), CONTRARY / CONTRARY.sum() + 0.1 * TRUTH
        recipes = [Recipe(prior=given, penalty=strength) for strength in STRENGTHS]
        cosines = [cosine(fit_weights([one], recipe), given) for recipe in recipes]
        assert cosines == sorted(cosines)
        assert cosines[-1] > 0.99

    def test_a_loss_that_never_changes_keeps_its_place_beside_the_rest(self) -> None:
        one = scored(1)
        texts = np.where(np.arange(6) == 2, 0.25, one.texts)
        still = replace(one, texts=texts)
        weights = fit_weights([still], Recipe(prior=TRUTH, penalty=1e9))
        assert weights / weights[0] == pytest.approx(TRUTH / TRUTH[0], abs=1e-6)
        assert fit_weights([still])[2] == 0

    def test_where_nothing_can_be_learnt_the_greatest_is_taken(self) -> None:
        one = scored(1, 2)
        assert best_strength([one], Recipe(prior=TRUTH), STRENGTHS).penalty == STRENGTHS[-1]


class TestInterval:
    SCALE = Scale(middle=2.0, steepness=3.0)

    @pytest.mark.parametrize("count", [40, 400])
    def test_judged_translations_lose_as_much_as_by_the_model(self, count: int) -> None:
        sets = [scored(1, count)]
        weights, _ = calibrated_weights(sets, adapt(sets, TRUTH), TRUTH, self.SCALE)
        assert (sets[0].texts @ weights).mean() == pytest.approx((sets[0].texts @ TRUTH).mean())

    def test_enough_judgements_have_their_own(self) -> None:
        sets = [scored(1)]
        _, interval = calibrated_weights(sets, adapt(sets, TRUTH), TRUTH, self.SCALE)
        assert interval is not None
        assert 0 < interval.segment < 100

    def test_few_keep_that_of_the_model(self) -> None:
        sets = [scored(1, 40)]
        assert calibrated_weights(sets, adapt(sets, TRUTH), TRUTH, self.SCALE)[1] is None


class TestFolds:
    def test_segments_of_a_set_are_held_out_beside_the_other_sets(self) -> None:
        sets = [scored(1), scored(2, name="other")]
        found = list(folds(sets, "segment"))
        assert len(found) == 10
        for learnt, (tested,) in found:
            assert {one.name for one in learnt} == {"mine", "other"}
            (rest,) = [one for one in learnt if one.name == tested.name]
            assert not set(rest.segment) & set(tested.segment)
            assert rest.count + tested.count == 200

    def test_a_set_with_the_same_texts_is_not_learnt_from(self) -> None:
        one = scored(1)
        sets = [one, replace(one, name="again")]
        assert all(len(learnt) == 1 for learnt, _ in folds(sets, "segment"))

    def test_language_pairs_are_held_out_with_all_their_sets(self) -> None:
        sets = [scored(1), scored(2, pair="fr-en"), scored(3, name="other")]
        found = [(learnt, [one.name for one in tested]) for learnt, tested in folds(sets, "pair")]
        assert [names for _, names in found] == [["mine", "other"], ["mine"]]
        assert [[one.language_pair for one in learnt] for learnt, _ in found] == [
            ["fr-en"],
            ["de-en", "de-en"],
        ]

    def test_one_segment_cannot_be_held_out(self) -> None:
        one = replace(scored(1), segment=np.zeros(200, dtype=np.int64))
        with pytest.raises(InputError, match="MP844"):
            adapt([one], TRUTH)


def test_agreement_of_all_parts_is_that_of_folds() -> None:
    found = validate([scored(1)], weights=TRUTH, by="segment")
    expected = np.mean([agreement(judged, TRUTH) for judged, _ in found.parts])
    assert found.mean == pytest.approx(expected)
