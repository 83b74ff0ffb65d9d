"""Agreement of judges: published examples, the definition, and what cannot be told."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import OptionError
from metaphrase.statistics.reliability import cohen_kappa, krippendorff_alpha
from metaphrase.statistics.signed_rank import signed_rank_test
from oracle.reliability import alpha, signed_rank

N = float("nan")
#: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C: four observers, twelve units.
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


@pytest.mark.parametrize(
    ("level", "published"),
    # The same paper: α is .743 of nominal, .815 of ordinal and .849 of interval data.
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)],
)
def test_four_observers(level: str, published: float) -> None:
    assert round(krippendorff_alpha(FOUR_OBSERVERS, level=level), 3) == published  # type: ignore[arg-type]


def test_two_observers_of_binary_data() -> None:
    # The same paper, example A: ten articles, α = .095.
    meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    owen = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert round(krippendorff_alpha([meg, owen], level="nominal"), 3) == 0.095


def test_two_observers_of_nominal_data() -> None:
    # The same paper, example B: twelve units with the values a to e, α = .692.
    ben = ["abcde".index(c) for c in "aabbdcccedda"]
    gerry = ["abcde".index(c) for c in "babbbccceddd"]
    assert round(krippendorff_alpha([ben, gerry], level="nominal"), 3) == 0.692


ratings = st.integers(2, 4).flatmap(
    lambda judges: st.lists(
        st.lists(
            st.one_of(st.integers(-3, 3).map(float), st.just(N)), min_size=judges, max_size=judges
        ),
        min_size=1,
        max_size=8,
    )
)


@given(ratings, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_is_its_definition(columns: list[list[float]], level: str) -> None:
    table = [list(row) for row in zip(*columns, strict=True)]
    found, expected = krippendorff_alpha(table, level=level), alpha(table, level)  # type: ignore[arg-type]
    assert (math.isnan(found) and math.isnan(expected)) or found == pytest.approx(
        expected, abs=1e-9
    )


def test_perfect_agreement_is_1_and_sameness_is_nothing() -> None:
    assert krippendorff_alpha([[1, 2, 90], [1, 2, 90]]) == 1
    assert math.isnan(krippendorff_alpha([[5, 5, 5], [5, 5, 5]]))
    assert math.isnan(krippendorff_alpha([[1, 2, N], [N, N, 3]]))


def test_interval_alpha_knows_no_unit() -> None:
    table = np.array([[10.0, 60.0, 80.0, 30.0], [20.0, 55.0, 90.0, 10.0]])
    assert krippendorff_alpha(table * 7 - 3) == pytest.approx(krippendorff_alpha(table))


def test_kappa_of_a_published_table() -> None:
    # Cohen's own kind of table, as in Fleiss, Levin and Paik (2003): 20 and 15 alike of 50, 5 and 10 not.
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    # P(A) = .7, P(E) = .5 · .6 + .5 · .4 = .5
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_kappa_of_nothing_in_common() -> None:
    assert math.isnan(cohen_kappa([1, N], [N, 1]))
    assert math.isnan(cohen_kappa([1, 1], [1, 1]))


def test_a_level_that_there_is_not() -> None:
    with pytest.raises(OptionError, match="MP710"):
        krippendorff_alpha([[1, 2]], level="ratio")  # type: ignore[arg-type]


pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=9)


@given(pairs)
def test_the_signed_rank_test_tries_all_signs(scores: list[tuple[int, int]]) -> None:
    higher, lower = [a for a, _ in scores], [b for _, b in scores]
    assert signed_rank_test(higher, lower) == pytest.approx(signed_rank(higher, lower))


def test_five_pairs_are_enough_and_four_are_not() -> None:
    assert signed_rank_test([9] * 5, [1] * 5) == 2**-5
    assert signed_rank_test([9] * 4, [1] * 4) == 2**-4
    assert signed_rank_test([1] * 5, [9] * 5) == 1
    assert signed_rank_test([], []) == 1


def test_a_textbook_example_of_signed_ranks() -> None:
    # The nine pairs of depression scores in Hollander and Wolfe (1973), p. 29, as R's wilcox.test shows
    # them: V = 40, one-sided p = 0.01953.
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    assert round(signed_rank_test(before, after), 5) == 0.01953
