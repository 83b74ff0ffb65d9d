"""The bootstrap whose resamples can be added up anywhere."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.statistics.poisson_bootstrap import ExchangedSums, PoissonSums
from metaphrase.statistics.resampling import confidence_interval, interval
from oracle.poisson_bootstrap import resampled_sums

GENERATOR = np.random.default_rng(7)
ROWS = np.hstack([GENERATOR.integers(0, 50, (2500, 2)), GENERATOR.random((2500, 1))])


def summed(rows: np.ndarray, resamples: int, seed: int = 1, first: int = 0) -> PoissonSums:
    sums = PoissonSums(resamples, seed)
    sums.add(rows, first)
    return sums


def test_each_row_is_drawn_as_the_slow_way_draws_it() -> None:
    rows = ROWS[:1030]  # a block and a bit
    expected = resampled_sums(rows.tolist(), 3, seed=5)
    assert summed(rows, 3, seed=5).value().tolist() == expected


@given(st.lists(st.integers(0, len(ROWS)), max_size=5), st.randoms(use_true_random=False))
def test_any_cut_in_any_order_gives_the_same_sums(cuts: list[int], chance: Random) -> None:
    ends = sorted({0, *cuts, len(ROWS)})
    ranges = list(pairwise(ends))
    chance.shuffle(ranges)
    parts, *others = (summed(ROWS[begin:end], 7, first=begin) for begin, end in ranges)
    for other in others:
        parts.merge(other)
    whole = summed(ROWS, 7)
    assert (parts.value() == whole.value()).all()
    assert (parts.rows == whole.rows).all()


def test_more_resamples_begin_with_the_fewer_ones() -> None:
    rows = ROWS[:100]
    assert (summed(rows, 1500).value()[:30] == summed(rows, 30).value()).all()


def test_rows_are_drawn_once_on_average_and_seeds_differ() -> None:
    one, two = summed(ROWS, 500, seed=1), summed(ROWS, 500, seed=2)
    assert abs(one.rows.mean() / len(ROWS) - 1) < 0.01
    assert abs(one.rows.var() / len(ROWS) - 1) < 0.2  # Poisson: the variance is the mean
    assert (one.rows != two.rows).any()


def test_intervals_are_those_of_the_ordinary_bootstrap_but_for_chance() -> None:
    def ratio(sums: np.ndarray) -> np.ndarray:
        return sums[..., 0] / sums[..., 1]

    ordinary = confidence_interval(ROWS, ratio, resamples=2000, seed=1)
    found = interval(ratio(summed(ROWS, 2000).value()))
    assert abs(found.mean - ordinary.mean) < 0.1 * ordinary.half_width
    assert abs(found.low - ordinary.low) < 0.2 * ordinary.half_width
    assert abs(found.high - ordinary.high) < 0.2 * ordinary.half_width


def test_a_resample_without_a_row_is_left_out() -> None:
    found = summed(np.ones((1, 1)), 200)
    assert len(found.value()) == np.count_nonzero(found.rows) < 200


def test_exchanges_are_of_half_of_the_rows_and_nothing_to_do_with_the_draws() -> None:
    ones = np.ones((len(ROWS), 1))
    exchanged, drawn = ExchangedSums(500, 1), PoissonSums(500, 1)
    exchanged.add(ones, 0)
    drawn.add(ones, 0)
    assert abs(exchanged.rows.mean() / len(ROWS) - 0.5) < 0.005
    assert abs(exchanged.rows.var() / len(ROWS) - 0.25) < 0.05  # Bernoulli: p (1 - p)
    assert abs(np.corrcoef(exchanged.rows, drawn.rows)[0, 1]) < 0.15


@given(st.lists(st.integers(0, len(ROWS)), max_size=3))
def test_exchanges_are_the_same_for_any_cut(cuts: list[int]) -> None:
    whole, parts = ExchangedSums(5, 2), ExchangedSums(5, 2)
    whole.add(ROWS, 0)
    for begin, end in pairwise(sorted({0, *cuts, len(ROWS)})):
        parts.add(ROWS[begin:end], begin)
    assert (parts.sums.value() == whole.sums.value()).all()
