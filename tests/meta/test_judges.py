"""What judges do: their agreement with each other and themselves, and their scales."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.meta import Preferences, annotator_agreement, standardise_by_judge
from oracle.agreement import agreement_counts

NAN = float("nan")
JUDGEMENTS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.integers(0, 2),
        st.integers(0, 2),
        st.integers(-1, 1),
        st.integers(0, 2),
    ).filter(lambda row: row[1] != row[2]),
    max_size=20,
)


def preferences(rows: list[tuple[int, int, int, int, int]]) -> Preferences:
    """Judgements (segment, first, second, order, judge)."""
    return Preferences(*np.array(rows, dtype=np.int64).reshape(-1, 5).T)


#: Judges 0 and 1 on the pair (0, 1) of segment 0; judge 0 sees it twice, once from the other side.
JUDGED = preferences([(0, 0, 1, 1, 0), (0, 1, 0, -1, 0), (0, 0, 1, 0, 1), (1, 0, 1, 1, 1)])


def test_agreement_between_judges_by_hand() -> None:
    # Judge 0 says 0 > 1 twice, judge 1 says tie: 2 comparisons, none agrees. t = 1/4:
    # P(E) = 1/16 + (3/4)²/2 = 11/32; κ = (0 − 11/32) / (21/32) = −11/21.
    agreement = annotator_agreement(JUDGED)
    assert (agreement.observed, agreement.comparisons) == (0, 2)
    assert agreement.expected == pytest.approx(11 / 32)
    assert agreement.kappa == pytest.approx(-11 / 21)


def test_agreement_of_a_judge_with_herself_by_hand() -> None:
    # One comparison, which agrees although it was seen from the other side.
    agreement = annotator_agreement(JUDGED, between="same-judge")
    assert (agreement.observed, agreement.comparisons, agreement.kappa) == (1, 1, 1)


def test_chance_can_be_estimated_in_three_ways() -> None:
    # Labels seen from system 0: better, better, tie, better. (3/4)² + (1/4)² = 10/16.
    assert annotator_agreement(JUDGED, chance="labels").expected == pytest.approx(10 / 16)
    assert annotator_agreement(JUDGED, chance="uniform").expected == pytest.approx(1 / 3)


def test_agreement_is_undefined_without_comparisons_or_where_all_is_tied() -> None:
    nothing = annotator_agreement(preferences([]))
    assert math.isnan(nothing.kappa)
    assert nothing.comparisons == 0
    tied = annotator_agreement(preferences([(0, 0, 1, 0, 0), (0, 0, 1, 0, 1)]))
    assert tied.observed == 1
    assert math.isnan(tied.kappa)


@given(JUDGEMENTS)
def test_comparisons_are_those_of_all_pairs_of_judgements(
    rows: list[tuple[int, int, int, int, int]],
) -> None:
    for between in ("same-judge", "different-judges"):
        agreeing, compared = agreement_counts(rows, between == "same-judge")
        agreement = annotator_agreement(preferences(rows), between=between)
        assert agreement.comparisons == compared
        expected = agreeing / compared if compared else NAN
        assert agreement.observed == pytest.approx(expected, nan_ok=True)


@given(JUDGEMENTS, st.integers(0, 99))
def test_kappa_ignores_order_and_side(
    rows: list[tuple[int, int, int, int, int]], seed: int
) -> None:
    random = np.random.default_rng(seed)
    turned = [(s, b, a, -o, j) if random.integers(2) else (s, a, b, o, j) for s, a, b, o, j in rows]
    random.shuffle(turned)
    for chance in ("ties", "labels", "uniform"):
        first, second = (annotator_agreement(preferences(r), chance=chance) for r in (rows, turned))
        assert first.kappa == pytest.approx(second.kappa, nan_ok=True)


def test_each_judge_is_standardised_with_their_own_mean_and_deviation() -> None:
    scores = np.array([10.0, 80.0, 20.0, 90.0, 60.0, 100.0])
    judges = ["ann", "bob", "ann", "bob", "ann", "bob"]
    actual = standardise_by_judge(scores, judges)
    np.testing.assert_allclose(actual[::2], scipy.stats.zscore(scores[::2], ddof=1), atol=1e-12)
    np.testing.assert_allclose(actual[1::2], scipy.stats.zscore(scores[1::2], ddof=1), atol=1e-12)
    actual = standardise_by_judge(scores, judges, deviation="population")
    np.testing.assert_allclose(actual[::2], scipy.stats.zscore(scores[::2]), atol=1e-12)


def test_judges_without_spread_score_zero_or_nothing() -> None:
    scores, judges = [70, 0.1, 0.1, 0.1, NAN, 3, 5], ["a", "b", "b", "b", "c", "c", "c"]
    # c: mean 4, sample deviation √2.
    root = 1 / math.sqrt(2)
    np.testing.assert_allclose(
        standardise_by_judge(scores, judges), [0, 0, 0, 0, NAN, -root, root], atol=1e-12
    )
    np.testing.assert_allclose(
        standardise_by_judge(scores, judges, no_spread="leave-out"),
        [NAN, NAN, NAN, NAN, NAN, -root, root],
    )
    assert standardise_by_judge([], []).size == 0


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=1, max_size=12))
def test_a_judges_scale_does_not_matter(rows: list[tuple[int, int]]) -> None:
    scores, judges = np.array(rows, dtype=np.float64).T
    other_scale = scores * (judges + 1) - 50 * judges
    np.testing.assert_allclose(
        standardise_by_judge(scores, judges), standardise_by_judge(other_scale, judges), atol=1e-9
    )


def test_wrong_options_are_refused() -> None:
    with pytest.raises(OptionError, match="MP710"):
        annotator_agreement(JUDGED, between="friends")
    with pytest.raises(OptionError, match="MP710"):
        annotator_agreement(JUDGED, chance="never")
    with pytest.raises(OptionError, match="MP710"):
        standardise_by_judge([1], ["a"], no_spread="drop")
    with pytest.raises(InputError, match="MP701"):
        standardise_by_judge([1, 2], ["a"])
