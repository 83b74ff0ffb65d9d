"""The file of vectors: what is written is found again, and damage is never taken for numbers."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metaphrase.errors import ResourceError
from metaphrase.lexicon import WordVectors
from metaphrase.lexicon.vector_table import VectorTable, quantised, write_table

WORDS = [f"word{number}" for number in range(600)]  # more than two blocks
ROWS = np.random.default_rng(1).normal(size=(600, 3)).astype(np.float32)


def content(words: list[str] = WORDS, rows: np.ndarray = ROWS) -> bytes:
    stream = BytesIO()
    write_table(words, rows, stream)
    return stream.getvalue()


@pytest.fixture
def written(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(damaged: bytes) -> Path:
        path = tmp_path / "table.bin"
        path.write_bytes(damaged)
        return path

    return write


@given(
    st.lists(st.text(st.characters(), max_size=8), min_size=1, max_size=20),
    st.text(max_size=8),
    st.data(),
)
def test_every_word_has_the_first_row_that_it_was_written_with(
    words: list[str], other: str, data: st.DataObject
) -> None:
    cells = st.floats(-1e3, 1e3, width=32)
    rows = data.draw(arrays(np.float32, (len(words), 2), elements=cells))
    table = VectorTable(content(words, rows))
    firsts = list(dict.fromkeys(words))
    assert table.find(words).tolist() == [firsts.index(word) for word in words]
    assert table.find([other]).tolist() == [firsts.index(other) if other in firsts else -1]
    expected = rows[[words.index(word) for word in words]]
    np.testing.assert_array_equal(table.rows(table.find(words)), expected)


def test_integers_are_read_as_directions() -> None:
    table = VectorTable(content(["a", "b", "c"], quantised(np.array([[3.0, 4], [0, -9], [0, 0]]))))
    found = table.rows(np.arange(3))
    assert found.dtype == np.float32
    assert np.abs(found - [[0.6, 0.8], [0, -1], [0, 0]]).max() < 0.003


def test_cosines_of_integers_are_those_of_the_vectors() -> None:
    rows = np.random.default_rng(2).normal(size=(200, 100))
    stored = VectorTable(content(WORDS[:200], quantised(rows))).rows(np.arange(200))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert np.abs(rows @ rows.T - stored @ stored.T).max() < 0.006


def test_damage_of_any_byte_is_found(written: Callable[[bytes], Path]) -> None:
    sound = content(WORDS[:4], ROWS[:4])
    for at, byte in enumerate(sound):
        path = written(sound[:at] + bytes([byte ^ 0x41]) + sound[at + 1 :])
        with pytest.raises(ResourceError, match=r"MP366.*table\.bin"):
            WordVectors.open(path).vectors(WORDS[:4])


def test_a_file_that_was_cut_off_or_is_too_long_is_damaged(
    written: Callable[[bytes], Path],
) -> None:
    sound = content(WORDS[:4], ROWS[:4])
    for size in range(len(sound)):
        with pytest.raises(ResourceError, match="MP366"):
            WordVectors.open(written(sound[:size]))
    with pytest.raises(ResourceError, match="MP366"):
        WordVectors.open(written(sound + b"\0"))


def test_rows_are_checked_when_they_are_read(written: Callable[[bytes], Path]) -> None:
    path = written(content()[:-1] + b"\7")
    vectors = WordVectors.open(path)
    np.testing.assert_array_equal(vectors.vectors(WORDS[:512]), ROWS[:512])
    for _ in range(2):
        with pytest.raises(ResourceError, match="MP366"):
            vectors.vectors(["word512"])
    with pytest.raises(ResourceError, match="MP366"):
        VectorTable.open(path, whole=True)


def test_other_rows_or_words_are_another_fingerprint() -> None:
    digests = {
        VectorTable(content(words, rows)).digest
        for words in (WORDS, WORDS[::-1])
        for rows in (ROWS, ROWS + 1)
    }
    assert len(digests) == 4


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.bin", tmp_path):
        with pytest.raises(ResourceError, match="MP366"):
            WordVectors.open(path)


def test_vectors_stay_when_their_file_goes(written: Callable[[bytes], Path]) -> None:
    path = written(content())
    vectors = WordVectors.open(path)
    copy = pickle.loads(pickle.dumps(vectors))
    path.unlink()
    np.testing.assert_array_equal(vectors.vectors(WORDS), ROWS)
    np.testing.assert_array_equal(copy.vectors(WORDS), ROWS)
