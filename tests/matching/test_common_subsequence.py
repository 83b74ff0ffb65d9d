"""The longest common subsequence is as long as that of the textbook's table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.matching.common_subsequence import common_subsequences
from metaphrase.matching.symbol_rows import SymbolRows
from oracle.common_subsequence import common_subsequence

Row = list[int]


def rows(lines: list[Row]) -> SymbolRows:
    symbols = [symbol for line in lines for symbol in line]
    return SymbolRows(np.array(symbols, dtype=np.int32), np.cumsum([0, *map(len, lines)]))


@st.composite
def pairs(draw: st.DrawFn) -> list[tuple[Row, Row]]:
    # Few different symbols make many ties; those that are far apart share their low bits.
    few = st.integers(0, 3) | st.integers(0, 3).map(lambda k: k << 29)
    symbols = draw(st.sampled_from([few, st.integers(0, 40), st.integers(-(2**31), 2**31 - 1)]))
    row = st.lists(symbols, max_size=draw(st.sampled_from([5, 70, 200])))
    return draw(st.lists(st.tuples(row, row), max_size=4))


@settings(max_examples=300, deadline=None)
@given(pairs=pairs())
def test_the_table_agrees(pairs: list[tuple[Row, Row]]) -> None:
    left, right = (rows([pair[side] for pair in pairs]) for side in (0, 1))
    found = common_subsequences(left, right)
    assert found.dtype == np.int64
    assert found.tolist() == [common_subsequence(*pair) for pair in pairs]
    assert (common_subsequences(right, left) == found).all()
    assert (common_subsequences(left, left) == left.lengths).all()


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 640])
def test_nothing_is_lost_between_words_of_64_bits(length: int) -> None:
    random = np.random.default_rng(length)
    one, other = (random.integers(0, 4, length).tolist() for _ in range(2))
    sides = rows([one, one, one]), rows([other, one[1:], [9, *one]])
    expected = [common_subsequence(one, other), length - 1, length]
    assert common_subsequences(*sides).tolist() == expected


def test_long_rows() -> None:
    # Every symbol a different one, and half of them moved to the front: the longer half stays in order.
    one = list(range(10_000))
    moved = one[6_000:] + one[:6_000]
    # Of what is repeated, the shorter side takes part in full.
    repeated, shorter = [1, 2] * 5_000, [2, 2, 1] * 1_000
    found = common_subsequences(rows([one, repeated]), rows([moved, shorter]))
    assert found.tolist() == [6_000, 3_000]


def test_threads_change_nothing() -> None:
    random = np.random.default_rng(3)
    sides = [rows([random.integers(0, 9, 30).tolist() for _ in range(300)]) for _ in range(2)]
    assert (common_subsequences(*sides, threads=3) == common_subsequences(*sides)).all()


def test_an_example_by_hand() -> None:
    sides = [SymbolRows.of_characters([text]) for text in ("the cat sat", "that cat, as it sat")]
    # "th" + " cat" + " sat"
    assert common_subsequences(*sides).tolist() == [10]


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda one: common_subsequences(one, one, threads=0), "MP519"),
        (lambda one: common_subsequences(one, SymbolRows.of_characters([])), "MP406"),
        (lambda one: common_subsequences(one, SymbolRows([1], [0, 2])), "MP406"),
    ],
)
def test_what_makes_no_sense_is_a_coded_error(
    mistake: Callable[[SymbolRows], object], code: str
) -> None:
    with pytest.raises((InputError, OptionError), match=code):
        mistake(SymbolRows.of_characters(["a"]))
