"""The compact file says what WordNet's own files say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle.wordnet_database import Database, databases

WORDS = ["dog", "Dog", "domestic dog", "chap", "cat", "off", "away", "go", "huge", "galore"]
WORDS += ["lassie", "unicorn", "", "dög", "\ud800"]
PARTS = st.sampled_from(["n", "v", "a", "r", ""])

relaxed = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def assert_same(compact, raw):
    assert compact.synset_count == len(raw.kinds)
    assert compact.lemma_count == len({lemma for _, lemma in raw.index})
    for _, lemma in raw.index:
        for pos in (None, "n", "v", "a", "r"):
            assert compact.synsets(lemma, pos) == raw.synsets(lemma, pos)
            assert compact.contains(lemma, pos) == bool(raw.synsets(lemma, pos))
    for synset in range(compact.synset_count):
        assert compact.lemmas(synset) == raw.lemmas(synset)
        assert compact.part_of_speech(synset) == raw.part_of_speech(synset)
        assert compact.hypernyms(synset) == raw.hypernyms(synset)
        expected = raw.information_content(synset)
        assert compact.information_content(synset) == pytest.approx(expected, abs=1e-12)
    for form in {*(form for _, form in raw.irregular), "unlisted"}:
        for pos in "nvar":
            assert compact.exceptions(form, pos) == raw.exceptions(form, pos)


def assert_same_graph(compact, raw, words, parts):
    offsets, neighbours = compact.synonym_graph(words, parts=parts)
    assert (offsets.dtype, neighbours.dtype) == (np.int64, np.int32)
    assert (offsets.tolist(), neighbours.tolist()) == raw.synonym_graph(words, parts)


def test_a_hand_written_database_is_read_alike(small):
    assert_same(*small)


@relaxed
@given(database=databases())
def test_any_database_is_read_alike(make, database):
    compact, raw = make(database)
    assert_same(compact, raw)
    lemmas = sorted({lemma for _, lemma in raw.index})
    assert_same_graph(compact, raw, lemmas, None)
    for a in range(compact.synset_count):
        for b in range(compact.synset_count):
            assert compact.lin(a, b) == pytest.approx(raw.lin(a, b), abs=1e-9)


@given(data=st.data(), words=st.lists(st.sampled_from(WORDS), max_size=12))
def test_synonym_graph_relates_words_whose_synsets_intersect(small, data, words):
    one_each = st.lists(PARTS, min_size=len(words), max_size=len(words))
    parts = data.draw(st.none() | one_each)
    assert_same_graph(*small, words, parts)


@given(a=st.sampled_from(WORDS), b=st.sampled_from(WORDS))
def test_two_words_are_synonyms_exactly_if_the_graph_relates_them(small, a, b):
    compact, _ = small
    _, neighbours = compact.synonym_graph([a, b])
    assert compact.are_synonyms(a, b) == (len(neighbours) > 0)


def test_an_empty_database_knows_no_word(make):
    compact, _ = make(Database(()))
    assert (compact.lemma_count, compact.synset_count) == (0, 0)
    assert compact.synsets("dog") == compact.morphy("dogs", "n") == ()
    assert compact.synonym_graph(["dog", "dog"])[0].tolist() == [0, 0, 0]


def test_senses_keep_the_order_of_the_index(small):
    compact, _ = small
    boxful, box = compact.synsets("box", "n")
    assert compact.lemmas(boxful) == ("box", "boxful")
    assert compact.lemmas(box) == ("box",)


def test_satellite_adjectives_are_marked_and_lose_their_syntactic_marker(small):
    compact, _ = small
    (huge,) = compact.synsets("huge", "a")
    assert compact.part_of_speech(huge) == "s"
    assert compact.lemmas(huge) == ("galore", "huge", "massive")
