"""As many references as there are for each segment: what a corpus and its files make of that."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus import (
    Corpus,
    open_jsonl,
    read_jsonl,
    read_parquet,
    read_plain,
    read_tsv,
    write_jsonl,
    write_parquet,
    write_plain,
    write_tsv,
)

Refused = Callable[..., AbstractContextManager[None]]
SEGMENTS = [["a b", "a c", "ä…"], ["d"], ["e", "f"]]
COLUMNS = (("a b", "d", "e"), ("a c", None, "f"), ("ä…", None, None))
RAGGED = Corpus({"A": ["x", "y", "z"]}, segment_references=SEGMENTS)


def test_references_are_given_by_column_or_by_segment(refused: Refused) -> None:
    assert RAGGED.references == COLUMNS
    assert Corpus({"A": ["x", "y", "z"]}, COLUMNS) == RAGGED
    with refused("MP108", "both"):
        Corpus({"A": ["x"]}, [["a"]], segment_references=[["a"]])
    with refused("MP101", "no reference"):
        Corpus({"A": ["x"]})


def test_each_segment_knows_its_own() -> None:
    assert [list(segment.references) for segment in RAGGED] == SEGMENTS
    assert [RAGGED.references_of(row) for row in range(3)] == [[0, 1, 2], [0], [0, 1]]
    assert RAGGED.is_ragged
    assert sorted(RAGGED.reference_counts) == [1, 2, 3]
    assert repr(RAGGED) == "<Corpus: 3 segments, up to 3 references, systems A>"


def test_parts_of_a_corpus_keep_what_is_missing() -> None:
    assert RAGGED.select([1, 0]).references == (("d", "a b"), (None, "a c"), (None, "ä…"))
    assert RAGGED[1:].references == (("d", "e"), (None, "f"), (None, None))
    assert RAGGED.normalised.references == (*COLUMNS[:2], ("ä...", None, None))
    assert pickle.loads(pickle.dumps(RAGGED)) == RAGGED


def test_parts_with_fewer_references_can_be_joined() -> None:
    parts = [
        Corpus({"A": [text]}, segment_references=[own])
        for text, own in zip("xyz", SEGMENTS, strict=True)
    ]
    assert [len(part.references) for part in parts] == [3, 1, 2]
    assert Corpus.join(parts) == RAGGED


def test_a_segment_without_a_reference_is_named(refused: Refused) -> None:
    with refused("MP118", "Segment 2 has no reference"):
        Corpus({"A": ["x", "y"]}, segment_references=[["a"], []])
    with refused("MP118", "Segment 2 has no first reference"):
        Corpus({"A": ["x", "y"]}, [["a", None], ["b", "c"]])
    with refused("MP107", "segment 1 is of type str"):
        Corpus({"A": ["x"]}, segment_references=["abc"])
    with refused("MP103", "segment 1 of reference 2"):
        Corpus({"A": ["x", "y"]}, [["a", "b"], [3, None]])  # type: ignore[list-item]
    with refused("MP102", "reference 2 has 1"):
        Corpus({"A": ["x", "y"]}, [["a", "b"], [None]])


class TestFiles:
    def test_empty_lines_of_further_files_are_no_references(self, tmp_path: Path) -> None:
        for name, text in {"r": "a\nb\n", "s": "\n \n", "t": "c\n\n", "h": "x\ny\n"}.items():
            (tmp_path / name).write_text(text)
        corpus = read_plain([tmp_path / name for name in "rst"], {"A": tmp_path / "h"})
        assert corpus.references == (("a", "b"), (None, None), ("c", None))

    def test_segments_that_are_empty_everywhere_stay_as_they_are(self, tmp_path: Path) -> None:
        (tmp_path / "r").write_text("a\n\n")
        corpus = read_plain([tmp_path / "r"] * 2, {"A": tmp_path / "r"})
        assert not corpus.is_ragged
        assert corpus.references[1] == ("a", "")

    def test_lists_of_jsonl_may_be_of_any_length(self, tmp_path: Path) -> None:
        path = tmp_path / "table.jsonl"
        rows = [{"references": own, "A": text} for text, own in zip("xyz", SEGMENTS, strict=True)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert read_jsonl(path) == RAGGED
        # No piece knows what comes after it.
        assert [len(piece.references) for piece in open_jsonl(path, chunk=1)] == [3, 1, 2]

    def test_so_may_cells_of_tsv(self, tmp_path: Path) -> None:
        path = tmp_path / "table.tsv"
        path.write_text("references\tA\na b ||| a c ||| ä…\tx\nd\ty\ne ||| f\tz\n")
        assert read_tsv(path) == RAGGED
        path.write_text(
            "reference\treference2\treference3\tA\na b\ta c\tä…\tx\nd\t\t\ty\ne\tf\t \tz\n"
        )
        assert read_tsv(path) == RAGGED

    def test_a_list_may_have_a_gap(self, tmp_path: Path) -> None:
        path = tmp_path / "table.jsonl"
        path.write_text('{"references": ["a", null, "c"], "A": "x"}\n')
        assert read_jsonl(path).references == (("a",), (None,), ("c",))

    def test_nulls_of_parquet_are_no_references(self, tmp_path: Path, refused: Refused) -> None:
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        path = tmp_path / "table.parquet"
        columns = dict(zip(["reference", "reference2", "reference3"], COLUMNS, strict=True))
        parquet.write_table(arrow.table({**columns, "A": ["x", "y", "z"]}), path)
        assert read_parquet(path) == RAGGED
        columns["reference"] = ("a", None, "c")
        parquet.write_table(arrow.table({**columns, "A": ["x", "y", "z"]}), path)
        with refused("MP103", "'reference'", path=path, line=2):
            read_parquet(path)

    @given(
        st.lists(
            st.lists(st.text("aé ", min_size=1).filter(str.strip), min_size=1, max_size=3),
            min_size=1,
            max_size=4,
        )
    )
    def test_what_is_written_is_read_back(
        self, tmp_path_factory: pytest.TempPathFactory, segments: list[list[str]]
    ) -> None:
        folder = tmp_path_factory.mktemp("written")
        corpus = Corpus({"A": ["x"] * len(segments)}, segment_references=segments)
        write_tsv(corpus, folder / "a.tsv")
        write_jsonl(corpus, folder / "a.jsonl", form="long")
        write_parquet(corpus, folder / "a.parquet")
        paths = [folder / f"r{number}" for number in range(len(corpus.references))]
        write_plain(corpus, references=paths, systems={"A": folder / "h"})
        assert read_tsv(folder / "a.tsv") == corpus
        assert read_jsonl(folder / "a.jsonl") == corpus
        assert read_parquet(folder / "a.parquet") == corpus
        assert read_plain(paths, {"A": folder / "h"}) == corpus
