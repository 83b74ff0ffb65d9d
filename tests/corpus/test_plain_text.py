"""Plain text files in lock step, and back."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus import Corpus, open_plain, read_plain, write_plain

Refused = Callable[..., AbstractContextManager[None]]

#: What a line of plain text can hold: a line feed or NUL never, a carriage return not at its end,
#: a byte order mark not at its beginning (where it only matters in the first line).
LINES = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"])).filter(
    lambda text: not text.endswith("\r") and not text.startswith("\ufeff")
)


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., list[Path]]:
    def write(**texts: str) -> list[Path]:
        paths = [tmp_path / name for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_bytes(text.encode())
        return paths

    return write


def test_files_are_read_line_by_line(files: Callable[..., list[Path]]) -> None:
    ref, ref2, a, b, src, doc, dom = files(
        ref="1\n2\n", ref2="I\nII\n", a="x\ny\n", b="\nz", src="s\nt\n", doc="d\nd\n", dom="n\nm\n"
    )
    assert read_plain([ref, ref2], {"A": a, "B": b}, sources=src, documents=doc, domains=dom) == (
        Corpus(
            {"A": ["x", "y"], "B": ["", "z"]},
            [["1", "2"], ["I", "II"]],
            sources=["s", "t"],
            documents=["d", "d"],
            domains=["n", "m"],
        )
    )


@pytest.mark.parametrize(("chunk", "sizes"), [(1, [1] * 5), (2, [2, 2, 1]), (5, [5]), (9, [5])])
def test_chunks_are_corpora_of_the_given_size(
    files: Callable[..., list[Path]], chunk: int, sizes: list[int]
) -> None:
    ref, a = files(ref="1\n2\n3\n4\n5\n", a="a\nb\nc\nd\ne\n")
    chunks = list(open_plain([ref], {"A": a}, chunk=chunk))
    assert [len(part) for part in chunks] == sizes
    assert Corpus.join(chunks) == read_plain([ref], {"A": a})


def test_chunks_come_before_the_whole_is_read(files: Callable[..., list[Path]]) -> None:
    # The second line cannot be decoded, but is not looked at until it is asked for.
    many = "a\n" * 300_000
    ref, a = files(ref=many, a=many)
    with a.open("ab") as stream:
        stream.write(b"\xff\n")
    assert len(next(open_plain([ref], {"A": a}, chunk=10))) == 10


@pytest.mark.parametrize("chunk", [1, 2, 3, 4096])
def test_unequal_lengths_are_an_error_with_every_count(
    files: Callable[..., list[Path]], refused: Refused, chunk: int
) -> None:
    ref, a, b = files(ref="1\n2\n", a="x\ny\nz\n", b="x\ny\nz\nw")
    counts = f"{ref} has 2, {a} has 3, {b} has 4"
    with refused("MP102", counts):
        list(open_plain([ref], {"A": a, "B": b}, chunk=chunk))


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 8))
def test_nothing_is_ever_truncated(
    tmp_path_factory: pytest.TempPathFactory,
    refused: Refused,
    left: int,
    right: int,
    chunk: int,
) -> None:
    folder = tmp_path_factory.mktemp("lengths")
    ref, a = folder / "ref", folder / "a"
    ref.write_text("r\n" * left)
    a.write_text("h\n" * right)
    chunks = open_plain([ref], {"A": a}, chunk=chunk)
    if left == right:
        assert sum(map(len, chunks)) == left
    else:
        with refused("MP102", f"{ref} has {left}, {a} has {right}"):
            list(chunks)


def test_an_empty_reference_is_named_by_file_and_line(
    files: Callable[..., list[Path]], refused: Refused
) -> None:
    ref, ref2, a, b = files(ref="1\n\n3\n4\n", ref2="1\n\n3\n \n", a="x\n\n\n\n", b="x\n\n\nx\n")
    with refused("MP105", "system 'B'", path=ref2, line=4):
        list(open_plain([ref, ref2], {"A": a, "B": b}, chunk=3, empty_references="error"))
    with refused("MP105", "system 'B'", path=ref2, line=4):
        list(open_plain([ref2, ref], {"A": a, "B": b}, chunk=3))
    assert read_plain([ref, ref2], {"A": a, "B": b}).references[1] == ("1", "", "3", None)
    kept = read_plain([ref, ref2], {"A": a, "B": b}, empty_references="keep")
    assert kept.references[1] == ("1", "", "3", " ")


def test_an_empty_file_is_not_a_length(files: Callable[..., list[Path]], refused: Refused) -> None:
    ref, a = files(ref="1\n", a="")
    with refused("MP113", path=a):
        read_plain([ref], {"A": a})


def test_errors_name_the_file_among_many(
    files: Callable[..., list[Path]], refused: Refused, tmp_path: Path
) -> None:
    ref, a = files(ref="1\n2\n", a="x\n\0\n")
    with refused("MP122", path=a, line=2):
        read_plain([ref], {"A": a})
    with refused("MP110", path=tmp_path / "none"):
        read_plain([ref], {"A": ref}, documents=tmp_path / "none")


def test_standard_input_is_one_of_the_files(
    files: Callable[..., list[Path]], monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    (ref,) = files(ref="1\n2\n3\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\ny\nz")))
    chunks = list(open_plain([ref], {"A": "-"}, chunk=2))
    assert [part.systems["A"] for part in chunks] == [("x", "y"), ("z",)]
    with refused("MP115", "more than once"):
        open_plain(["-"], {"A": Path("-")})


def test_options_are_checked_before_any_file_is_opened(refused: Refused) -> None:
    with refused("MP108"):
        open_plain(["none"], {"A": "none"}, chunk=0)
    with refused("MP108"):
        open_plain(["none"], {"A": "none"}, empty_references="drop")  # type: ignore[arg-type]
    with refused("MP107", "single path"):
        open_plain("none", {"A": "none"})
    with refused("MP101", "system"):
        open_plain(["none"], {})
    with refused("MP101", "reference"):
        open_plain([], {"A": "none"})
    with refused("MP104"):
        open_plain(["none"], {"": "none"})


@given(st.lists(st.tuples(LINES, LINES, LINES), min_size=1), st.sampled_from(["", ".gz"]))
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], suffix: str
) -> None:
    reference, hypothesis, source = zip(*rows, strict=True)
    corpus = Corpus({"A": hypothesis}, [reference], sources=source, empty_references="keep")
    folder = tmp_path_factory.mktemp("plain")
    ref, a, src = (folder / (name + suffix) for name in ("ref", "a", "src"))
    write_plain(corpus, references=[ref], systems={"A": a}, sources=src)
    assert ref.read_bytes().startswith(b"\x1f\x8b") == (suffix == ".gz")
    assert read_plain([ref], {"A": a}, sources=src, empty_references="keep") == corpus


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\nb", "line feed"),
        ("a\0", "NUL"),
        ("a\r", "carriage return"),
        ("\ufeffa", "byte order mark"),
    ],
)
def test_a_text_that_would_not_read_back_is_refused_and_no_file_changes(
    tmp_path: Path, refused: Refused, text: str, words: str
) -> None:
    ref, a = tmp_path / "ref", tmp_path / "a"
    ref.write_text("old")
    with refused("MP131", words, path=a, line=1):
        write_plain(Corpus({"A": [text]}, [["y"]]), references=[ref], systems={"A": a})
    assert ref.read_text() == "old"
    assert list(tmp_path.iterdir()) == [ref]


def test_only_columns_that_exist_are_written_each_to_its_own_file(
    tmp_path: Path, refused: Refused
) -> None:
    corpus = Corpus({"A": ["x"]}, [["y"]])
    with refused("MP108", "no system 'B'"):
        write_plain(corpus, systems={"B": tmp_path / "b"})
    with refused("MP108", "2 paths were given for 1 references"):
        write_plain(corpus, references=[tmp_path / "1", tmp_path / "2"])
    with refused("MP108", "no documents"):
        write_plain(corpus, documents=tmp_path / "d")
    with refused("MP115", "named twice", path=tmp_path / "x"):
        write_plain(corpus, references=[tmp_path / "x"], systems={"A": tmp_path / "x"})
    assert list(tmp_path.iterdir()) == []


def test_the_same_text_compresses_to_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.gz", "two.gz"):
        write_plain(Corpus({"A": ["x"]}, [["y"]]), references=[tmp_path / name])
    data = (tmp_path / "one.gz").read_bytes()
    assert data == (tmp_path / "two.gz").read_bytes()
    assert data[4:8] == bytes(4)  # the time stamp (RFC 1952, section 2.3)
    assert gzip.decompress(data) == b"y\n"
