"""exp, log and powers: the nearest double, whatever the C library thinks."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase._core import elementary as core
from metaphrase.statistics.elementary import exp, log, power

#: decimal's functions are correctly rounded; 50 digits leave no doubt about 17.
EXACT = Context(prec=50)
positive = st.floats(min_value=1e-300, max_value=1e300)


@given(st.floats(min_value=-700, max_value=700))
def test_exp_is_the_nearest_double(x: float) -> None:
    assert float(exp(x)) == float(Decimal(x).exp(EXACT))


@given(positive | st.integers(1, 10**9).map(float) | st.floats(0.99, 1.01))
def test_log_is_the_nearest_double(x: float) -> None:
    assert float(log(x)) == float(Decimal(x).ln(EXACT))


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_log2_is_the_nearest_double(a: int, b: int) -> None:
    (found,) = core.log2(np.array([a / b])).tolist()
    assert found == float(EXACT.divide(Decimal(a / b).ln(EXACT), Decimal(2).ln(EXACT)))


@given(st.floats(min_value=1e-9, max_value=1e3), st.floats(min_value=0, max_value=20))
def test_powers_are_the_nearest_double(x: float, y: float) -> None:
    exact = EXACT.multiply(Decimal(y), Decimal(x).ln(EXACT)).exp(EXACT)
    assert float(power(x, y)) == float(exact)


@pytest.mark.parametrize("k", range(-1074, 1024, 37))
def test_powers_of_two_are_exact(k: int) -> None:
    assert core.log2(np.array([math.ldexp(1.0, k)])).tolist() == [k]


def test_what_has_a_square_root_gets_it() -> None:
    roots = np.arange(1.0, 2000.0) / 64
    assert power(roots * roots, 0.5).tolist() == roots.tolist()
    assert power(roots, 1.0).tolist() == roots.tolist()
    assert power(roots, 2.0).tolist() == (roots * roots).tolist()


def test_edges_are_those_of_the_standard() -> None:
    inf = math.inf
    assert exp([0.0, -inf, inf, -800.0, 800.0]).tolist() == [1.0, 0.0, inf, 0.0, inf]
    assert log([1.0, 0.0, inf]).tolist() == [0.0, -inf, inf]
    assert power([0.0, 0.0, 1.0, 7.0, inf], 0.0).tolist() == [1.0] * 5
    assert power([0.0, 1.0, inf], 1.5).tolist() == [0.0, 1.0, inf]
    assert power([1e-200, 1e200], 3.0).tolist() == [0.0, inf]
    assert np.isnan([*exp([math.nan]), *log([math.nan, -1.0]), *power([math.nan], 2.0)]).all()


def test_shapes_are_kept() -> None:
    assert exp(np.zeros((2, 3))).shape == (2, 3)
    assert log(np.ones((4, 2))[::2]).shape == (2, 2)
    assert power(2.0, 3.0).shape == ()
    assert exp([]).shape == (0,)


def test_bits_are_those_of_all_machines() -> None:
    """Simple arguments, most of which no library gets wrong, and some of which one does."""
    numbers = np.arange(1, 20001) / 7
    found = [exp(-numbers / 10), log(numbers), core.log2(numbers), power(numbers, 0.6)]
    digest = sha256(np.concatenate(found).astype("<f8").tobytes()).hexdigest()
    assert digest[:16] == "15ac95c39c2c2c7d"
