"""Judges: who agrees with whom, who reads, who is too quick."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metaphrase.corpus.ratings import Item, MarkedError, Rating, Ratings
from metaphrase.meta import rating_agreement, standardise_by_judge
from metaphrase.sampling import imported
from oracle.reliability import alpha

COUNT = 6
ITEMS = {
    **{
        f"t{i}": Item(f"t{i}", "A", "", str(i), hypothesis="one two three four")
        for i in range(COUNT)
    },
    **{f"d{i}": Item(f"d{i}", "A", "", str(i), "degraded", f"t{i}") for i in range(COUNT)},
    **{f"r{i}": Item(f"r{i}", "A", "", str(i), "repeat", f"t{i}") for i in range(2)},
}


def rated(judge: str, prefix: str, scores: list[float], seconds: float = 10) -> list[Rating]:
    return [Rating(judge, f"{prefix}{i}", score, (), seconds) for i, score in enumerate(scores)]


CAREFUL = [80.0, 60.0, 90.0, 40.0, 70.0, 50.0]
RATINGS = Ratings(
    "made up",
    "de-en",
    "esa",
    ITEMS,
    (
        *rated("ann", "t", CAREFUL),
        *rated("ann", "d", [score - 30 for score in CAREFUL]),
        *rated("ann", "r", [82, 56]),
        *rated("ben", "t", [score - 10 for score in CAREFUL]),
        *rated("cem", "t", [50, 50, 60, 50, 50, 60], seconds=0.3),
        *rated("cem", "d", [50, 60, 50, 60, 50, 50], seconds=0.3),
    ),
)


def test_who_scores_degraded_copies_lower_is_kept() -> None:
    ann, ben, cem = rating_agreement(RATINGS).judges
    assert (ann.verdict, ann.controlled, ann.lower, ann.p_value) == ("kept", 6, 1.0, 2**-6)
    assert (ben.verdict, ben.controlled) == ("not tested", 0)
    assert cem.verdict == "left out"


def test_repeats_are_compared_with_the_first_time() -> None:
    ann = rating_agreement(RATINGS).judges[0]
    assert (ann.repeated, ann.repeat_difference) == (2, 3.0)


def test_four_words_in_a_third_of_a_second_are_too_fast() -> None:
    ann, _, cem = rating_agreement(RATINGS).judges
    assert (ann.seconds, ann.too_fast) == (10, 0)
    # Degraded copies have no text here, so that nobody can say how long they are.
    assert cem.too_fast == 1


def test_agreement_does_not_look_at_control_items() -> None:
    both = RATINGS.without_judges(["cem"])
    found = rating_agreement(both)
    assert (found.items, found.shared) == (6, 6)
    assert found.pearson == pytest.approx(1)
    assert found.alpha == pytest.approx(alpha([CAREFUL, [s - 10 for s in CAREFUL]], "interval"))


def test_errors_agree_by_severity_and_category() -> None:
    marks = {
        "ann": [("major", "accuracy/omission"), None, ("minor", "Fluency")],
        "ben": [("major", "Accuracy/Mistranslation"), None, ("major", "Accuracy")],
    }
    ratings = tuple(
        Rating(judge, f"t{i}", 0.0, () if mark is None else (MarkedError(*mark),))
        for judge, found in marks.items()
        for i, mark in enumerate(found)
    )
    found = rating_agreement(Ratings("m", "", "mqm", ITEMS, ratings))
    # Accuracy: 1 0 0 and 1 0 1; P(A) = 2/3, P(E) = 1/3 · 2/3 + 2/3 · 1/3 = 4/9.
    assert found.kappa["Accuracy"] == pytest.approx(0.4)
    assert list(found.kappa) == ["Accuracy", "Fluency"]
    assert 0 < found.severity_alpha < 1


def test_import_leaves_out_who_failed_and_says_whom() -> None:
    result = imported(RATINGS)
    assert result.left_out == ("cem",)
    assert result.ratings.judgements().human.tolist() == [[s - 5 for s in CAREFUL]]
    assert imported(RATINGS, all_judges=True).left_out == ()


def test_standardised_scores_are_those_of_translations_alone() -> None:
    found = imported(RATINGS, standardise=True).ratings
    expected = standardise_by_judge([*CAREFUL, *(s - 10 for s in CAREFUL)], ["a"] * 6 + ["b"] * 6)
    assert [one.score for one in found.ratings] == pytest.approx(expected.tolist())


def test_one_judge_alone_agrees_with_nobody() -> None:
    found = rating_agreement(RATINGS.without_judges(["ben", "cem"]))
    assert math.isnan(found.alpha)
    assert math.isnan(found.judges[0].agreement)
    assert np.isnan(found.pearson)
