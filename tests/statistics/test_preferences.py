"""Preferences from rankings and from direct assessment; WMT's τ and segment consistency on them."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metaphrase.errors import InputError, OptionError
from metaphrase.meta import (
    TAU_VARIANTS,
    Preferences,
    TauTable,
    count_preferences,
    from_rankings,
    ranking_tau,
    relative_ranking,
    segment_consistency,
)
from oracle.agreement import sign

NAN = float("nan")
SCORES = arrays(
    np.float64,
    st.tuples(st.integers(0, 5), st.integers(0, 4)),
    elements=st.sampled_from([0.0, 10.0, 25.0, 40.0, 100.0, NAN]),
)


def preferences(*rows: tuple[int, int, int, int]) -> Preferences:
    """Judgements (segment, first, second, order) of one judge."""
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return Preferences(*columns[:3], columns[3], np.zeros(len(rows), dtype=np.int64))


#: One segment, three systems that the metric scores 3, 2, 2; every kind of pair occurs once,
#: and same_order twice: of ten pairs below, 2 same, 1 opposite, 1 tied by the metric, 1 by people, 1 both.
METRIC = [[3.0], [2.0], [2.0]]
JUDGED = preferences(
    (0, 0, 1, 1),  # same order
    (0, 2, 0, -1),  # same order, told from the other side
    (0, 0, 2, -1),  # opposite
    (0, 1, 2, 1),  # tied by the metric
    (0, 0, 1, 0),  # tied by people
    (0, 2, 1, 0),  # tied by both
)


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        # (2 − 1 − 1) / (2 + 1 + 1): a metric's tie is discordant; WMT 2010–2012, 2017–2019.
        ("wmt10", 0 / 4),
        ("wmt11", 0 / 4),
        ("wmt12", 0 / 4),
        ("darr", 0 / 4),
        ("metric-ties-wrong", 0 / 4),
        # (2 − 1) / (2 + 1): a metric's tie is left out; WMT 2013.
        ("wmt13", 1 / 3),
        # (2 − 1) / (2 + 1 + 1): a metric's tie counts in the denominator; WMT 2014–2016.
        ("wmt14", 1 / 4),
        ("wmt15", 1 / 4),
        ("wmt16", 1 / 4),
        # (2 − 1 + 1) / 6: people's ties count, and want to be found.
        ("human-ties", 2 / 6),
        # Table of our own: (2 − 1 + ½ − ½ + 1) / 6.
        (TauTable(metric_tie=0.5, human_tie=-0.5, both_tie=1.0), 2 / 6),
        # Everything but agreement left out.
        (
            TauTable(opposite_order=None, metric_tie=None),
            1.0,
        ),
    ],
)
def test_variants_by_hand(variant: str | TauTable, expected: float) -> None:
    assert ranking_tau(METRIC, JUDGED, variant=variant) == pytest.approx(expected)


def test_every_kind_of_pair_is_counted() -> None:
    counts = count_preferences([*METRIC, [NAN]], JUDGED)
    assert (counts.same_order, counts.opposite_order, counts.metric_tie) == (2, 1, 1)
    assert (counts.human_tie, counts.both_tie, counts.unscored) == (1, 1, 0)
    unscored = count_preferences([[NAN], [2.0], [2.0]], JUDGED)
    assert unscored.unscored == 4


def test_consistency_by_hand() -> None:
    assert segment_consistency(METRIC, JUDGED) == pytest.approx(2 / 4)
    assert segment_consistency(METRIC, JUDGED, metric_ties="half") == pytest.approx(2.5 / 4)
    assert segment_consistency(METRIC, JUDGED, metric_ties="leave-out") == pytest.approx(2 / 3)


def test_without_preferences_there_is_no_agreement() -> None:
    for variant in TAU_VARIANTS:
        assert math.isnan(ranking_tau(METRIC, preferences(), variant=variant))
    assert math.isnan(segment_consistency(METRIC, preferences()))
    only_ties = preferences((0, 0, 1, 0))
    assert math.isnan(ranking_tau(METRIC, only_ties, variant="wmt14"))
    assert math.isnan(segment_consistency(METRIC, only_ties))


def test_a_constant_metric_is_wrong_undefined_or_neutral_about_everything() -> None:
    constant = np.ones((3, 1))
    assert ranking_tau(constant, JUDGED, variant="wmt12") == -1
    assert math.isnan(ranking_tau(constant, JUDGED, variant="wmt13"))
    assert ranking_tau(constant, JUDGED, variant="wmt14") == 0


def test_a_ranking_of_five_makes_ten_preferences() -> None:
    ranked = from_rankings(
        ranking=["r"] * 5,
        segment=[7] * 5,
        system=[4, 0, 3, 1, 2],
        rank=[1, 2, 2, 5, 3],
        judge=["ann"] * 5,
    )
    triples = zip(ranked.first.tolist(), ranked.second.tolist(), ranked.order.tolist(), strict=True)
    # System 4 beats all, 0 and 3 are tied, 1 loses to all.
    assert list(triples) == [
        (4, 0, 1),
        (4, 3, 1),
        (4, 1, 1),
        (4, 2, 1),
        (0, 3, 0),
        (0, 1, 1),
        (0, 2, 1),
        (3, 1, 1),
        (3, 2, 1),
        (1, 2, -1),
    ]
    assert set(ranked.segment.tolist()) == {7}


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),  # ranking
            st.integers(0, 4),  # system
            st.sampled_from([1.0, 2.0, 3.0, NAN]),
        ),
        max_size=15,
    )
)
def test_rankings_may_come_in_any_order_of_rows(rows: list[tuple[int, int, float]]) -> None:
    ranking, system, rank = zip(*rows, strict=True) if rows else ((), (), ())
    actual = from_rankings(
        ranking=ranking, segment=ranking, system=system, rank=rank, judge=ranking
    )
    expected = sorted(
        (r1, *((s1, s2, sign(k2 - k1)) if s1 < s2 else (s2, s1, sign(k1 - k2))))
        for (r1, s1, k1), (r2, s2, k2) in combinations(rows, 2)
        if r1 == r2 and s1 != s2 and not math.isnan(k1 + k2)
    )
    swap = actual.first > actual.second
    found = zip(
        actual.segment.tolist(),
        np.where(swap, actual.second, actual.first).tolist(),
        np.where(swap, actual.first, actual.second).tolist(),
        np.where(swap, -actual.order, actual.order).tolist(),
        strict=True,
    )
    assert sorted(found) == expected


@given(SCORES, st.sampled_from([0.0, 10.0, 25.0, 30.0, 101.0]))
def test_relative_ranking_takes_pairs_far_enough_apart(
    scores: np.ndarray, threshold: float
) -> None:
    systems, segments = scores.shape
    expected = [
        (segment, a, b, sign(scores[a, segment] - scores[b, segment]))
        for segment in range(segments)
        for a, b in combinations(range(systems), 2)
        if abs(scores[a, segment] - scores[b, segment]) >= threshold
    ]
    actual = relative_ranking(scores, threshold=threshold)
    columns = (actual.segment, actual.first, actual.second, actual.order)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


def test_da_relative_ranking_by_hand() -> None:
    # Segment 1: 80 − 55 = 25 counts, 80 − 56 = 24 does not, 56 − 55 does not.
    # Segment 2: 10 − 90 and 10 − 50 and 90 − 50 count.
    human = [[80, 10], [55, 90], [56, 50]]
    metric = [[0.7, 0.2], [0.6, 0.2], [0.5, 0.4]]
    # Concordant: 1:(1,2), 2:(1,3). Discordant: 2:(2,3), and the metric's tie 2:(1,2).
    assert ranking_tau(metric, relative_ranking(human), variant="darr") == 0
    assert ranking_tau(metric, relative_ranking(human), variant="wmt13") == pytest.approx(1 / 3)


@given(SCORES, st.integers(0, 99))
def test_tau_ignores_monotone_transforms_and_the_order_of_judgements(
    scores: np.ndarray, seed: int
) -> None:
    random = np.random.default_rng(seed)
    metric = random.integers(0, 4, scores.shape).astype(float)
    judged = relative_ranking(scores, threshold=0)
    shuffled = judged.select(random.permutation(len(judged)))
    for variant in TAU_VARIANTS:
        tau = ranking_tau(metric, judged, variant=variant)
        assert ranking_tau(metric**3, shuffled, variant=variant) == pytest.approx(tau, nan_ok=True)
        mirrored = ranking_tau(-metric, judged, variant=variant)
        if variant in ("wmt13", "wmt14"):
            assert mirrored == pytest.approx(-tau, nan_ok=True)
    consistency = segment_consistency(metric, judged)
    assert ranking_tau(metric, judged, variant="wmt12") == pytest.approx(
        2 * consistency - 1, nan_ok=True
    )


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="MP705"):
        ranking_tau([[1.0], [2.0]], JUDGED)
    with pytest.raises(InputError, match="MP705"):
        preferences((0, -1, 1, 1))
    with pytest.raises(InputError, match="MP704"):
        preferences((0, 1, 1, 1))
    with pytest.raises(InputError, match="MP704"):
        preferences((0, 0, 1, 2))
    with pytest.raises(InputError, match="MP704"):
        from_rankings(ranking=[0, 0], segment=[1, 2], system=[0, 1], rank=[1, 2])
    with pytest.raises(InputError, match="MP704"):
        from_rankings(ranking=[0, 0], segment=[1, 1], system=[0, 1], rank=[1, 2], judge=["a", "b"])
    with pytest.raises(InputError, match="MP701"):
        from_rankings(ranking=[0, 0], segment=[1], system=[0, 1], rank=[1, 2])
    with pytest.raises(InputError, match="MP702"):
        from_rankings(ranking=[0, 0], segment=[1.5, 1.5], system=[0, 1], rank=[1, 2])
    with pytest.raises(OptionError, match="MP710"):
        ranking_tau(METRIC, JUDGED, variant="wmt99")
    with pytest.raises(OptionError, match="MP710"):
        segment_consistency(METRIC, JUDGED, metric_ties="right")
    with pytest.raises(OptionError, match="MP711"):
        relative_ranking([[1.0]], threshold=-1)
    with pytest.raises(OptionError, match="MP712"):
        TauTable(metric_tie="X")
