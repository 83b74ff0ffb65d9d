"""Shards of text: bytes from line to line; a compressed file is one shard, as it is read from its beginning.

Planning reads a file once, counts lines and hashes bytes. The hash of a shard of TSV is that of the header
and of its own lines.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from metaphrase.corpus.formats.tables.arrow import arrow
from metaphrase.corpus.formats.tables.cells import Cells, Row
from metaphrase.corpus.formats.tables.jsonl import is_named_jsonl, json_rows
from metaphrase.corpus.formats.tables.layout import Layout
from metaphrase.corpus.formats.tables.rows import wide_table
from metaphrase.corpus.formats.tables.tsv import table_rows
from metaphrase.corpus.lines import LineRange, LineReader, byte_blocks, cannot_read, is_gzip
from metaphrase.errors import InputError
from metaphrase.jobs.plan import Input, Plan, Shard
from metaphrase.jobs.tables.pieces import (
    BATCH,
    Cut,
    Piece,
    changed,
    first_row,
    several_types,
)

#: What JSON has besides texts, objects and lists, by what Arrow calls it.
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "bool": (bool,),
    "int64": (int,),
    "double": (int, float),
}


def cut(path: str, number: int, rows: int) -> Cut:
    """See :func:`metaphrase.jobs.tables.cut`."""
    kind = _kind(path)
    whole = is_gzip(path)
    cutter = _Cutter(number, None if whole else rows, headed=kind == "tsv", whole=whole)
    for block in byte_blocks(path):
        cutter.take(block)
    shards = cutter.finish()
    lines = sum(shard.rows for shard in shards)
    table = Input(path, kind, lines, Path(path).stat().st_size, cutter.digest)
    return Cut(table, shards, _first_types(path, kind) if shards else {})


def types(path: str) -> Mapping[str, str]:
    """See :func:`metaphrase.jobs.tables.types`."""
    return _first_types(path, _kind(path))


class _Cutter:
    """Cuts bytes, as they come, into shards of so many lines, or into one."""

    def __init__(self, table: int, rows: int | None, *, headed: bool, whole: bool) -> None:
        self._table = table
        self._rows = rows
        self._everything = blake2b(digest_size=16)
        self._shards: list[Shard] = []
        self._hash = blake2b(digest_size=16)
        self._header = self._hash.copy()
        self._in_header = headed
        self._whole = whole
        self._first = self._lines = self._start = self._offset = 0
        self._open = False  # whether the last line has no end yet

    @property
    def digest(self) -> str:
        """The hash of all bytes."""
        return self._everything.hexdigest()

    def take(self, block: bytes) -> None:
        """The next bytes."""
        self._everything.update(block)
        at = 0
        while at < len(block):
            wanted = 1 if self._in_header else None
            if wanted is None and self._rows is not None:
                wanted = self._rows - self._lines
            stop, ends = _after_lines(block, at, wanted)
            self._hash.update(memoryview(block)[at:stop])
            self._offset += stop - at
            self._open = not block.endswith(b"\n", at, stop)
            if self._in_header:
                self._in_header = not ends
                if ends:
                    self._begin(self._hash)
            else:
                self._lines += ends
                if self._lines == self._rows:
                    self._close()
            at = stop

    def finish(self) -> tuple[Shard, ...]:
        """All shards, when all bytes have come."""
        if self._open and not self._in_header:
            self._lines += 1
        if self._lines:
            self._close()
        return tuple(self._shards)

    def _begin(self, header: Any) -> None:
        """The first shard begins below the header, unless it is the only one."""
        self._header = header.copy()
        if not self._whole:
            self._start = self._offset

    def _close(self) -> None:
        digest = self._hash.hexdigest()
        self._shards.append(
            Shard(
                len(self._shards),
                self._table,
                self._first,
                self._lines,
                self._start,
                self._offset,
                digest,
            )
        )
        self._first += self._lines
        self._start, self._lines, self._open = self._offset, 0, False
        self._hash = self._header.copy()


def _after_lines(data: bytes, at: int, lines: int | None) -> tuple[int, int]:
    """Where so many lines from ``at`` on end, or all do, and how many ends that is."""
    ends = data.count(b"\n", at)
    if lines is None or ends < lines:
        return len(data), ends
    for _ in range(lines):
        at = data.index(b"\n", at) + 1
    return at, lines


def _kind(path: str) -> str:
    return "jsonl" if is_named_jsonl(path) or _begins_object(path) else "tsv"


def _begins_object(path: str) -> bool:
    with LineReader(path) as reader:
        first = reader.take(1)
    return bool(first) and first[0].lstrip().startswith("{")


def _first_types(path: str, kind: str) -> Mapping[str, str]:
    """The columns of the first row, with the types of their first values; where there are none, strings."""
    with LineReader(path) as reader:
        rows = list(islice(_rows(reader, kind), BATCH if kind == "jsonl" else 1))
    if not rows:
        return {}
    return {name: _type([row.get(name) for _, row in rows]) for name in rows[0][1]}


def _type(values: Sequence[object]) -> str:
    kinds = {type(value) for value in values if value is not None}
    return next((name for name, known in _TYPES.items() if kinds <= set(known)), "mixed")


def _rows(reader: LineReader, kind: str) -> Iterator[Row]:
    return json_rows(reader) if kind == "jsonl" else table_rows(reader)


def read(plan: Plan, shard: Shard, table: Input) -> Iterator[Piece]:
    """See :func:`metaphrase.jobs.tables.read`. The hash shows in the end if bytes have changed."""
    try:
        if Path(table.path).stat().st_size != table.size:
            raise changed(table)
    except OSError as error:
        raise cannot_read(table.path, table.path, error) from error
    columns = plan.columns
    layout = Layout(
        form="wide",
        systems=plan.systems,
        references=tuple(columns["references"]),
        source=columns["source"],
        document=columns["document"],
        joined=None, system=None, hypothesis=None, segment=None, domain=None, exhaustive=False,
    )  # fmt: skip
    cells = Cells(table.path, layout, separator=None)
    reader = ShardLines(plan, shard, table)
    with reader:
        rows = _rows(reader, table.format)
        try:
            while batch := list(islice(rows, BATCH)):
                found = wide_table(batch, cells)
                cells.check_references(found, plan.empty_references)
                yield Piece(found.corpus(), _kept(batch, plan.kept, table.path))
        except InputError as error:
            # Where something else is in the file now, nobody need hear what is wrong with that.
            reader.read_on()
            if reader.digest != shard.digest:
                raise changed(table) from error
            raise
        if reader.digest != shard.digest:
            raise changed(table)


class ShardLines(LineRange):
    """The lines of a shard, in TSV below the header of the file."""

    def __init__(self, plan: Plan, shard: Shard, table: Input) -> None:
        below = table.format == "tsv" and shard.start > 0
        first = first_row(plan, shard) + (table.format == "tsv")
        header = _header(table.path) if below else b""
        start = first if below or table.format == "jsonl" else 1
        super().__init__(table.path, shard.start, shard.end, first=start, header=header)
        # Its hash is that of the plan, which has read it, or nobody will believe it.
        text = header.removeprefix(BOM_UTF8).decode(errors="replace")
        names = text.removesuffix("\n").removesuffix("\r")
        self._header = [(1, names)] if below else []

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """The header, if the shard begins below it, and each line with its number in the file."""
        yield from self._header
        yield from super().__iter__()


def _header(path: str) -> bytes:
    """The first line, as it is in the file."""
    try:
        with Path(path).open("rb") as stream:
            return stream.readline()
    except OSError as error:
        raise cannot_read(path, path, error) from error


def _kept(batch: Sequence[Row], kept: Mapping[str, str], path: str) -> dict[str, Any]:
    found = {}
    for name, kind in kept.items():
        values = []
        for line, row in batch:
            if name not in row:
                raise InputError(
                    "MP141", f"The row has no {name!r}.", path=path, line=line, hint="Add it."
                )
            value = row[name]
            if value is not None and type(value) not in _TYPES[kind]:
                raise several_types(name, path, line, kind)
            values.append(value)
        try:
            found[name] = arrow().array(values, kind)
        except (arrow().ArrowException, ValueError, OverflowError):
            raise several_types(name, path, batch[0][0], kind) from None
    return found
