"""Shards of text are bytes from line to line, whatever the lines end in and the file begins with."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.written_tables import HERE, planned, texts, write
from metaphrase import jobs
from metaphrase.corpus import lines
from metaphrase.errors import InputError
from metaphrase.jobs.tables import cut, read
from metaphrase.jobs.tables import text as text_tables

COLUMNS = {name: column[:11] for name, column in texts(11).items()}
characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\r\t")


@settings(max_examples=40)
@given(
    st.lists(st.text(characters, max_size=6), min_size=1, max_size=12),
    st.integers(1, 13),
    st.integers(1, 40),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_rows_are_those_of_the_file(
    hypotheses: list[str], rows: int, block: int, tsv: bool, crlf: bool, mark: bool, last: bool
) -> None:
    """However the blocks fall in which it is read."""
    table = {"reference": ["x"] * len(hypotheses), "one": hypotheses}
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        path = write(Path(name) / f"table.{'tsv' if tsv else 'jsonl'}", table)
        data = path.read_bytes()
        data = data.replace(b"\n", b"\r\n") if crlf else data
        data = data if last else data[: -2 if crlf else -1]
        path.write_bytes(b"\xef\xbb\xbf" + data if mark else data)
        patch.setattr(lines, "BLOCK", block)
        plan = planned([path], Path(name) / "job", columns=None, rows_per_shard=rows)
        found = [
            text
            for shard in plan.shards
            for piece in read(plan, shard)
            for text in piece.corpus.systems["one"]
        ]
    assert found == hypotheses
    assert [shard.rows for shard in plan.shards[:-1]] == [rows] * (len(plan.shards) - 1)
    assert plan.rows == len(hypotheses)


@pytest.mark.parametrize("form", ["jsonl", "tsv"])
def test_a_compressed_table_is_one_shard(form: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"table.{form}.gz", COLUMNS)
    assert [shard.rows for shard in cut(str(path), 0, 3).shards] == [11]
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()))[:-9])
    with pytest.raises(InputError) as raised:
        planned([path], tmp_path / "job")
    assert raised.value.code == "MP114"


def test_a_line_longer_than_any_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", 64)
    table = {"reference": ["word " * 500] * 3, "one": ["word " * 400] * 3}
    path = write(tmp_path / "table.jsonl", table)
    planned([path], tmp_path / "job", columns=None, rows_per_shard=1)
    assert jobs.run(tmp_path / "job", engine=HERE).now == (0, 1, 2)


class TestChanges:
    """A table that is not the one that was planned is not scored."""

    @pytest.fixture(params=["jsonl", "tsv", "tsv.gz"])
    def table(self, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        path = write(tmp_path / f"table.{request.param}", COLUMNS)
        planned([path], tmp_path / "job", rows_per_shard=4)
        return path

    def failed(self, table: Path) -> list[int]:
        outcome = jobs.run(table.parent / "job", engine=HERE)
        assert all(why.startswith(f"[MP936] {table}: ") for why in outcome.failed.values())
        return list(outcome.failed)

    def test_one_letter(self, table: Path) -> None:
        self.write(table, self.read(table).replace(b"row 5", b"row 6"))
        assert self.failed(table) == ([0] if table.suffix == ".gz" else [1])

    def test_letters_that_are_no_text_are_a_change_first_of_all(self, table: Path) -> None:
        self.write(table, self.read(table).replace(b"row 5", b"\xff\xff\xff 5"))
        assert self.failed(table) == ([0] if table.suffix == ".gz" else [1])

    def test_another_line(self, table: Path) -> None:
        data = self.read(table)
        self.write(table, data + data.splitlines(keepends=True)[-1])
        assert self.failed(table) == ([0] if table.suffix == ".gz" else [0, 1, 2])

    def test_the_names_of_columns(self, table: Path) -> None:
        if ".tsv" not in table.name:
            pytest.skip("no header")
        self.write(table, self.read(table).replace(b"one\ttwo", b"two\tone"))
        assert self.failed(table) == ([0] if table.suffix == ".gz" else [0, 1, 2])

    def test_bringing_it_back_helps(self, table: Path) -> None:
        data = table.read_bytes()
        table.write_bytes(data[:-30])
        assert self.failed(table)
        table.write_bytes(data)
        assert self.failed(table) == []
        assert jobs.status(table.parent / "job").is_done
        assert jobs.status(table.parent / "job").failed == {}

    def test_a_table_that_is_gone(self, table: Path) -> None:
        table.unlink()
        outcome = jobs.run(table.parent / "job", engine=HERE)
        assert all(why.startswith("[MP110] ") for why in outcome.failed.values())
        assert len(outcome.failed) in (1, 3)

    @staticmethod
    def read(table: Path) -> bytes:
        data = table.read_bytes()
        return gzip.decompress(data) if table.suffix == ".gz" else data

    @staticmethod
    def write(table: Path, data: bytes) -> None:
        # Compressed anew it has another size, or must have another hash.
        table.write_bytes(gzip.compress(data) if table.suffix == ".gz" else data)


def test_parquet_with_another_footer_has_changed(tmp_path: Path) -> None:
    table = write(tmp_path / "table.parquet", COLUMNS, group=4)
    planned([table], tmp_path / "job", rows_per_shard=4)
    write(table, COLUMNS | {"one": COLUMNS["two"]}, group=4)
    outcome = jobs.run(tmp_path / "job", engine=HERE)
    assert list(outcome.failed) == [0, 1, 2]
    assert all(why.startswith("[MP936]") for why in outcome.failed.values())


def test_damaged_pages_of_parquet(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    path = tmp_path / "table.parquet"
    rows = pyarrow.table(COLUMNS)
    pyarrow.parquet.write_table(rows, path, row_group_size=4, write_page_checksum=True)
    planned([path], tmp_path / "job", rows_per_shard=4)
    data = bytearray(path.read_bytes())
    data[data.rindex(COLUMNS["one"][10].encode()) + 1] ^= 1
    path.write_bytes(data)
    outcome = jobs.run(tmp_path / "job", engine=HERE)
    assert outcome.now == (0, 1)
    assert outcome.failed[2].startswith(f"[MP937] {path}: ")


def test_types_are_those_of_the_first_values() -> None:
    assert text_tables._type([None, None]) == "string"
    assert text_tables._type([True, None]) == "bool"
    assert text_tables._type([1, None]) == "int64"
    assert text_tables._type([1, 0.5]) == "double"
    assert text_tables._type([1, "a"]) == "mixed"
    assert text_tables._type([json.loads("[1]")]) == "mixed"
