"""Common n-grams are what counting all of them with dictionaries finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.matching.ngram_overlap import ngram_overlaps
from metaphrase.matching.symbol_rows import SymbolRows


def counted(hypothesis: str, reference: str, orders: int) -> list[int]:
    row = []
    for n in range(1, orders + 1):
        sides = [
            Counter(text[i : i + n] for i in range(len(text) - n + 1))
            for text in (hypothesis, reference)
        ]
        hypothesis_count = sides[0].total() if sides[1] else 0
        row += [hypothesis_count, sides[1].total(), (sides[0] & sides[1]).total()]
    return row


texts = st.text(st.sampled_from("ab\ud800雨🙂\0"), max_size=12)


@settings(max_examples=200)
@given(pairs=st.lists(st.tuples(texts, texts), max_size=5), orders=st.integers(1, 8))
def test_counts_are_those_of_dictionaries(pairs: list[tuple[str, str]], orders: int) -> None:
    sides = [SymbolRows.of_characters([pair[side] for pair in pairs]) for side in (0, 1)]
    found = ngram_overlaps(*sides, orders=orders)
    assert found.shape == (len(pairs), 3 * orders)
    assert found.tolist() == [counted(*pair, orders) for pair in pairs]
    assert (ngram_overlaps(*sides, orders=orders, threads=3) == found).all()


def test_words_are_symbols_as_characters_are() -> None:
    numbers: dict[str, int] = {}
    sides = [
        SymbolRows.of_words([text.split()], numbers) for text in ("the cat the mat", "the mat the")
    ]
    # Hypothesis, reference, common: the, mat, the; then "the mat" but not "mat the".
    assert ngram_overlaps(*sides, orders=2).tolist() == [[4, 3, 3, 3, 2, 1]]


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda one: ngram_overlaps(one, one, orders=0), "MP404"),
        (lambda one: ngram_overlaps(one, one, orders=1001), "MP404"),
        (lambda one: ngram_overlaps(one, one, orders=True), "MP404"),
        (lambda one: ngram_overlaps(one, one, orders=1, threads=0), "MP519"),
        (lambda one: ngram_overlaps(one, SymbolRows.of_characters([]), orders=1), "MP406"),
        (lambda one: ngram_overlaps(one, SymbolRows([1], [0, 2]), orders=1), "MP406"),
    ],
)
def test_what_makes_no_sense_is_a_coded_error(
    mistake: Callable[[SymbolRows], object], code: str
) -> None:
    with pytest.raises((InputError, OptionError), match=code):
        mistake(SymbolRows.of_characters(["a"]))
