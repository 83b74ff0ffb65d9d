"""PERM-BOTH against its slow definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from metaphrase.errors import InputError, OptionError
from metaphrase.statistics.clusters import significance_clusters
from metaphrase.statistics.permutation import EarlyStopping, permutation_test, significance_matrix
from oracle import permutation as oracle

GROUPS = ["none", "segment", "system"]
SWAPS = ["cell", "segment", "system"]


@st.composite
def judged(draw: st.DrawFn) -> tuple[NDArray, NDArray, NDArray]:
    """Metric, rival and human scores with many ties and some gaps."""
    systems, segments = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    levels = draw(st.integers(1, 6))
    size = (systems, segments)
    human = generator.integers(0, levels, size).astype(float)
    metric, rival = (human + generator.integers(0, levels, size) / 2 for _ in range(2))
    for scores in (human, metric, rival):
        scores[generator.random(size) < draw(st.sampled_from([0.0, 0.2]))] = np.nan
    return metric, rival, human


def bits(seed: int, resamples: int, units: dict) -> NDArray[np.uint64]:
    words = -(-max(max(units.values(), default=0) + 1, 1) // 64)
    return np.random.default_rng(seed).integers(0, 2**64, size=(resamples, words), dtype=np.uint64)


def prepared(scores: tuple[NDArray, NDArray, NDArray], swap: str, group_by: str) -> tuple:
    metric, rival, human = scores
    known = ~np.isnan(metric) & ~np.isnan(rival) & ~np.isnan(human)
    parts = oracle.groups(known, group_by)
    units = oracle.numbered_units(known, swap, group_by)
    return known, parts, units


def standardised(scores: tuple, known: NDArray, parts: list) -> tuple[NDArray, NDArray]:
    """z-scores summed in the order of groups, as packed, so that they are equal to the bit."""
    results = []
    for side in scores[:2]:
        order = [cell for part in parts for cell in part]
        packed = np.array([side[cell] for cell in order])
        values = oracle.standardised(packed, np.ones(len(packed), dtype=bool)) if order else packed
        matrix = np.full(side.shape, np.nan)
        for cell, value in zip(order, values, strict=True):
            matrix[cell] = value
        results.append(matrix)
    return results[0], results[1]


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("group_by", GROUPS)
@given(scores=judged(), epsilon=st.sampled_from([0.0, 0.3, "calibrated"]))
@settings(max_examples=12)
def test_accuracy_equals_the_slow_definition_exactly(scores, epsilon, group_by, swap) -> None:
    result = permutation_test(
        *scores,
        agreement="accuracy",
        group_by=group_by,
        swap=swap,
        epsilon=epsilon,
        resamples=20,
        seed=7,
    )
    known, parts, units = prepared(scores, swap, group_by)
    metric, rival = standardised(scores, known, parts)

    def accuracy(side: NDArray):
        if epsilon == "calibrated":
            return oracle.calibrated_accuracy(side, scores[2], parts)[0]
        return oracle.accuracy(side, scores[2], parts, epsilon)

    if accuracy(metric) is None:
        assert np.isnan(result.p_value)
        return
    lead = accuracy(metric) - accuracy(rival)
    drawn = [
        accuracy(one) - accuracy(two)
        for one, two in oracle.hybrids(metric, rival, known, units, bits(7, 20, units))
    ]
    assert result.metric == float(accuracy(metric))
    assert result.rival == float(accuracy(rival))
    assert result.p_value == sum(d >= lead for d in drawn) / 20
    assert result.differences.tolist() == [float(d) for d in drawn]


@pytest.mark.parametrize("agreement", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("group_by", GROUPS)
@given(scores=judged(), swap=st.sampled_from(SWAPS), zero=st.booleans())
@settings(max_examples=12)
def test_coefficients_equal_scipys(scores, agreement, group_by, swap, zero) -> None:
    result = permutation_test(
        *scores,
        agreement=agreement,
        group_by=group_by,
        swap=swap,
        undefined="zero" if zero else "leave-out",
        resamples=10,
        seed=3,
    )
    known, parts, units = prepared(scores, swap, group_by)
    metric, rival = standardised(scores, known, parts)

    def coefficient(side: NDArray) -> float:
        return oracle.coefficient(agreement, side, scores[2], parts, zero)

    assert result.metric == pytest.approx(coefficient(metric), abs=1e-12, nan_ok=True)
    assert result.rival == pytest.approx(coefficient(rival), abs=1e-12, nan_ok=True)
    if np.isnan(result.difference):
        assert np.isnan(result.p_value)
        return
    drawn = [
        np.nan_to_num(coefficient(one)) - np.nan_to_num(coefficient(two))
        for one, two in oracle.hybrids(metric, rival, known, units, bits(3, 10, units))
    ]
    np.testing.assert_allclose(result.differences, drawn, atol=1e-12)


@given(scores=judged(), swap=st.sampled_from(SWAPS))
@settings(max_examples=40)
def test_system_accuracy_is_that_of_mean_scores(scores, swap) -> None:
    result = permutation_test(
        *scores, agreement="accuracy", level="system", swap=swap, resamples=10
    )
    known, parts, units = prepared(scores, swap, "system")
    metric, rival = standardised(scores, known, parts)

    def accuracy(side: NDArray):
        means = np.array([[sum(side[c] for c in part) / len(part) for part in parts]])
        people = np.array([[np.sum([scores[2][c] for c in part]) / len(part) for part in parts]])
        pairs = [[(0, k) for k in range(len(parts))]]
        return oracle.accuracy(means, people, pairs, 0.0)

    if accuracy(metric) is None:
        assert np.isnan(result.p_value)
        return
    assert result.metric == float(accuracy(metric))
    drawn = [
        float(accuracy(one) - accuracy(two))
        for one, two in oracle.hybrids(metric, rival, known, units, bits(12345, 10, units))
    ]
    np.testing.assert_allclose(result.differences, drawn, atol=1e-12)


@given(scores=judged(), group_by=st.sampled_from(GROUPS), calibrated=st.booleans())
@settings(max_examples=40)
def test_exchanging_outcomes_leaves_each_metric_its_own_epsilon(
    scores, group_by, calibrated
) -> None:
    epsilon = "calibrated" if calibrated else (0.0, 0.5)
    result = permutation_test(
        *scores, agreement="accuracy", group_by=group_by, swap="pair", epsilon=epsilon, resamples=50
    )
    _, parts, _ = prepared(scores, "cell", group_by)
    metric, rival, human = scores
    if calibrated:
        expected = [oracle.calibrated_accuracy(side, human, parts)[0] for side in (metric, rival)]
    else:
        sides = ((metric, 0.0), (rival, 0.5))
        expected = [oracle.accuracy(side, human, parts, e) for side, e in sides]
    if expected[0] is None:
        assert np.isnan(result.p_value)
        return
    assert [result.metric, result.rival] == [float(value) for value in expected]
    assert np.abs(result.differences).max() <= 1


def example(seed: int = 0, systems: int = 6, segments: int = 40) -> tuple:
    """A good metric, a poor one, and people."""
    generator = np.random.default_rng(seed)
    human = np.round(
        generator.normal(size=(systems, 1)) + generator.normal(size=(systems, segments)), 1
    )
    good = human + generator.normal(scale=0.5, size=human.shape)
    poor = human + generator.normal(scale=3, size=human.shape)
    return good, poor, human


QUESTIONS = [
    {"agreement": "pearson"},
    {"agreement": "kendall", "group_by": "segment"},
    {"agreement": "spearman", "level": "system"},
    {"agreement": "accuracy", "group_by": "segment", "epsilon": 0.1},
    {"agreement": "accuracy", "group_by": "segment", "epsilon": "calibrated"},
    {"agreement": "accuracy", "group_by": "segment", "swap": "pair", "epsilon": "calibrated"},
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_seed_gives_the_same_bits_on_any_number_of_threads(question) -> None:
    one = permutation_test(*example(), **question, resamples=70)
    three = permutation_test(*example(), **question, resamples=70, threads=3)
    assert one.differences.tobytes() == three.differences.tobytes()
    other = permutation_test(*example(), **question, resamples=70, seed=1)
    assert one.differences.tobytes() != other.differences.tobytes()


@pytest.mark.parametrize("question", QUESTIONS[:2] + QUESTIONS[3:])
def test_a_good_metric_beats_a_poor_one_and_not_the_other_way_round(question) -> None:
    good, poor, human = example()
    assert permutation_test(good, poor, human, **question, resamples=200).p_value < 0.01
    assert permutation_test(poor, good, human, **question, resamples=200).p_value > 0.99


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_metric_does_not_beat_itself(question) -> None:
    good, _, human = example()
    result = permutation_test(good, 2 * good + 1, human, **question, resamples=30)
    assert result.difference == pytest.approx(0, abs=1e-9)
    assert permutation_test(good, good, human, **question, resamples=30).p_value == 1.0


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (1, 0), (3, 1), (1, 3)])
def test_too_little_to_compare_is_undefined_and_no_error(question, shape) -> None:
    scores = np.zeros(shape)
    result = permutation_test(scores, scores, scores, **question, resamples=5)
    defined = question["agreement"] == "accuracy" and not np.isnan(result.metric)
    assert result.p_value == 1.0 if defined else np.isnan(result.p_value)


def test_nothing_judged_is_undefined() -> None:
    nothing = np.full((3, 4), np.nan)
    assert np.isnan(permutation_test(nothing, nothing, nothing, agreement="accuracy").p_value)


def test_early_stopping_makes_a_prefix_of_the_resamples() -> None:
    good, poor, human = example()
    whole = permutation_test(good, poor, human, resamples=500)
    early = permutation_test(good, poor, human, resamples=500, early=EarlyStopping(block=50))
    # p is below 0.02 after the first block.
    assert early.resamples == 50
    assert early.differences.tolist() == whole.differences[:50].tolist()
    never = EarlyStopping(block=50, low=0.0, high=1.0)
    assert permutation_test(good, poor, human, resamples=120, early=never).resamples == 120


def test_groups_of_very_different_sizes_have_the_same_say() -> None:
    # Least common multiples of so many sizes do not fit a word, so weights are rounded.
    generator = np.random.default_rng(1)
    sizes = range(60, 100)
    human, metric, rival = generator.normal(size=(3, len(sizes), 100))
    for row, size in zip(human, sizes, strict=True):
        row[size:] = np.nan
    result = permutation_test(
        metric, rival, human, agreement="accuracy", group_by="system", resamples=5
    )
    parts = oracle.groups(~np.isnan(human), "system")
    expected = float(oracle.accuracy(metric, human, parts, 0.0))
    assert result.metric == pytest.approx(expected, abs=1e-12)


def test_the_matrix_of_tests_feeds_clusters() -> None:
    good, poor, human = example()
    slightly = good + 1e-6 * poor
    agreements, p = significance_matrix(
        [poor, good, slightly], human, agreement="kendall", resamples=100
    )
    assert np.isnan(np.diag(p)).all()
    clusters = significance_clusters(agreements, p)
    assert clusters.rank.tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"agreement": "tau"}, "MP747"),
        ({"group_by": "document"}, "MP747"),
        ({"swap": "word"}, "MP747"),
        ({"level": "document"}, "MP747"),
        ({"undefined": "ignore"}, "MP747"),
        ({"resamples": 0}, "MP740"),
        ({"resamples": 2.5}, "MP740"),
        ({"seed": -1}, "MP740"),
        ({"epsilon": 0.1}, "MP748"),
        ({"agreement": "accuracy", "epsilon": -1.0}, "MP748"),
        ({"agreement": "accuracy", "epsilon": float("nan")}, "MP748"),
        ({"agreement": "accuracy", "epsilon": "best"}, "MP748"),
        ({"agreement": "accuracy", "epsilon": (0.1, 0.2)}, "MP748"),
        ({"level": "system", "group_by": "segment"}, "MP748"),
        ({"level": "system", "agreement": "accuracy", "epsilon": "calibrated"}, "MP748"),
        ({"swap": "pair"}, "MP748"),
        ({"early": EarlyStopping(block=0)}, "MP748"),
    ],
)
def test_a_wrong_option_is_a_coded_error(options, code) -> None:
    with pytest.raises(OptionError) as caught:
        permutation_test(*example(), **options)
    assert caught.value.code == code


@pytest.mark.parametrize("options", [{"epsilon": "calibrated"}, {"swap": "pair"}])
def test_pairs_that_would_fill_the_memory_are_refused(options) -> None:
    scores = np.zeros((1, 5000))
    with pytest.raises(OptionError, match="MP749"):
        permutation_test(scores, scores, scores, agreement="accuracy", **options)


def test_wrong_scores_are_coded_errors() -> None:
    good, poor, human = example()
    with pytest.raises(InputError, match="MP751"):
        permutation_test(good, poor[:2], human)
    with pytest.raises(InputError, match="MP751"):
        permutation_test(good[0], poor[0], human[0])
    with pytest.raises(InputError, match="MP703"):
        permutation_test(np.full_like(good, np.inf), poor, human)
    with pytest.raises(InputError, match="MP750"):
        significance_matrix(good, human)
