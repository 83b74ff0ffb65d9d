"""Parquet as a corpus: the tables of TSV and JSONL, column by column."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.bundled import EXAMPLES
from metaphrase.cli import main
from metaphrase.corpus import Corpus, open_parquet, read_jsonl, read_parquet, write_parquet
from metaphrase.corpus.formats import format_of, named_format
from metaphrase.corpus.formats.tables import parquet_file
from metaphrase.corpus.opening import CorpusFiles, open_corpus
from metaphrase.errors import MetaphraseError, ResourceError

pyarrow = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402

Refused = Callable[..., AbstractContextManager[None]]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(columns: dict[str, Any], name: str = "table.parquet", **options: Any) -> Path:
        parquet.write_table(pyarrow.table(columns), tmp_path / name, **options)
        return tmp_path / name

    return write


def refused(code: str, path: Path, line: int | None = None, **options: Any) -> str:
    with pytest.raises(MetaphraseError) as raised:
        read_parquet(path, **options)
    assert (raised.value.code, raised.value.line) == (code, line)
    assert raised.value.path == str(path)
    return str(raised.value)


@settings(max_examples=25)
@given(
    st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=5),
    st.sampled_from(["wide", "long"]),
)
def test_it_reads_back_what_was_written(rows: list[tuple[str, ...]], form: Any) -> None:
    one, two, reference, document = zip(*rows, strict=True)
    systems = {"one": one, "two": two}
    for references, more in (([reference], {}), ([reference, one], {"documents": document})):
        corpus = Corpus(systems, references, empty_references="keep", **more)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "table.parquet"
            write_parquet(corpus, path, form=form)
            assert format_of(path) is named_format("parquet")
            assert read_parquet(path, empty_references="keep") == corpus


def test_it_is_what_the_same_table_is_in_jsonl(tmp_path: Path) -> None:
    columns = {"hypothesis": ["fluent", "clumsy"]}
    corpus = read_jsonl(EXAMPLES / "segments.jsonl", columns=columns)
    write_parquet(corpus, tmp_path / "table.parquet")
    assert read_parquet(tmp_path / "table.parquet") == corpus
    files = CorpusFiles(corpus=str(tmp_path / "table.parquet"))
    assert Corpus.join(open_corpus(files)) == corpus


def test_score_takes_it_as_a_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = str(EXAMPLES / "segments.jsonl")
    names = ["--columns", "hypothesis=fluent,hypothesis=clumsy"]
    path = str(tmp_path / "table.parquet")
    assert main(["convert", "--corpus", table, *names, "--to", "parquet", "-o", path]) == 0
    printed = []
    for corpus in ([table, *names], [path]):
        assert main(["score", "--corpus", *corpus, "-m", "chrf", "--level", "document"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert main(["score", path, "-i", path]) == 1
    assert f"Give it with --corpus {path}" in capsys.readouterr().err


def test_pieces_are_bounded_whatever_the_row_groups(write: Callable[..., Path]) -> None:
    rows = [str(number) for number in range(50)]
    path = write({"reference": rows, "mt": rows}, row_group_size=20)
    sizes = [len(piece) for piece in open_parquet(path, chunk=8)]
    assert sum(sizes) == 50
    assert max(sizes) <= 8


def test_only_some_row_groups_are_in_memory(
    write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_file, "_ROWS", 20)
    path = write({"reference": ["a"] * 50, "mt": ["a"] * 50}, row_group_size=8)
    metadata = parquet.read_metadata(path)
    assert list(parquet_file._together(metadata, range(7))) == [[0, 1, 2], [3, 4, 5], [6]]
    assert len(read_parquet(path)) == 50


def test_columns_without_a_role_are_not_read(
    write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write({"reference": ["a"], "mt": ["b"], "vector": [[0.5] * 9], "place": [1]})
    assert read_parquet(path, columns={"hypothesis": "mt"}).systems == {"mt": ("b",)}
    assert "'vector' is of type list" in refused("MP103", path, 1)


def test_columns_called_like_no_translation_are_no_systems(write: Callable[..., Path]) -> None:
    path = write({"reference": ["a"], "mt": ["b"], "id": [1], "notes": [None]})
    with pytest.warns(UserWarning, match="systems are 'mt'; left out: 'id', 'notes'"):
        assert read_parquet(path).systems == {"mt": ("b",)}
    assert read_parquet(path, columns={"hypothesis": "mt"}).systems == {"mt": ("b",)}


def test_strings_are_strings_however_they_are_stored(write: Callable[..., Path]) -> None:
    texts = pyarrow.array(["a", "b", "a"])
    stored = [texts.dictionary_encode(), texts.cast(pyarrow.large_string())]
    for column in stored:
        assert read_parquet(write({"reference": column, "mt": column})).systems["mt"] == (*"aba",)


class TestFaults:
    def test_rows_are_counted_from_1(self, write: Callable[..., Path]) -> None:
        assert "NoneType" in refused(
            "MP103", write({"reference": ["a", "b"], "mt": ["a", None]}), 2
        )
        refused("MP105", write({"reference": ["a", ""], "mt": ["a", "b"]}), 2)
        refused("MP103", write({"reference": ["a"], "mt": [7]}), 1)

    def test_texts_that_are_not_utf8(self, write: Callable[..., Path]) -> None:
        column = pyarrow.array([b"a", b"\xff"], pyarrow.binary()).view(pyarrow.string())
        refused("MP121", write({"reference": ["a", "b"], "mt": column}), 2)

    def test_no_rows_and_no_columns(self, write: Callable[..., Path]) -> None:
        strings = pyarrow.array([], pyarrow.string())
        refused("MP113", write({"reference": strings, "mt": strings}))
        refused("MP140", write({"mt": ["a"]}))
        refused("MP140", write({"reference": ["a"]}))

    def test_a_file_that_is_cut_or_spoilt(self, write: Callable[..., Path]) -> None:
        path = write({"reference": ["a" * 99] * 99, "mt": ["b"] * 99})
        data = path.read_bytes()
        for end in (4, 50, len(data) - 1):
            path.write_bytes(data[:end])
            assert format_of(path) is named_format("parquet")
            refused("MP937", path)
        length = int.from_bytes(data[-8:-4], "little")
        path.write_bytes(data[: -8 - length] + bytes(length) + data[-8:])
        refused("MP937", path)
        refused("MP110", path.with_name("none.parquet"))

    def test_text_that_begins_as_parquet_is_text(self, tmp_path: Path) -> None:
        path = tmp_path / "text.txt"
        path.write_text("PAR1 is a word\n")
        assert format_of(path) is None

    def test_without_pyarrow(
        self, write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write({"reference": ["a"], "mt": ["a"]})
        monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
        with pytest.raises(ResourceError) as raised:
            read_parquet(path)
        assert raised.value.code == "MP970"
        assert "[jobs]" in str(raised.value)
