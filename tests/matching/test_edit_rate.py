"""TER's edits are those of sacreBLEU, whose search in plain Python is the oracle."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import (
    _MAX_SHIFT_CANDIDATES,
    BeamEditDistance,
    _shift,
    translation_edit_rate,
)

from metaphrase.errors import InputError, OptionError
from metaphrase.matching.edit_rate import (
    KINDS,
    EditSequence,
    Shift,
    count_edits,
    find_edits,
)
from metaphrase.matching.symbol_rows import SymbolRows

Words = list[str]


def rows(*texts: Words) -> SymbolRows:
    """Words are letters here, so that the numbers are the same on both sides."""
    return SymbolRows.of_words(texts, {})


def edits_of(hypothesis: Words, reference: Words) -> EditSequence:
    numbers: dict[str, int] = {}
    sides = [SymbolRows.of_words([words], numbers) for words in (hypothesis, reference)]
    (found,) = find_edits(*sides)
    by_kind = dict(zip(KINDS, count_edits(*sides)[0].tolist(), strict=True))
    assert by_kind.pop("shift") == len(found.shifts)
    assert by_kind == {kind: found.operations.count(kind) for kind in by_kind}
    return found


def sacrebleu_edits(hypothesis: Words, reference: Words) -> tuple[list[Words], str]:
    """The hypothesis after each shift, and the trace of what comes then."""
    distance = BeamEditDistance(reference)
    shifted = [hypothesis]
    tried = 0
    while True:
        gain, words, tried = _shift(shifted[-1], reference, distance, tried)
        if gain <= 0 or tried >= _MAX_SHIFT_CANDIDATES:
            return shifted[1:], distance(shifted[-1])[1]
        shifted.append(words)


def check(hypothesis: Words, reference: Words) -> None:
    """Every shift, and every operation, is sacreBLEU's."""
    found = edits_of(hypothesis, reference)
    assert found.edits == translation_edit_rate(hypothesis, reference)[0]
    if not reference:
        assert found == EditSequence((), ("delete",) * len(hypothesis))
        return
    shifted, trace = sacrebleu_edits(hypothesis, reference)
    order = list(range(len(hypothesis)))
    for shift, words in zip(found.shifts, shifted, strict=True):
        order = shift.move(order)
        assert [hypothesis[i] for i in order] == words
    letters = {"match": " ", "substitute": "s", "insert": "i", "delete": "d"}
    assert "".join(letters[operation] for operation in found.operations) == trace


def sentences(longest: int) -> st.SearchStrategy[Words]:
    alphabets = st.sampled_from(["a", "ab", "abcd", "abcdefghijklmnop"])
    return alphabets.flatmap(lambda letters: st.lists(st.sampled_from(letters), max_size=longest))


@st.composite
def edited(draw: st.DrawFn) -> tuple[Words, Words]:
    """A sentence, and the same with stretches moved and words changed."""
    reference = draw(st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), max_size=60))
    hypothesis = list(reference)
    for _ in range(draw(st.integers(0, 4))):
        places = st.integers(0, len(hypothesis))
        start, end = sorted((draw(places), draw(places)))
        moved = hypothesis[start:end]
        del hypothesis[start:end]
        place = draw(st.integers(0, len(hypothesis)))
        hypothesis[place:place] = moved
    for _ in range(draw(st.integers(0, 5)) if hypothesis else 0):
        hypothesis[draw(st.integers(0, len(hypothesis) - 1))] = draw(st.sampled_from("aeiou?"))
    return hypothesis, reference


@settings(max_examples=60)
@given(hypothesis=sentences(25), reference=sentences(25))
def test_edits_of_any_words_are_sacrebleus(hypothesis: Words, reference: Words) -> None:
    check(hypothesis, reference)


@settings(max_examples=25)
@given(edited())
def test_edits_of_shifted_words_are_sacrebleus(pair: tuple[Words, Words]) -> None:
    check(*pair)


