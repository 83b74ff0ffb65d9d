"""Vectors of words come as a matrix, whatever file they were in."""

from __future__ import annotations

import gzip
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.lexicon import VectorSource, WordVectors, load_vectors

TEXT = "dog 1 0\ncat 0.5 -2e-1\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def loaded(path: Path, content: bytes | str) -> VectorSource:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load_vectors(f"file:{path}")


def binary(*vectors: tuple[str, list[float]], end: bytes = b"\n") -> bytes:
    rows = [
        word.encode() + b" " + struct.pack(f"<{len(cells)}f", *cells) + end
        for word, cells in vectors
    ]
    return f"{len(vectors)} {len(vectors[0][1])}\n".encode() + b"".join(rows)


def matrix(source: VectorSource, *words: str) -> list[list[float]]:
    return source.vectors(words).tolist()


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        f"2 2\n{TEXT}",
        gzip.compress(TEXT.encode()),
        TEXT.replace("\n", " \r\n"),
        binary(("dog", [1, 0]), ("cat", [0.5, -0.2])),
        binary(("dog", [1, 0]), ("cat", [0.5, -0.2]), end=b""),
    ],
    ids=["text", "header", "gzip", "windows", "binary", "binary without line ends"],
)
def test_all_forms_of_word2vec_are_read(tmp_path: Path, content: bytes | str) -> None:
    source = loaded(tmp_path / "vectors", content)
    found = source.vectors(["cat", "horse", "dog"])
    assert found.dtype == np.float32
    assert found.tolist() == [[0.5, np.float32(-0.2)], [0, 0], [1, 0]]


def test_a_matrix_with_its_words_beside_it(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([[1.0, 2.0], [3.0, 4.0]]))
    (tmp_path / "v.txt").write_text("a\nb\n", "utf-8")
    source = load_vectors(f"file:{tmp_path / 'v.npy'}")
    assert matrix(source, "b", "a") == [[3, 4], [1, 2]]
    # The word list is part of the content: another one is another lexicon.
    (tmp_path / "v.txt").write_text("b\na\n", "utf-8")
    assert matrix(WordVectors.read(tmp_path / "v.npy"), "b", "a") == [[1, 2], [3, 4]]


def test_the_first_of_equal_words_counts(tmp_path: Path) -> None:
    assert matrix(loaded(tmp_path / "v", "a 1 2\na 3 4\n"), "a") == [[1, 2]]


def test_a_word_is_found_as_written_before_lower_case(tmp_path: Path) -> None:
    source = loaded(tmp_path / "v", "us 1\nUS 2\n")
    assert matrix(source, "US", "us", "Us") == [[2], [1], [1]]


def test_words_may_contain_spaces(tmp_path: Path) -> None:
    # GloVe's largest collection has such words.
    assert matrix(loaded(tmp_path / "v", "2 2\n. . 1 2\nb 3 4\n"), ". .") == [[1, 2]]


def test_a_text_file_with_a_word_of_two_numbers_is_not_binary(tmp_path: Path) -> None:
    assert matrix(loaded(tmp_path / "v", "1 1\n7 3.5\n"), "7") == [[3.5]]


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        ("a 1 2\nb 1\n", "MP361", 2),
        ("a\n", "MP361", 1),
        ("a 1 2\nb 1 x\n", "MP362", 2),
        ("a 1 2\nb nan 1\n", "MP362", 2),
        ("1 2\na inf 1\n", "MP362", 2),
        ("3 2\na 1 2\n", "MP363", None),
        ("1 2\na 1 2\nb 1 2\n", "MP363", None),
        (binary(("a", [1, 2]), ("b", [3, 4]))[:-6], "MP363", None),
        (binary(("a", [1, 2])) + b"b    ", "MP363", None),
        (binary(("a", [1, float("nan")])), "MP362", 2),
        (b"99999999999 300\na " + bytes(1200), "MP363", None),
        (b"1 99999999999999999999\na " + bytes(1200), "MP363", None),
        ("1 99999999999999999999\na 1 2\n", "MP361", 2),
        (f"1 {'9' * 5000}\na 1 2\n", "MP361", 1),
        (f"{'9' * 5000} 2\na 1 2\n", "MP361", 1),
    ],
)
def test_a_bad_file_is_named_with_its_line(
    tmp_path: Path, content: bytes | str, code: str, line: int | None
) -> None:
    with pytest.raises(InputError) as caught:
        loaded(tmp_path / "bad", content)
    assert (caught.value.code, caught.value.line) == (code, line)


