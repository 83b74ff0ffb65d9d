"""What is learned from raters' preferences: what was put into judgements comes out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from metaphrase.arrays import FloatArray
from metaphrase.errors import InputError
from metaphrase.learning.accord.preference import (
    SIZES,
    Comparisons,
    PairedSystems,
    brier_score,
    comparisons,
    fit_preferences,
    probabilities_of,
)

#: Standard deviations of what raters and the metric differ by: of a system, and of a segment.
OF_SYSTEM, OF_SEGMENT = 2.0, 20.0


def pairs(
    count: int = 300, segments: int = 400, *, seed: int = 0, human: float = 1.0
) -> list[PairedSystems]:
    """Pairs in which raters see what the metric sees, and something of their own in systems and segments."""
    generator = np.random.default_rng(seed)
    found = []
    for number in range(count):
        true = generator.normal(0, 4)
        metric = true + generator.normal(0, 5, segments)
        rated = (
            metric.mean()
            + generator.normal(0, OF_SYSTEM)
            + generator.normal(0, OF_SEGMENT, segments)
        )
        document = np.arange(segments) // 8
        found.append(PairedSystems(f"set{number % 4}", "de-en", metric, human * rated, document))
    return found


@pytest.fixture(scope="module")
def found() -> Comparisons:
    return comparisons(pairs())


def test_the_probability_is_that_of_the_judgements(found: Comparisons) -> None:
    # Raters' mean of n segments is the metric's plus normal noise of variance 2² + 20²/n, so that they prefer
    # what scores d higher with probability Φ(d / √(2² + 20²/n)). Subsets of a pair are not independent,
    # and its segments differ by more than the mean: so only large subsets are exact, to about 0.05.
    table = fit_preferences(found, name="test")
    for segments in (200, 400):
        for difference in (1.0, 2.0, 4.0):
            deviation = np.sqrt(OF_SYSTEM**2 + OF_SEGMENT**2 / segments)
            expected = float(ndtr(difference / deviation))
            assert table.probability(difference, segments) == pytest.approx(expected, abs=0.06)


def test_it_is_better_than_a_constant(found: Comparisons) -> None:
    table = fit_preferences(found, name="test")
    constant = np.full(len(found.of), np.average(found.preferred, weights=found.weight))
    assert brier_score(found, probabilities_of(table, found)) < brier_score(found, constant) < 0.25


def test_raters_who_do_not_care_leave_a_half() -> None:
    table = fit_preferences(comparisons(pairs(40, human=0.0)), name="test")
    assert table.probability(50.0, 1000) == 0.5


def test_raters_of_the_opposite_opinion_never_go_below_a_half() -> None:
    table = fit_preferences(comparisons(pairs(40, human=-1.0)), name="test")
    assert table.probability(50.0, 1000) == 0.5


def test_each_level_has_its_comparisons() -> None:
    (pair,) = pairs(1, 60)
    found = comparisons([pair])
    # 60 segments: one by one, 20 subsets of each size up to half of them, 8 documents (the last of 4), all.
    counts = {level: int((found.level == level).sum()) for level in (-1, 0, *SIZES)}
    expected = {-1: 1, 0: 8, 1: 60, 2: 20, 5: 20, 10: 20, 20: 20, 50: 0, 100: 0, 200: 0, 500: 0}
    assert counts == expected
    whole = found.select(found.level == -1)
    assert whole.difference == pytest.approx([abs(pair.metric.mean())])
    assert whole.segments.tolist() == [60]


def test_ties_of_raters_count_half_and_equal_scores_nothing() -> None:
    metric: FloatArray = np.array([1.0, -2.0, 0.0])
    pair = PairedSystems("set", "de-en", metric, np.array([0.0, -1.0, 1.0]), np.full(3, -1))
    found = comparisons([pair])
    single = found.select(found.level == 1)
    assert sorted(zip(single.difference.tolist(), single.preferred.tolist(), strict=True)) == [
        (1.0, 0.5),
        (2.0, 1.0),
    ]


def test_a_level_counts_as_the_root_of_the_pairs_of_systems(found: Comparisons) -> None:
    # 75 pairs of each of four sets.
    for level in (1, 10, -1):
        for place in range(4):
            rows = (found.level == level) & (found.of == place)
            assert found.weight[rows].sum() == pytest.approx(np.sqrt(75))


def test_the_same_judgements_give_the_same_table() -> None:
    some = pairs(10)
    one, other = (fit_preferences(comparisons(some), name="test") for _ in range(2))
    assert one == other


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(InputError, match="MP846"):
        fit_preferences(comparisons([]), name="test")