def numbered(draw: Random, words: int, different: int) -> Words:
    return [str(draw.randrange(different)) for _ in range(words)]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "different"),
    [
        (0, 5, 1),
        (5, 0, 1),
        (60, 60, 12),
        # Beyond the beam: the cheapest way lies outside of it.
        (110, 40, 60),
        (40, 110, 60),
        # The beam is wider where one side is more than 50 times as long.
        (2, 130, 3),
        (1, 90, 2),
        (3, 160, 2),
        (130, 2, 3),
        # So many candidates that the search gives up.
        (45, 45, 2),
        # Hardly any.
        (200, 190, 2000),
    ],
)
def test_edits_of_long_texts_are_sacrebleus(
    hypothesis: int, reference: int, different: int
) -> None:
    draw = Random(hypothesis + reference)
    check(numbered(draw, hypothesis, different), numbered(draw, reference, different))


def test_words_that_were_moved_farther_than_the_limit_stay() -> None:
    """A shift looks at most 50 places away."""
    words = [str(i) for i in range(120)]
    for distance, shifts in ((50, 1), (51, 0)):
        moved = words[1 : distance + 1] + words[:1] + words[distance + 1 :]
        check(moved, words)
        assert len(edits_of(moved, words).shifts) == shifts


def test_a_moved_phrase_is_one_edit() -> None:
    found = edits_of("on tuesday he came".split(), "he came on tuesday".split())
    # Two places to the right: a target within the words says how far.
    assert found == EditSequence((Shift(0, 2, 2),), ("match",) * 4)
    assert found.edits == 1


@pytest.mark.parametrize(
    ("shift", "moved"),
    [
        (Shift(2, 2, 0), "cdabef"),
        (Shift(1, 2, 5), "adebcf"),
        (Shift(1, 2, 6), "adefbc"),
        # Within the moved words, or just behind them: so far to the right.
        (Shift(1, 2, 1), "abcdef"),
        (Shift(1, 2, 2), "adbcef"),
        (Shift(1, 2, 3), "adebcf"),
        (Shift(4, 2, 6), "abcdef"),
    ],
)
def test_where_shifted_words_go(shift: Shift, moved: str) -> None:
    order = shift.move(range(6))
    assert "".join("abcdef"[i] for i in order) == moved


def test_threads_and_company_do_not_matter() -> None:
    draw = Random(5)
    numbers: dict[str, int] = {}
    sides = [
        SymbolRows.of_words([numbered(draw, draw.randrange(30), 9) for _ in range(70)], numbers)
        for _ in range(2)
    ]
    expected = count_edits(*sides)
    assert (count_edits(*sides, threads=3) == expected).all()
    for i in (0, 33, 69):
        alone = [
            SymbolRows(side.symbols[side.offsets[i] : side.offsets[i + 1]], [0, side.lengths[i]])  # type: ignore[arg-type]
            for side in sides
        ]
        assert (count_edits(*alone)[0] == expected[i]).all()


def test_no_pairs_have_no_edits() -> None:
    assert count_edits(rows(), rows()).shape == (0, 4)
    assert list(find_edits(rows(), rows())) == []


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda: count_edits(rows(["a"]), rows(["a"], ["b"])), "MP406"),
        (lambda: count_edits(SymbolRows([1, 2], [0, 1]), SymbolRows([1], [0, 1])), "MP406"),
        (lambda: count_edits(SymbolRows([1, 2], [0, 3, 2]), rows(["a"], ["b"])), "MP406"),
        (lambda: count_edits(SymbolRows([], []), SymbolRows([], [])), "MP406"),
        (lambda: SymbolRows([0.5], [0, 1]), "MP401"),
        (lambda: SymbolRows([2**40], [0, 1]), "MP403"),
        (lambda: SymbolRows(np.zeros((2, 2), np.int32), [0, 1]), "MP401"),
        (lambda: count_edits(rows(["a"]), rows(["a"]), threads=0), "MP519"),
    ],
)
def test_arrays_that_make_no_sense_are_coded_errors(
    mistake: Callable[[], object], code: str
) -> None:
    with pytest.raises((InputError, OptionError), match=code):
        mistake()
