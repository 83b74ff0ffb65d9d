"""Sentences and their packed form."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.analysis.sentence import BASE_COLUMNS, COLUMNS, NUMBER_COLUMNS, Batch, Sentence
from metaphrase.errors import InputError

OPTIONAL = sorted(set(COLUMNS) - set(BASE_COLUMNS))


@st.composite
def batches(draw):
    """Sentences that have the same columns, with any strings and any numbers in them."""
    names = [*BASE_COLUMNS, *draw(st.lists(st.sampled_from(OPTIONAL), unique=True))]
    rows = []
    for length in draw(st.lists(st.integers(0, 5), max_size=5)):
        cells = {}
        for name in names:
            cell = st.integers(0, 2**31 - 1) if name in NUMBER_COLUMNS else st.text(max_size=4)
            cells[name] = tuple(draw(st.lists(cell, min_size=length, max_size=length)))
        rows.append(Sentence(draw(st.text(max_size=9)), **cells))
    return rows


@given(batches())
def test_unpacking_gives_what_was_packed(rows):
    batch = Batch.pack(rows)
    assert list(batch) == rows
    assert batch[:] == rows
    assert [batch[i] for i in range(-len(rows), 0)] == rows


@given(batches())
def test_a_string_is_in_the_table_once(rows):
    strings = Batch.pack(rows).strings
    assert len(set(strings)) == len(strings)


@given(batches())
def test_offsets_delimit_the_tokens_of_each_sentence(rows):
    batch = Batch.pack(rows)
    assert np.diff(batch.offsets).tolist() == [len(row) for row in rows]
    assert all(len(column) == batch.offsets[-1] for column in batch.columns.values())
    assert {column.dtype for column in batch.columns.values()} == {np.dtype(np.int32)}


def test_an_empty_batch_has_the_columns_asked_for():
    batch = Batch.pack([], ["lemma"])
    assert len(batch) == 0
    assert list(batch) == []
    assert batch.offsets.tolist() == [0]
    assert set(batch.columns) == {"form", "start", "end", "lemma"}
    assert list(batch.strings) == []


def test_sentences_without_tokens_keep_their_place():
    word = Sentence("a", ("a",), (0,), (1,))
    empty = Sentence("", (), (), ())
    assert list(Batch.pack([empty, word, empty])) == [empty, word, empty]


def test_only_the_columns_asked_for_are_packed():
    row = Sentence("a", ("a",), (0,), (1,), lemma=("a",), tag=("DT",))
    assert Batch.pack([row], ["tag"])[0] == Sentence("a", ("a",), (0,), (1,), tag=("DT",))


def test_a_sentence_that_lacks_a_column_is_named():
    rows = [
        Sentence("a", ("a",), (0,), (1,), tag=("DT",)),
        Sentence("second", ("second",), (0,), (6,)),
    ]
    with pytest.raises(InputError, match=r"MP250.*sentence 2 \('second'\) has no column 'tag'"):
        Batch.pack(rows)


def test_an_unknown_column_is_an_error():
    with pytest.raises(KeyError, match="lemmma"):
        Batch.pack([], ["lemmma"])
    with pytest.raises(KeyError, match="there are end, form, start"):
        Sentence("a", ("a",), (0,), (1,)).column("lemma")


def test_columns_of_unequal_length_are_an_error():
    with pytest.raises(ValueError, match="'lemma' has 2 cells for 1 tokens"):
        Sentence("a", ("a",), (0,), (1,), lemma=("a", "b"))


def test_an_index_outside_the_batch_is_an_error():
    with pytest.raises(IndexError):
        Batch.pack([])[0]


def test_a_batch_survives_pickling():
    rows = [Sentence("a b", ("a", "b"), (0, 2), (1, 3), head=(0, 1))]
    assert list(pickle.loads(pickle.dumps(Batch.pack(rows)))) == rows
