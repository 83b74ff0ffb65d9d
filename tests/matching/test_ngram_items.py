"""n-grams in common of each text with each other are what dictionaries of counts have in common."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.matching.ngram_items import NgramItems
from metaphrase.matching.symbol_rows import SymbolRows
from oracle import ngram_items as oracle

# Few symbols, so that texts have n-grams in common, and the same one several times.
texts = st.lists(st.text("abc", max_size=12), min_size=1, max_size=9)


def rows_of(count: int) -> st.SearchStrategy[list[int]]:
    """Some rows, in any order, and any of them several times."""
    return st.lists(st.integers(0, count - 1), max_size=2 * count)


def counted(lines: list[str], orders: int) -> NgramItems:
    return NgramItems(SymbolRows.of_characters(lines), orders=orders)


@settings(max_examples=200)
@given(data=st.data(), lines=texts, orders=st.integers(1, 7))
def test_matches_are_those_of_counters(data: st.DataObject, lines: list[str], orders: int) -> None:
    candidates, references = (data.draw(rows_of(len(lines))) for _ in range(2))
    found = counted(lines, orders).matches(candidates, references)
    assert found.shape == (len(candidates), len(references), orders)
    assert found.tolist() == [
        [oracle.matches(lines[c], lines[r], orders) for r in references] for c in candidates
    ]


@settings(max_examples=200)
@given(data=st.data(), lines=texts, orders=st.integers(1, 5))
def test_expected_matches_are_the_sum_over_references(
    data: st.DataObject, lines: list[str], orders: int
) -> None:
    candidates, references = (data.draw(rows_of(len(lines))) for _ in range(2))
    weights = [data.draw(st.sampled_from([0.0, 0.25, 1.0, 3.0, 1e-3])) for _ in references]
    found = counted(lines, orders).expected(candidates, references, weights)
    assert found.shape == (len(candidates), orders)
    others = [lines[r] for r in references]
    for row, candidate in zip(found, candidates, strict=True):
        wanted = oracle.expected(lines[candidate], others, weights, orders)
        assert row == pytest.approx(wanted, rel=1e-12)


@settings(max_examples=100)
@given(data=st.data(), lines=texts, orders=st.integers(1, 4))
def test_an_ngram_counts_for_its_value(data: st.DataObject, lines: list[str], orders: int) -> None:
    """What no reference has may be worth NaN, as what NIST knows nothing of."""
    candidates, references = (data.draw(rows_of(len(lines))) for _ in range(2))
    weights = [data.draw(st.sampled_from([0.5, 1.0, 2.0])) for _ in references]
    known = {
        gram for r in references for n in range(orders) for gram in oracle.counts(lines[r], n + 1)
    }
    worth = {gram: data.draw(st.sampled_from([0.0, 0.5, 3.0])) for gram in sorted(known)}
    joined = "".join(lines)
    values = np.array(
        [
            [worth.get(tuple(joined[i : i + n]), np.nan) for n in range(1, orders + 1)]
            for i in range(len(joined))
        ]
    ).reshape(len(joined), orders)
    found = counted(lines, orders).expected(candidates, references, weights, values=values)
    others = [lines[r] for r in references]
    for row, candidate in zip(found, candidates, strict=True):
        wanted = oracle.expected(lines[candidate], others, weights, orders, worth)
        assert row == pytest.approx(wanted, rel=1e-12)


def test_symbols_may_be_any_numbers() -> None:
    extremes = [-(2**31), 2**31 - 1, -1, -1, 0, -1, -1]
    items = NgramItems(SymbolRows([*extremes, *extremes[2:]], [0, 7, 12]), orders=3)
    assert items.matches([0, 1], [0, 1]).tolist() == [
        [oracle.matches(one, other, 3) for other in (extremes, extremes[2:])]
        for one in (extremes, extremes[2:])
    ]


@pytest.fixture(scope="module")
def sampled() -> list[str]:
    """Texts of one sentence: most share much, some share nothing, some are empty or very long."""
    random = np.random.default_rng(5)
    words = np.array("the a cat dog sat lay on under mat rug . ,".split())
    lines = [" ".join(words[random.integers(0, 12, random.integers(0, 14))]) for _ in range(150)]
    return [*lines, "", "x" * 300, "quite another text", "ab" * 150]


def test_many_texts_are_compared_as_few_are(sampled: list[str]) -> None:
    """N-grams that many have are bits, those that few have are lists; both count the same."""
    rows = np.arange(len(sampled))
    found = counted(sampled, 6).matches(rows, rows)
    assert (found == found.transpose(1, 0, 2)).all()
    for c, r in np.random.default_rng(1).integers(0, len(sampled), (300, 2)).tolist():
        assert found[c, r].tolist() == oracle.matches(sampled[c], sampled[r], 6)
    assert found[rows, rows, 0].tolist() == [len(line) for line in sampled]


def test_threads_and_company_do_not_matter(sampled: list[str]) -> None:
    rows = np.arange(len(sampled), dtype=np.int32)
    items = counted(sampled, 6)
    whole = items.matches(rows, rows)
    assert (items.matches(rows, rows, threads=3) == whole).all()
    some, others = rows[7:20], rows[100:]
    assert (items.matches(some, others) == whole[7:20, 100:]).all()
    alone = counted(sampled[7:20] + sampled[100:], 6)
    own = np.arange(13)
    assert (alone.matches(own, np.arange(13, 13 + len(others))) == whole[7:20, 100:]).all()


def test_matches_add_up_to_what_is_expected(sampled: list[str]) -> None:
    rows = np.arange(len(sampled))
    items = counted(sampled, 6)
    weights = np.random.default_rng(2).integers(0, 9, len(rows))
    sums = np.tensordot(items.matches(rows, rows), weights, axes=(1, 0))
    assert (items.expected(rows, rows, weights) == sums).all()


def test_no_texts_have_nothing_in_common() -> None:
    nothing = NgramItems(SymbolRows([], [0]), orders=3)
    assert nothing.matches([], []).shape == (0, 0, 3)
    assert nothing.expected([], [], []).shape == (0, 3)
    assert counted(["", ""], 3).matches([0, 1], [1]).tolist() == [[[0, 0, 0]]] * 2
    assert counted(["ab"], 2).expected([0], [], []).tolist() == [[0.0, 0.0]]


ITEMS = counted(["ab", "abc"], 2)


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda: counted(["a"], 0), "MP404"),
        (lambda: counted(["a"], True), "MP404"),
        (lambda: counted(["a"], 1001), "MP404"),
        (lambda: ITEMS.matches([0], [0], threads=0), "MP519"),
        (lambda: ITEMS.matches([2], [0]), "MP4"),
        (lambda: ITEMS.matches([0], [-1]), "MP4"),
        (lambda: ITEMS.matches([[0]], [0]), "MP401"),
        (lambda: ITEMS.matches([0.5], [0]), "MP401"),
        (lambda: ITEMS.matches([2**40], [0]), "MP403"),
        (lambda: ITEMS.expected([2], [0], [1.0]), "MP4"),
        (lambda: ITEMS.expected([0], [0, 1], [1.0]), "MP406"),
        (lambda: ITEMS.expected([0], [0], [-1.0]), "MP402"),
        (lambda: ITEMS.expected([0], [0], [np.nan]), "MP402"),
        (lambda: ITEMS.expected([0], [0], [1.0], values=np.ones((4, 2))), "MP406"),
        (lambda: ITEMS.expected([0], [0], [1.0], values=np.ones((5, 1))), "MP406"),
        (lambda: ITEMS.expected([0], [0], [1.0], values=np.ones(5)), "MP401"),
        (lambda: ITEMS.expected([0], [0], [1.0], values=[["a", "b"]] * 5), "MP401"),
        (lambda: NgramItems(SymbolRows([1, 2], [0, 5]), orders=2), "MP406"),
        (lambda: NgramItems(SymbolRows([1, 2], [0, 2, 1]), orders=2), "MP406"),
    ],
)
def test_mistakes_are_refused(mistake: Callable[[], object], code: str) -> None:
    with pytest.raises((InputError, OptionError), match=code):
        mistake()
