"""What is said to be wrong with a spoilt line is what is wrong with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("training.encoder", reason="a source distribution has no training")

from training.encoder.relatives import mistaken, paraphrases
from training.encoder.spoiling import Spoiler

WORDS = 50
#: Words up to 20 may be paraphrased by the same word and 20, which no line has.
PARAPHRASES = np.zeros((WORDS, 2), dtype=int)
PARAPHRASES[1:20, 0] = np.arange(1, 20) + 20
MISTAKEN = np.zeros((WORDS, 2), dtype=int)
MISTAKEN[1:20, 0] = 45


@given(
    st.lists(st.lists(st.integers(1, 19), min_size=1, max_size=30), min_size=1, max_size=6),
    st.integers(0, 1000),
)
def test_words_that_are_right_say_what_the_line_says(lines: list[list[int]], seed: int) -> None:
    flat = np.concatenate(lines)
    of_line = np.repeat(np.arange(len(lines)), [len(one) for one in lines])
    data = {"counts": np.ones(WORDS), "mistaken": MISTAKEN, "paraphrases": PARAPHRASES}
    spoilt = Spoiler(data, flat)(flat, of_line, np.random.default_rng(seed))
    assert (np.diff(spoilt.line) >= 0).all()
    for number, line in enumerate(lines):
        own = spoilt.line == number
        words, odd, origin = spoilt.words[own], spoilt.odd[own], spoilt.origin[own]
        kept = origin[origin >= 0]
        assert len(np.unique(kept)) == len(kept)
        for word, wrong, place in zip(words, odd, origin, strict=True):
            if place >= 0:
                assert word in (line[place], PARAPHRASES[line[place], 0])
            else:
                assert wrong
        # Words that stayed are in order; those that moved are said to be wrong.
        stayed = origin[~odd]
        assert (np.diff(stayed) > 0).all()
        if not spoilt.gap[own].any() and not odd.any():
            assert kept.tolist() == list(range(len(kept)))


def test_a_gap_is_where_a_word_is_missing() -> None:
    flat = np.tile(np.arange(1, 20), 200)
    of_line = np.repeat(np.arange(200), 19)
    data = {"counts": np.ones(WORDS), "mistaken": MISTAKEN, "paraphrases": PARAPHRASES}
    spoilt = Spoiler(data, flat)(flat, of_line, np.random.default_rng(3))
    for number in range(200):
        own = spoilt.line == number
        odd, origin, gap = spoilt.odd[own], spoilt.origin[own], spoilt.gap[own]
        for before, after in zip(range(len(odd)), range(1, len(odd)), strict=False):
            if not odd[before] and not odd[after] and gap[after]:
                assert origin[after] > origin[before] + 1
    assert spoilt.gap.any()


def test_paraphrases_are_content_words_of_like_vectors_and_case() -> None:
    forms = ["", "house", "home", "House", "Home", "the", "this", "bank"]
    vectors = np.array([[0, 0], [1, 0], [1, 0.1], [1, 0], [1, 0.1], [1, 0], [1, 0], [0, 1.0]])
    found = paraphrases(forms, [("house", "home"), ("the", "this"), ("house", "bank")], vectors)
    rows = [sorted(forms[k] for k in row if k) for row in found]
    assert rows == [[], ["home"], ["house"], ["Home"], ["House"], [], [], []]


def test_what_is_mistaken_is_near_or_has_another_ending_and_is_no_paraphrase() -> None:
    random = np.random.default_rng(0)
    forms = ["", "walked", "walks", *(f"word{chr(97 + k)}x" for k in range(20))]
    vectors = random.normal(size=(len(forms), 4))
    harmless = np.zeros((len(forms), 12), dtype=int)
    harmless[3, 0] = 4
    found = mistaken(forms, np.ones(len(forms), dtype=int), vectors, harmless)
    assert found[1, 0] == 2
    assert 4 not in found[3, 6:]
    assert all(number not in row for number, row in enumerate(found) if number)
