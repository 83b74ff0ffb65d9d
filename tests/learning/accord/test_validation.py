"""What is validated was never learnt from: neither the set, nor its texts elsewhere, nor its segments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from metaphrase.learning.accord import JudgedLosses, Recipe, fit_weights, validate
from metaphrase.learning.accord.training import agreement, folds
from oracle.judged_losses import TRUTH, ranked, scored

SETS = [
    scored(1, name="a"),
    replace(ranked(3, name="a"), language_pair="cs-en"),
    scored(2, name="b"),
    scored(4, name="c"),
]


def with_texts(sets: list[JudgedLosses], **texts: range) -> list[JudgedLosses]:
    """The sets with references by their names."""
    return [replace(one, references=frozenset(map(str, texts[one.name]))) for one in sets]


class TestFolds:
    def test_each_set_is_left_out_with_all_its_language_pairs(self) -> None:
        found = [
            ({one.name for one in learnt}, [one.name for one in tested])
            for learnt, tested in folds(SETS)
        ]
        assert found == [({"b", "c"}, ["a", "a"]), ({"a", "c"}, ["b"]), ({"a", "b"}, ["c"])]

    def test_sets_that_share_texts_are_never_learnt_from(self) -> None:
        sets = with_texts(SETS, a=range(100), b=range(50, 150), c=range(149, 300))
        found = {tested[0].name: {one.name for one in learnt} for learnt, tested in folds(sets)}
        # b and c have one text of a hundred in common, which is not too many.
        assert found == {"a": {"c"}, "b": {"c"}, "c": {"a", "b"}}

    @pytest.mark.parametrize("rows", [9, 400, 1000, 3000])
    @pytest.mark.parametrize("kind", ["scored", "ranked"])
    def test_one_set_alone_is_cut_into_segments(self, rows: int, kind: str) -> None:
        whole = scored(1, rows=rows) if kind == "scored" else ranked(1, segments=rows // 2)
        seen: list[int] = []
        for learnt, tested in folds([whole]):
            (learnt_from,), (left,) = learnt, tested
            sides = [set(one.segment.tolist()) for one in (learnt_from, left)]
            assert not sides[0] & sides[1]
            assert sides[0] | sides[1] == set(whole.segment.tolist())
            assert learnt_from.count + left.count == whole.count
            seen += sides[1]
        assert sorted(seen) == sorted(set(whole.segment.tolist()))

    def test_segments_of_a_large_set_stay_with_their_neighbours(self) -> None:
        """A document of ten segments in a fold is one that can be asked for its mean."""
        for _, (left,) in folds([scored(1, rows=2000)]):
            runs = np.unique(left.segment).reshape(-1, 10)
            assert (np.diff(runs, axis=1) == 1).all()

    def test_sets_that_all_share_their_texts_are_cut_as_well(self) -> None:
        sets = with_texts(SETS, a=range(100), b=range(100), c=range(100))
        for learnt, tested in folds(sets):
            assert {one.name for one in learnt} == {one.name for one in tested}
            for one in learnt:
                for other in tested:
                    if one.language_pair == other.language_pair:
                        assert not set(one.segment.tolist()) & set(other.segment.tolist())

    def test_a_fold_that_leaves_nothing_to_learn_from_is_left_out(self) -> None:
        whole = ranked(1, segments=20)
        # Segments 0, 5, 10 and 15 are in the first fold, and nobody preferred anything elsewhere.
        first = whole.segment[whole.better] % 5 == 0
        few = replace(whole, better=whole.better[first], worse=whole.worse[first])
        found = list(folds([few]))
        assert [sorted({int(n) % 5 for n in left.segment}) for _, (left,) in found] == [
            [1],
            [2],
            [3],
            [4],
        ]

    def test_corrupted_sets_are_learnt_from_and_never_tested(self) -> None:
        spoilt = replace(ranked(5, name="corrupted"), corrupted=True)
        for sets in ([*SETS, spoilt], [SETS[0], spoilt]):
            for by in ("set", "pair", "segment"):
                found = list(folds([*sets[:-1], replace(spoilt, language_pair="xx-en")], by))
                assert found
                for learnt, tested in found:
                    assert not any(one.corrupted for one in tested)
                    assert {one.corrupted for one in learnt} == {False, True}

    def test_corrupted_sets_of_the_same_texts_are_not_learnt_from(self) -> None:
        spoilt = replace(ranked(5, name="x"), corrupted=True)
        sets = with_texts(
            [*SETS, spoilt], a=range(100), b=range(200, 300), c=range(300, 400), x=range(50)
        )
        found = {tested[0].name: {one.name for one in learnt} for learnt, tested in folds(sets)}
        assert found == {"a": {"b", "c"}, "b": {"a", "c", "x"}, "c": {"a", "b", "x"}}

    def test_one_segment_cannot_be_cut(self) -> None:
        assert list(folds([ranked(1, segments=1)])) == []


class TestValidation:
    def test_agreement_is_that_of_a_model_of_the_others(self) -> None:
        recipe = Recipe(penalty=0.1)
        found = validate(SETS, recipe)
        assert found.agreements.keys() == {"a", "b", "c"}
        for one in SETS:
            weights = fit_weights([other for other in SETS if other.name != one.name], recipe)
            expected = agreement(one, weights)
            assert found.agreements[one.name][one.language_pair] == expected

    def test_what_is_held_out_is_what_such_a_model_says(self) -> None:
        held_out = {(one.name, one.language_pair): one for one in validate(SETS).held_out}
        for one in SETS:
            weights = fit_weights([other for other in SETS if other.name != one.name])
            found = held_out[one.name, one.language_pair]
            assert found.lost.tolist() == (one.texts @ weights).tolist()
            assert found.place.tolist() == one.place.tolist()
            assert found.system.tolist() == one.system.tolist()

    @pytest.mark.parametrize("name", ["a", "b", "c"])
    def test_what_is_left_out_is_never_looked_at(self, name: str) -> None:
        changed = [
            replace(
                one,
                human=None if one.human is None else one.human[::-1],
                better=one.worse,
                worse=one.better,
            )
            if one.name == name
            else one
            for one in SETS
        ]
        for before, after in zip(validate(SETS).held_out, validate(changed).held_out, strict=True):
            assert (before.lost.tolist() == after.lost.tolist()) == (before.name == name)

    def test_every_segment_of_one_set_is_held_out_once(self) -> None:
        (found,) = validate([scored(1)]).held_out
        assert sorted(found.place.tolist()) == sorted(scored(1).place.tolist())

    def test_of_one_set_the_mean_of_the_folds_counts(self) -> None:
        whole = scored(1)
        agreed = [agreement(left, fit_weights(learnt)) for learnt, (left,) in folds([whole])]
        assert validate([whole]).agreements == {
            whole.name: {whole.language_pair: pytest.approx(np.mean(agreed))}
        }

    def test_weights_that_are_there_are_asked_about_the_same_folds(self) -> None:
        found = validate(SETS, weights=TRUTH)
        for one in SETS:
            assert found.agreements[one.name][one.language_pair] == agreement(one, TRUTH)
        assert found.held_out[2].lost.tolist() == (SETS[2].texts @ TRUTH).tolist()

    def test_progress_names_what_is_left_out(self) -> None:
        told: list[str] = []
        validate(SETS, progress=told.append)
        assert told == [f"learning without {name}" for name in "abc"]