@pytest.mark.parametrize("rows", [[[1.0, 2.0]], [1.0, 2.0], [["a", "b"]] * 2])
def test_a_matrix_must_fit_its_words(tmp_path: Path, rows: list[object]) -> None:
    np.save(tmp_path / "v.npy", np.array(rows))
    (tmp_path / "v.txt").write_text("a\nb\n", "utf-8")
    with pytest.raises(InputError, match="MP364"):
        load_vectors(f"file:{tmp_path / 'v.npy'}")


def test_a_matrix_of_objects_is_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.array([{}, {}]), allow_pickle=True)
    (tmp_path / "v.txt").write_text("a\nb\n", "utf-8")
    with pytest.raises(ResourceError, match="MP364"):
        load_vectors(f"file:{tmp_path / 'v.npy'}")


@pytest.mark.parametrize(
    "damage",
    [b"{'descr': '<f4', 'fortran_order': (", b"'<04'", b"(99999999999999999999, 2)", b"\xff"],
    ids=["bracket", "number", "size", "no text"],
)
def test_a_matrix_with_a_damaged_header_is_refused(tmp_path: Path, damage: bytes) -> None:
    header = damage.ljust(117) + b"\n"
    (tmp_path / "v.npy").write_bytes(b"\x93NUMPY\x01\x00\x76\x00" + header + bytes(16))
    (tmp_path / "v.txt").write_text("a\nb\n", "utf-8")
    with pytest.raises(ResourceError, match="MP364"):
        load_vectors(f"file:{tmp_path / 'v.npy'}")


def test_a_rank_is_the_place_in_the_collection(tmp_path: Path) -> None:
    source = loaded(tmp_path / "v", "the 1\ndog 2\nthe 3\nDOG 4\n")
    assert source.ranks(["dog", "The", "DOG", "cat"]).tolist() == [1, 0, 2, -1]
    assert source.ranks([]).tolist() == []
    assert load_vectors("none").ranks(["the", "dog"]).tolist() == [-1, -1]


def test_vectors_are_compiled_once_and_mended_when_damaged(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "v"
    first = loaded(path, TEXT)
    [compiled] = (cache / "lexicon").iterdir()
    content = compiled.read_bytes()
    for damage in (content[:-1], content[:40], b"", content[:-1] + b"\7"):
        compiled.write_bytes(damage)
        assert WordVectors.read(path).fingerprint == first.fingerprint
        assert compiled.read_bytes() == content


def test_vectors_travel_to_other_processes(tmp_path: Path) -> None:
    source = loaded(tmp_path / "v", TEXT)
    assert matrix(pickle.loads(pickle.dumps(source)), "dog") == [[1, 0]]


def test_none_has_no_vectors() -> None:
    assert load_vectors("none").vectors(["a", "b"]).shape == (2, 0)


@pytest.mark.parametrize("name", ["", "glove:x", "file", "spacy:", "none:x"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match="MP360"):
        load_vectors(name)


def test_a_pipeline_that_is_not_there_is_named() -> None:
    with pytest.raises(ResourceError, match=r"MP264|MP970"):
        load_vectors("spacy:no_such_pipeline_xx")


def test_vectors_of_a_spacy_pipeline(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.vocab.set_vector("dog", np.array([1, 0], dtype=np.float32))
    nlp.vocab.set_vector("cat", np.array([0, 2], dtype=np.float32))
    nlp.to_disk(tmp_path / "pipeline")
    source = load_vectors(f"spacy:{tmp_path / 'pipeline'}")
    assert matrix(source, "cat", "horse", "dog") == [[0, 2], [0, 0], [1, 0]]
    assert matrix(pickle.loads(pickle.dumps(source)), "cat") == [[0, 2]]


def test_a_pipeline_without_vectors_is_refused(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    spacy.blank("en").to_disk(tmp_path / "pipeline")
    with pytest.raises(ResourceError, match=r"MP365.*no vectors"):
        load_vectors(f"spacy:{tmp_path / 'pipeline'}")


def test_a_line_with_a_number_too_many_is_an_error(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("cat 1 0\ndog 1 0 0\n")
    with pytest.raises(InputError, match=r"MP361.*v\.txt, line 2.*3 numbers"):
        load_vectors(f"file:{path}")
