"""Vectors of spelling are those of the definition, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.matching.soft_matches import WeightedVectors
from metaphrase.matching.spelling_vectors import DIMENSIONS, spelling_vectors
from oracle.spelling_vectors import ngrams, place_and_sign, spelling_vector

#: Any code point, lone surrogates among them, which may look like a pair from one word to the next.
texts = st.text(st.characters(), max_size=20) | st.text("ab<>\0\ud83d\ude00", max_size=20)


@settings(max_examples=300, deadline=None)
@given(words=st.lists(texts, max_size=8))
def test_the_definition_agrees_to_the_last_bit(words: list[str]) -> None:
    found = spelling_vectors(words)
    assert found.dtype == np.float32
    assert found.shape == (len(words), DIMENSIONS)
    for row, word in zip(found, words, strict=True):
        assert row.tolist() == spelling_vector(word).tolist()
        assert (spelling_vectors([word])[0] == row).all()


@settings(max_examples=100, deadline=None)
@given(words=st.lists(texts, max_size=8))
def test_vectors_are_as_soft_matches_take_them(words: list[str]) -> None:
    found = spelling_vectors(words)
    lengths = np.linalg.norm(found, axis=1)
    assert all(length == pytest.approx(1, abs=1e-6) or length == 0 for length in lengths)
    WeightedVectors(found, np.ones(len(words)))


def test_no_change_of_the_hash_goes_unnoticed() -> None:
    # The places are the oracle's, of the first version: whatever was learned with these vectors must be
    # learned again when they change. "<>" is the only n-gram of the empty word, and those of "cat" are nine.
    empty, cat = spelling_vectors(["", "cat"])
    assert dict(enumerate(empty)) == {k: float(k == 37) for k in range(DIMENSIONS)}
    assert np.flatnonzero(cat > 0).tolist() == [36, 41, 49, 55, 74]
    assert np.flatnonzero(cat < 0).tolist() == [68, 71, 95, 124]
    assert set(np.abs(cat).tolist()) == {0, float(np.float32(1 / 3))}


def test_signs_that_cancel_each_other_out_leave_zeros() -> None:
    # Found by trying: the six n-grams of this word share three places, with both signs in each.
    assert not spelling_vectors(["J\u0127"]).any()
    assert not spelling_vector("J\u0127").any()


def test_words_that_are_spelt_alike_are_alike() -> None:
    words = ["colour", "color", "translation", "translations", "Größe", "雨"]
    alike = spelling_vectors(words) @ spelling_vectors(words).T
    assert alike[0, 1] > 0.5
    assert alike[2, 3] > 0.7
    others = alike[np.ix_([0, 2, 4, 5], [0, 2, 4, 5])] - np.eye(4)
    assert np.abs(others).max() < 0.35


def test_places_and_signs_are_evenly_used() -> None:
    # Pearson's χ² of 256 cells has 255 degrees of freedom: where the hash is as good as random, it is 255
    # with a standard deviation of √(2 · 255) = 22.6.
    letters = "abcdefghijklmnopqrstuvwxyz"
    found = [place_and_sign(a + b + c) for a in letters for b in letters for c in letters]
    counts = np.zeros((DIMENSIONS, 2))
    for place, sign in found:
        counts[place, (sign + 1) // 2] += 1
    mean = len(found) / counts.size
    assert ((counts - mean) ** 2 / mean).sum() < 255 + 5 * 22.6


def test_very_long_words() -> None:
    # Many times the same n-grams, which are counted by hand: those of the ends once, those of "a" only often.
    length = 1_000_000
    word = "a" * length
    expected = np.zeros(DIMENSIONS)
    ends = set(ngrams("aaaa")) - {"aa", "aaa", "aaaa"}
    for ngram, count in [
        *((end, 1) for end in ends),
        *(("a" * n, length - n + 1) for n in (2, 3, 4)),
    ]:
        place, sign = place_and_sign(ngram)
        expected[place] += sign * count
    expected /= np.linalg.norm(expected)
    assert spelling_vectors([word])[0] == pytest.approx(expected, rel=1e-6)


def test_no_words_have_no_vectors() -> None:
    assert spelling_vectors([]).shape == (0, DIMENSIONS)
