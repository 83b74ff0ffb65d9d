"""Pearson, Spearman and Kendall: SciPy's numbers, on vectors and in groups."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from metaphrase.errors import InputError, OptionError
from metaphrase.meta import average, correlation, document_scores, kendall, pearson, spearman
from metaphrase.statistics.grouping import one_group
from metaphrase.statistics.pair_counts import count_pairs
from oracle.agreement import groups, pair_counts

NAN = float("nan")
COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}

#: Scores with many ties, some of them missing.
POINTS = st.sampled_from([0.0, 0.25, 1.0, 2.0, 3.5, -7.0])
POINTS_OR_NAN = st.one_of(POINTS, st.just(NAN))


def matrices(elements: st.SearchStrategy[float], largest: int = 6):
    return array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=largest).flatmap(
        lambda shape: st.tuples(
            arrays(np.float64, shape, elements=elements),
            arrays(np.float64, shape, elements=elements),
        )
    )


def vectors(elements: st.SearchStrategy[float], largest: int = 40):
    return st.integers(0, largest).flatmap(
        lambda size: st.tuples(
            arrays(np.float64, size, elements=elements), arrays(np.float64, size, elements=elements)
        )
    )


def scipy_value(name: str, metric: np.ndarray, human: np.ndarray) -> float:
    if len(metric) < 2 or np.ptp(metric) == 0 or np.ptp(human) == 0:
        return NAN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(SCIPY[name](metric, human).statistic)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(pair=vectors(st.one_of(POINTS, st.floats(-1e3, 1e3, width=16))))
def test_coefficients_equal_scipys(name: str, pair: tuple[np.ndarray, np.ndarray]) -> None:
    assert COEFFICIENTS[name](*pair) == pytest.approx(
        scipy_value(name, *pair), abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("values", [50, 10**9])
def test_coefficients_equal_scipys_on_long_vectors(name: str, values: int) -> None:
    random = np.random.default_rng(1)
    metric = random.integers(0, values, 5000).astype(float)
    human = metric + random.integers(0, 2 * values, 5000)
    assert COEFFICIENTS[name](metric, human) == pytest.approx(
        scipy_value(name, metric, human), abs=1e-12
    )


@given(vectors(POINTS))
def test_pairs_are_counted_exactly(pair: tuple[np.ndarray, np.ndarray]) -> None:
    counts = count_pairs(one_group(*pair))
    kinds = (
        counts.concordant,
        counts.discordant,
        counts.metric_ties,
        counts.human_ties,
        counts.both_ties,
    )
    assert tuple(int(kind.sum()) for kind in kinds) == pair_counts(zip(*pair, strict=True))


def test_kendall_by_hand() -> None:
    # Pairs of (m, h) = (1,1) (2,2) (2,3) (3,2): 12 C, 13 C, 14 C, 23 tied by m, 24 tied by h, 34 D.
    # C = 3, D = 1, T_m = 1, T_h = 1: (3 − 1) / √(5·5) = 0.4.
    assert kendall([1, 2, 2, 3], [1, 2, 3, 2]) == pytest.approx(0.4)


def test_spearman_by_hand() -> None:
    # Ranks of m: 1, 2.5, 2.5, 4; of h: 2, 1, 3, 4. Deviations from 2.5: (−1.5, 0, 0, 1.5) and
    # (−.5, −1.5, .5, 1.5): 3 / √(4.5 · 5) = 0.6324555.
    assert spearman([10, 20, 20, 90], [2, 1, 3, 4]) == pytest.approx(3 / math.sqrt(22.5))


def test_pearson_by_hand() -> None:
    # Deviations (−1, 0, 1) and (−1, −1, 2): 3 / √(2·6).
    assert pearson([1, 2, 3], [0, 0, 3]) == pytest.approx(3 / math.sqrt(12))


def test_pearson_survives_large_offsets_and_extreme_units() -> None:
    # The same three points as above; 1e9 + k is exact in a double.
    for metric in ([1e9 + 1, 1e9 + 2, 1e9 + 3], [1e-200, 2e-200, 3e-200], [1e149, 2e149, 3e149]):
        assert pearson(metric, [0, 0, 3]) == pytest.approx(3 / math.sqrt(12), abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_what_is_undefined_is_nan(name: str) -> None:
    coefficient = COEFFICIENTS[name]
    for metric, human in (
        ([], []),
        ([1], [2]),
        ([0.1, 0.1, 0.1], [1, 2, 3]),
        ([1, 2, 3], [5, 5, 5]),
        ([NAN, NAN], [1, 2]),
        ([1, NAN, 3], [NAN, 2, 3]),
    ):
        assert math.isnan(coefficient(metric, human))


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(pair=vectors(POINTS_OR_NAN, largest=12))
def test_missing_scores_are_left_out(name: str, pair: tuple[np.ndarray, np.ndarray]) -> None:
    metric, human = pair
    known = ~np.isnan(metric + human)
    assert COEFFICIENTS[name](metric, human) == pytest.approx(
        COEFFICIENTS[name](metric[known], human[known]), nan_ok=True
    )


@pytest.mark.parametrize("name", ["spearman", "kendall"])
@given(pair=vectors(st.integers(-20, 20).map(float), largest=15))
def test_rank_correlations_ignore_monotone_transforms(
    name: str, pair: tuple[np.ndarray, np.ndarray]
) -> None:
    metric, human = pair
    assert COEFFICIENTS[name](metric**3 + metric, np.exp(human / 4)) == pytest.approx(
        COEFFICIENTS[name](metric, human), nan_ok=True, abs=1e-12
    )


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(pair=vectors(POINTS, largest=15))
def test_coefficients_turn_with_the_sign_and_stay_within_one(
    name: str, pair: tuple[np.ndarray, np.ndarray]
) -> None:
    value = COEFFICIENTS[name](*pair)
    assume(not math.isnan(value))
    assert -1 <= value <= 1
    assert COEFFICIENTS[name](-pair[0], pair[1]) == pytest.approx(-value, abs=1e-12)
    assert COEFFICIENTS[name](2.5 * pair[0] + 7, pair[1]) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("group_by", ["none", "segment", "system"])
@given(pair=matrices(POINTS_OR_NAN))
def test_groups_are_averaged_as_mt_metrics_eval_does(
    name: str, group_by: str, pair: tuple[np.ndarray, np.ndarray]
) -> None:
    values = [
        scipy_value(name, *map(np.array, zip(*group, strict=True)))
        for group in groups(*pair, group_by)
        if len(group) > 1
    ]
    for undefined, kept in (
        ("leave-out", [value for value in values if not math.isnan(value)]),
        ("zero", [0.0 if math.isnan(value) else value for value in values]),
        ("propagate", values),
    ):
        expected = sum(kept) / len(kept) if kept else NAN
        actual = correlation(*pair, coefficient=name, group_by=group_by, undefined=undefined)
        assert actual == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("group_by", ["none", "segment", "system"])
@given(pair=matrices(POINTS_OR_NAN), seed=st.integers(0, 99))
def test_the_order_of_systems_and_segments_does_not_matter(
    name: str, group_by: str, pair: tuple[np.ndarray, np.ndarray], seed: int
) -> None:
    random = np.random.default_rng(seed)
    rows, columns = (random.permutation(size) for size in pair[0].shape)
    shuffled = (scores[rows][:, columns] for scores in pair)
    assert correlation(*shuffled, coefficient=name, group_by=group_by) == pytest.approx(
        correlation(*pair, coefficient=name, group_by=group_by), abs=1e-12, nan_ok=True
    )


def test_a_single_system_has_no_correlation_by_segment_but_one_by_system() -> None:
    metric, human = [[1.0, 2.0, 4.0]], [[1.0, 3.0, 2.0]]
    assert math.isnan(correlation(metric, human, group_by="segment"))
    assert correlation(metric, human, group_by="system") == pytest.approx(pearson(*metric, *human))


def test_grouping_by_hand() -> None:
    # Segment 1: r = 1; segment 2: r = −1; segment 3: constant, undefined.
    metric = [[1, 1, 1], [2, 2, 1]]
    human = [[1, 2, 1], [2, 1, 2]]
    assert correlation(metric, human, group_by="segment") == pytest.approx(0)
    human = [[1, 1, 1], [2, 2, 2]]
    assert correlation(metric, human, group_by="segment") == pytest.approx(1)
    assert correlation(metric, human, group_by="segment", undefined="zero") == pytest.approx(2 / 3)


def test_documents_are_averaged_before_they_are_correlated() -> None:
    documents = ["b", "a", "b"]
    scores = [[1, 5, 3], [2, NAN, NAN], [NAN, 7, NAN]]
    # Document b has segments 1 and 3, a has segment 2.
    np.testing.assert_array_equal(document_scores(scores, documents), [[2, 5], [2, NAN], [NAN, 7]])
    np.testing.assert_array_equal(
        document_scores(scores, documents, aggregate="sum"), [[4, 5], [2, NAN], [NAN, 7]]
    )


def test_a_document_averages_only_segments_known_on_both_sides() -> None:
    metric = [[1.0, 100.0, 3.0], [2.0, 2.0, 2.0], [0.0, 0.0, 1.0]]
    human = [[1.0, NAN, 3.0], [2.0, 2.0, 2.0], [0.0, 0.0, 1.0]]
    # Document x of system 1 is 1 on both sides: the 100 has no judgement.
    value = correlation(metric, human, coefficient="pearson", documents=["x", "x", "y"])
    assert value == pytest.approx(1)


@given(pair=matrices(POINTS_OR_NAN))
def test_documents_of_one_segment_each_change_nothing(pair: tuple[np.ndarray, np.ndarray]) -> None:
    documents = np.arange(pair[0].shape[1])
    for group_by in ("none", "segment", "system"):
        assert correlation(*pair, group_by=group_by, documents=documents) == pytest.approx(
            correlation(*pair, group_by=group_by), nan_ok=True
        )


def test_averages_over_language_pairs() -> None:
    values = [0.2, NAN, 0.4]
    assert average(values) == pytest.approx(0.3)
    assert average(values, undefined="zero") == pytest.approx(0.2)
    assert math.isnan(average(values, undefined="propagate"))
    assert math.isnan(average([]))
    assert math.isnan(average([NAN]))


def test_wrong_shapes_and_options_are_refused() -> None:
    for code, metric, human in (
        ("MP701", [1, 2], [1, 2, 3]),
        ("MP701", [[1, 2]], [[1, 2]]),
        ("MP701", [[1], [1, 2]], [1, 2]),
        ("MP702", ["a", "b"], [1, 2]),
        ("MP702", [None, 1], [1, 2]),
        ("MP703", [math.inf, 1], [1, 2]),
        ("MP703", [1e200, 1], [1, 2]),
    ):
        with pytest.raises(InputError) as refusal:
            kendall(metric, human)
        assert refusal.value.code == code
    for options in (
        {"group_by": "item"},
        {"coefficient": "tau"},
        {"undefined": "ignore"},
        {"documents": ["a", "b"], "aggregate": "median"},
    ):
        with pytest.raises(OptionError, match="MP710"):
            correlation([[1, 2]], [[1, 2]], **options)
    with pytest.raises(InputError, match="MP701"):
        correlation([[1, 2]], [[1, 2]], documents=["a"])
