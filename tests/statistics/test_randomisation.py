"""The paired test: never surer than the segments that differ allow, and right as often as it says."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from metaphrase.metrics import create
from metaphrase.statistics.resampling import PairedResult, approximate_randomisation
from oracle import resampling as oracle

FloatArray = NDArray[np.float64]
#: Small counts, so that many differences are equal.
ROWS = st.lists(st.integers(0, 3), min_size=2, max_size=2)
PAIRS = st.lists(st.tuples(ROWS, ROWS), min_size=1, max_size=7)


def mean(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0])


def ratio(sums: FloatArray) -> FloatArray:
    """A score that is not linear in sums, as those of BLEU and TER are."""
    return np.asarray(sums[..., 0] / (sums[..., 1] + 1))


def result_of(
    first: FloatArray,
    second: FloatArray,
    score: Callable[[FloatArray], FloatArray] = mean,
    **options: int,
) -> PairedResult:
    found = approximate_randomisation([first, second], score, **options)[1].test
    assert found is not None
    return found


def apart(differing: int, alike: int = 0, step: float = 1.0) -> tuple[FloatArray, FloatArray]:
    """Two systems of which the second scores ``step`` higher on so many segments and the same on others."""
    first = np.random.default_rng(0).normal(50, 10, size=(differing + alike, 1))
    second = first.copy()
    second[:differing] += step
    return first, second


@given(PAIRS, st.sampled_from(["mean", "ratio"]))
@settings(max_examples=150)
def test_few_segments_are_exchanged_in_all_ways(pairs: list, kind: str) -> None:
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    score, exactly = {
        "mean": (mean, lambda sums: sums[0]),
        "ratio": (ratio, lambda sums: sums[0] / (sums[1] + 1)),
    }[kind]
    found = result_of(np.array(first, float), np.array(second, float), score)
    differences = oracle.exchanges(first, second, exactly)
    assert found.differing == sum(one != two for one, two in pairs)
    assert found.exact
    share = Fraction(sum(d >= differences[0] for d in differences), len(differences))
    assert found.p_value == pytest.approx(float(share), abs=1e-15)
    smallest = Fraction(differences.count(max(differences)), len(differences))
    assert found.smallest_p == pytest.approx(float(smallest), abs=1e-15)
    assert found.p_value >= found.smallest_p >= 0.5 ** max(found.differing - 1, 0)


@pytest.mark.parametrize("differing", [1, 2, 5, 6, 11])
def test_the_smallest_p_value_is_that_of_the_segments_that_differ(differing: int) -> None:
    # 2ⁿ exchanges, of which the one made and its opposite have the largest difference.
    for alike in (0, 200):
        found = result_of(*apart(differing, alike), resamples=10)
        assert found == PairedResult(
            0.5 ** (differing - 1), differing, exact=True, smallest_p=0.5 ** (differing - 1)
        )
        assert (found.untestable(0.05) == "too few segments to test") == (differing < 6)
        assert found.is_significant(0.05) == (differing >= 6)


def test_more_segments_are_exchanged_at_random() -> None:
    found = result_of(*apart(12), resamples=1000)
    assert found == PairedResult(1 / 1001, 12, smallest_p=1 / 1001)
    # Of 4,096 ways each pair of opposites counts once: 2,048 resamples are as many as all of them.
    assert result_of(*apart(12), resamples=2048) == PairedResult(
        0.5**11, 12, exact=True, smallest_p=0.5**11
    )
    few = result_of(*apart(12), resamples=10)
    assert (few.smallest_p, few.untestable(0.05)) == (1 / 11, "too few resamples to test")


def test_equal_systems_are_said_to_be_equal() -> None:
    found = result_of(*apart(0, 50))
    assert found == PairedResult(1.0, 0, exact=True, smallest_p=1.0)
    assert found.untestable(0.05) == "no segment differs"


@given(st.integers(0, 2**31), st.integers(12, 40))
@settings(max_examples=30)
def test_segments_that_are_alike_change_nothing_of_a_mean(seed: int, differing: int) -> None:
    generator = np.random.default_rng(seed)
    first, second = generator.integers(0, 50, size=(2, differing, 1)).astype(float)
    same = generator.integers(0, 50, size=(30, 1)).astype(float)
    longer = result_of(np.concatenate([first, same]), np.concatenate([second, same]), resamples=99)
    assert longer == result_of(first, second, resamples=99)


@pytest.mark.parametrize("alike", [1, 10, 1000])
def test_rounding_does_not_decide_between_equal_differences(alike: int) -> None:
    """Where segments differ by the same tiny amount either way, most exchanges are as large or equal."""
    first, second = apart(9, alike, step=0.1)
    second[4:9] -= 0.2
    # Five down and four up: all exchanges have an odd difference, so that none is smaller.
    assert result_of(first, second).p_value == 1.0
    one, other = apart(1, alike, step=1e-6)
    assert result_of(one, other).p_value == 1.0


def test_what_has_no_score_is_not_significant() -> None:
    def undefined(sums: FloatArray) -> FloatArray:
        return np.full(sums.shape[:-1], np.nan)

    for differing in (3, 20):
        assert result_of(*apart(differing), undefined).p_value == 1.0


@pytest.mark.parametrize("kind", ["mean", "few differ", "bleu"])
@pytest.mark.parametrize("size", [5, 10, 20, 50])
def test_equal_systems_seldom_differ(kind: str, size: int) -> None:
    """At level .05 at most 5 % of 400 pairs may, 20; 34 or more of them have a chance of .2 %."""
    generator = np.random.default_rng(size)
    score = create("bleu").score if kind == "bleu" else mean
    below = 0
    for seed in range(400):
        if kind == "bleu":  # lengths, then matches and numbers of n-grams
            length = generator.integers(5, 30, size=(size, 1))
            total = length - np.arange(4)
            pair = [
                np.concatenate(
                    [length, length, generator.binomial(total, [0.7, 0.5, 0.4, 0.3]), total], axis=1
                ).astype(float)
                for _ in range(2)
            ]
        else:
            pair = list(generator.normal(size=(2, size, 1)))
        if kind == "few differ":
            pair[1][size // 3 :] = pair[0][size // 3 :]
        below += result_of(*pair, score, resamples=99, seed=seed).p_value < 0.05
    assert below < 34
