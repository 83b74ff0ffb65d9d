"""Sums of statistics are exact enough that order and grouping never show."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metaphrase.statistics.exact_sum import ExactSum

rows = arrays(np.float64, st.tuples(st.integers(1, 30), st.just(3)), elements=st.floats(-1e6, 1e6))


def total(*parts: np.ndarray) -> np.ndarray:
    exact = ExactSum()
    for part in parts:
        exact.add(part)
    return exact.value()


@given(rows, st.randoms())
def test_the_sum_does_not_depend_on_order_or_grouping(table: np.ndarray, random: object) -> None:
    order = list(range(len(table)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert np.array_equal(total(table), total(*(table[i : i + 1] for i in order)))


@given(rows)
def test_the_sum_is_that_of_fsum(table: np.ndarray) -> None:
    expected = [math.fsum(column) for column in table.T]
    # Each of up to 30 numbers is cut at 2**-60.
    assert total(table) == pytest.approx(expected, rel=1e-15, abs=30 * 2.0**-60)


def test_numbers_that_cannot_be_added_exactly_are_refused() -> None:
    for value in (np.nan, np.inf, 2.0**32):
        with pytest.raises(OverflowError):
            ExactSum().add(np.array([[value]]))
