"""What n-grams tell is what counting all of them with dictionaries finds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.matching.ngram_information import NgramInformation
from metaphrase.matching.symbol_rows import SymbolRows
from oracle.nist_counters import count_references, nist_statistics

words = st.lists(st.sampled_from("abcd"), max_size=9)
corpora = st.integers(1, 3).flatmap(
    lambda references: st.lists(
        st.tuples(words, st.lists(words, min_size=references, max_size=references)),
        min_size=1,
        max_size=5,
    )
)


@settings(max_examples=200)
@given(rows=corpora, orders=st.integers(1, 6))
def test_matches_and_information_are_those_of_dictionaries(
    rows: list[tuple[list[str], list[list[str]]]], orders: int
) -> None:
    hypotheses, references = [list(column) for column in zip(*rows, strict=True)]
    counted = count_references(references, orders)
    expected = np.array(nist_statistics(hypotheses, counted, orders))
    numbers: dict[str, int] = {}
    columns = [SymbolRows.of_words(lines, numbers) for lines in zip(*references, strict=True)]
    sides = SymbolRows.of_words(hypotheses, numbers)
    information = NgramInformation(columns, orders=orders)
    found = information.matched(sides)
    assert found == pytest.approx(expected[:, 2 : 2 + orders], abs=1e-9)
    assert (information.matched(sides, threads=3) == found).all()
    for line in hypotheses:
        bits = information.told(SymbolRows.of_words([line], numbers).symbols)
        assert bits.shape == (len(line), orders)
        for start, row in enumerate(bits.tolist()):
            for n, value in enumerate(row, 1):
                told = counted.information.get(tuple(line[start : start + n]))
                if told is None or start + n > len(line):
                    assert np.isnan(value)
                else:
                    assert value == pytest.approx(told, abs=1e-12)


def test_no_segments_have_no_rows() -> None:
    empty = SymbolRows([], [0])
    assert NgramInformation([empty], orders=2).matched(empty).shape == (0, 2)


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda one: NgramInformation([one], orders=0), "MP404"),
        (lambda one: NgramInformation([one], orders=1001), "MP404"),
        (lambda one: NgramInformation([], orders=1), "MP406"),
        (lambda one: NgramInformation([one, SymbolRows([], [0])], orders=1), "MP406"),
        (lambda one: NgramInformation([SymbolRows([1], [0, 2])], orders=1), "MP406"),
        (lambda one: NgramInformation([SymbolRows([], [])], orders=1), "MP406"),
        (lambda one: NgramInformation([one], orders=1).matched(SymbolRows([], [0])), "MP406"),
        (lambda one: NgramInformation([one], orders=1).matched(one, threads=0), "MP404"),
        (lambda one: NgramInformation([one], orders=1).told([[1]]), "MP401"),
    ],
)
def test_what_makes_no_sense_is_a_coded_error(
    mistake: Callable[[SymbolRows], object], code: str
) -> None:
    with pytest.raises((InputError, OptionError), match=code):
        mistake(SymbolRows([1], [0, 1]))
