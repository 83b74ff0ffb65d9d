"""Files of rows in the format that their name says: Parquet, JSON Lines or TSV; whole or not there at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, BinaryIO, Protocol

from metaphrase.corpus.formats.tables.arrow import arrow, parquet
from metaphrase.corpus.formats.tables.parquet_file import ENDINGS
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_writer, cannot_hold, encoded_lines
from metaphrase.errors import InputError, OptionError
from metaphrase.jobs.rows import ArrowRows, LineRows, Rows

#: Rows of a row group.
_GROUP = 1 << 15


class RowFile(Protocol):
    """Takes rows, and writes them."""

    def add(self, rows: Rows) -> None:
        """The next rows; even if there are none, they say which columns there are."""

    def close(self) -> None:
        """No more rows."""


@contextmanager
def row_file(path: FilePath) -> Iterator[RowFile]:
    """A file to add rows to, which is there when the block ends without an error."""
    kind = _kind(path)
    with atomic_writer(path, sync=True) as stream:
        file = kind(stream, path)
        yield file
        file.close()


def check_name(path: FilePath) -> None:
    """Refuse a name that does not say what to write."""
    _kind(path)


class _Parquet:
    """With the schema of the first rows, which all others must fit."""

    def __init__(self, stream: BinaryIO, path: FilePath) -> None:
        self._stream = stream
        self._path = path
        self._waiting: list[Any] = []
        self._schema: Any = None
        self._writer: Any = None

    def add(self, rows: Rows) -> None:
        """See :class:`RowFile`."""
        if self._schema is None:
            self._schema = rows.batch.schema if isinstance(rows, ArrowRows) else self._typed(rows)
        self._waiting.append(self._batch(rows))
        if sum(batch.num_rows for batch in self._waiting) >= _GROUP:
            self._write()

    def close(self) -> None:
        """See :class:`RowFile`."""
        self._write()
        self._writer.close()

    def _write(self) -> None:
        if self._writer is None:
            self._writer = parquet().ParquetWriter(self._stream, self._schema, compression="zstd")
        table = arrow().Table.from_batches(self._waiting, schema=self._schema)
        self._writer.write_table(table, row_group_size=_GROUP)
        self._waiting = []

    def _typed(self, rows: LineRows) -> Any:
        for name, kind in rows.types.items():
            if kind == "mixed":
                raise self._unfit(
                    f"the column {name!r} has lists, objects or values of several types"
                )
        return arrow().schema([(name, kind) for name, kind in rows.types.items()])

    def _batch(self, rows: Rows) -> Any:
        if set(rows.names) != set(self._schema.names):
            raise self._unfit(f"the columns are {', '.join(rows.names)} in one of the tables")
        try:
            if isinstance(rows, ArrowRows):
                batch = rows.batch.select(self._schema.names)
                if batch.schema.equals(self._schema):
                    return batch.replace_schema_metadata(self._schema.metadata)
                return batch.cast(self._schema)
            objects = list(rows.objects())
            for row in objects:
                if not row.keys() <= rows.types.keys():
                    extra = next(name for name in row if name not in rows.types)
                    raise self._unfit(f"a row has a column {extra!r}, which the first one lacks")
            return arrow().RecordBatch.from_pylist(objects, schema=self._schema)
        except (arrow().ArrowException, UnicodeError, OverflowError) as error:
            raise self._unfit((str(error).splitlines() or ["?"])[0].rstrip(".")) from None

    def _unfit(self, reason: str) -> InputError:
        return InputError(
            "MP954",
            f"Parquet cannot hold the rows: {reason}.",
            path=self._path,
            hint="Write JSON Lines instead, or give all rows the same columns and types.",
        )


class _Jsonl:
    """Objects as they came, or made of cells."""

    def __init__(self, stream: BinaryIO, path: FilePath) -> None:
        self._stream = stream
        self._path = path
        self._encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False)

    def add(self, rows: Rows) -> None:
        """See :class:`RowFile`."""
        if isinstance(rows, LineRows) and rows.format == "jsonl":
            self._stream.writelines(f"{line}\n".encode() for line in rows.lines)
            return
        for row in rows.objects():
            try:
                self._stream.write(self._encoder.encode(row).encode() + b"\n")
            except (TypeError, ValueError) as error:
                raise InputError(
                    "MP954",
                    f"JSON cannot hold a row: {error}.",
                    path=self._path,
                    hint="Write Parquet instead.",
                ) from None

    def close(self) -> None:
        """Lines need no end."""


class _Tsv:
    """A header and lines as they came, or made of cells."""

    def __init__(self, stream: BinaryIO, path: FilePath) -> None:
        self._stream = stream
        self._path = path
        self._header: Sequence[str] | None = None
        self._lines = 0

    def add(self, rows: Rows) -> None:
        """See :class:`RowFile`."""
        if self._header is None:
            self._header = list(rows.names)
            self._write([self._line(self._header, 1)])
        if isinstance(rows, LineRows) and rows.format == "tsv" and list(rows.names) == self._header:
            self._write(rows.lines)
            return
        if set(rows.names) != set(self._header):
            raise InputError(
                "MP954",
                f"The columns are {', '.join(rows.names)} in one of the tables.",
                path=self._path,
                hint="Write JSON Lines instead, or give all tables the same columns.",
            )
        header = self._header
        lines = []
        for number, row in enumerate(rows.objects(), self._lines + 1):
            cells = [self._cell(row.get(name), name) for name in header]
            lines.append(self._line(cells, number))
        self._write(lines)

    def close(self) -> None:
        """Lines need no end."""

    def _write(self, lines: Sequence[str]) -> None:
        # Only the header is the first line of the file, which has a rule of its own.
        before = [""] if self._lines else []
        try:
            self._stream.writelines(
                islice(encoded_lines(chain(before, lines), self._path), len(before), None)
            )
        except InputError as error:
            line = self._lines - len(before) + (error.line or 0)
            raise error.at(self._path, line) from None
        self._lines += len(lines)

    def _line(self, cells: Sequence[str], number: int) -> str:
        if any("\t" in cell for cell in cells):
            raise cannot_hold(self._path, number, "contains a tab")
        return "\t".join(cells)

    def _cell(self, value: object, name: str) -> str:
        if value is None:
            return ""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str | int | float):
            return str(value)
        raise InputError(
            "MP954",
            f"A cell cannot hold a {type(value).__name__}, as the column {name!r} has.",
            path=self._path,
            hint="Write JSON Lines or Parquet instead.",
        )


def _kind(path: FilePath) -> type[_Parquet] | type[_Jsonl] | type[_Tsv]:
    name = os.fspath(path).lower()
    text = name.removesuffix(".gz")
    if name.endswith(ENDINGS):
        return _Parquet
    if text.endswith((".jsonl", ".json")):
        return _Jsonl
    if text.endswith(".tsv"):
        return _Tsv
    raise OptionError(
        "MP954",
        "the name does not say what format the rows are to have.",
        path=path,
        hint="End it in .parquet, .jsonl or .tsv; text also in .gz.",
    )
