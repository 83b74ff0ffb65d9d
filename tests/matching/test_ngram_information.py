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


@given(rows=corpora, orders=st.integers(1, 4))
def test_a_part_tells_what_the_whole_does_by_its_counts(
    rows: list[tuple[list[str], list[list[str]]]], orders: int
) -> None:
    """Counts of the whole, looked up by the letters of n-grams, and given to each row alone."""
    hypotheses, references = [list(column) for column in zip(*rows, strict=True)]
    numbers = {letter: number for number, letter in enumerate("abcd")}

    def counted(some: list[list[list[str]]]) -> NgramInformation:
        columns = [SymbolRows.of_words(lines, numbers) for lines in zip(*some, strict=True)]
        return NgramInformation(columns, orders=orders)

    def spelled(information: NgramInformation) -> dict[tuple[int, ...], int]:
        contexts, last, counts = (column.tolist() for column in information.ngrams())
        names: list[tuple[int, ...]] = []
        for context, symbol in zip(contexts, last, strict=True):
            names.append((*(names[context] if context >= 0 else ()), symbol))
        return dict(zip(names, counts, strict=True))

    whole = counted(references)
    totals = spelled(whole)
    symbols = sum(len(text) for texts in references for text in texts)
    expected = whole.matched(SymbolRows.of_words(hypotheses, numbers))
    for row, (hypothesis, texts) in enumerate(rows):
        part = counted([texts])
        part.weigh([totals[name] for name in spelled(part)], symbols)
        found = part.matched(SymbolRows.of_words([hypothesis], numbers))
        assert found.tobytes() == expected[row].tobytes()


@pytest.mark.parametrize(("counts", "code"), [([1], "MP406"), ([1, 0], "MP402")])
def test_counts_that_make_no_sense(counts: list[int], code: str) -> None:
    information = NgramInformation([SymbolRows([1, 2], [0, 2])], orders=1)
    with pytest.raises(InputError) as raised:
        information.weigh(counts, 2)
    assert raised.value.code == code


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
        (lambda one: NgramInformation([one], orders=1).matched(one, threads=0), "MP519"),
        (lambda one: NgramInformation([one], orders=1).told([[1]]), "MP401"),
    ],
)
def test_what_makes_no_sense_is_a_coded_error(
    mistake: Callable[[SymbolRows], object], code: str
) -> None:
    with pytest.raises((InputError, OptionError), match=code):
        mistake(SymbolRows([1], [0, 1]))
