"""The tables of a job: Parquet, JSON Lines and TSV, cut into shards and read shard by shard.

A shard of Parquet is row groups, which nothing smaller can be read of without the rest. One of text is bytes
from line to line; a compressed file is one shard, since it can only be read from its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats import is_named_jsonl
from metaphrase.corpus.formats.tables.cells import Row
from metaphrase.corpus.formats.tables.jsonl import object_rows
from metaphrase.corpus.formats.tables.layout import LayoutOptions
from metaphrase.corpus.formats.tables.rows import pieces
from metaphrase.corpus.formats.tables.tsv import SEPARATOR, table_rows
from metaphrase.corpus.lines import LineRange, LineReader, cannot_read, text_blocks
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError
from metaphrase.jobs.arrow import arrow, parquet
from metaphrase.jobs.plan import Input, Plan, Shard

#: Rows that are there at once.
BATCH = 4096
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows: their texts, and the columns that are kept, as Arrow arrays."""

    corpus: Corpus
    kept: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cut:
    """A table and its shards, as planning finds them; numbers of shards and rows count from its own start."""

    table: Input
    shards: tuple[Shard, ...]
    names: tuple[str, ...]


def cut(path: str, number: int, rows: int) -> Cut:
    """Cut table ``number`` of a job into shards of ``rows`` rows or somewhat more."""
    if _begins(path, _PARQUET):
        return _cut_parquet(path, number, rows)
    return _cut_text(path, number, rows)


def read(plan: Plan, shard: Shard) -> Iterator[Piece]:
    """The rows of a shard, a few at a time, if the table is still the one that was planned."""
    table = plan.inputs[shard.input]
    if table.format == "parquet":
        return _read_parquet(plan, shard, table)
    return _read_text(plan, shard, table)


def changed(table: Input) -> InputError:
    """The error for a table that is no longer the one that was planned."""
    return InputError(
        "MP936",
        "The file has changed since the job was planned.",
        path=table.path,
        hint="Bring the old file back, or plan a new job, into another folder.",
    )


def _begins(path: str, magic: bytes) -> bool:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(len(magic)) == magic
    except OSError as error:
        raise cannot_read(path, path, error) from error


# Parquet


def _cut_parquet(path: str, number: int, rows: int) -> Cut:
    metadata, size, digest = _footer(path)
    shards: list[Shard] = []
    start = first = waiting = 0
    for group in range(metadata.num_row_groups):
        waiting += metadata.row_group(group).num_rows
        if waiting >= rows or (waiting and group == metadata.num_row_groups - 1):
            shards.append(Shard(len(shards), number, first, waiting, start, group + 1, digest))
            start, first, waiting = group + 1, first + waiting, 0
    names = tuple(metadata.schema.to_arrow_schema().names)
    return Cut(Input(path, "parquet", first, size, digest), tuple(shards), names)


def _footer(path: str) -> tuple[Any, int, str]:
    """The metadata of a Parquet file, its size, and a hash of both."""
    try:
        with Path(path).open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(size - 8, 0))
            length = int.from_bytes(stream.read(4), "little")
            stream.seek(max(size - 8 - length, 0))
            digest = blake2b(stream.read(), digest_size=16, salt=size.to_bytes(16, "little"))
        return parquet().read_metadata(path), size, digest.hexdigest()
    except arrow().ArrowInvalid as error:
        raise _not_parquet(path, error) from None
    except OSError as error:
        raise cannot_read(path, path, error) from error


def _not_parquet(path: str, error: Exception) -> InputError:
    reason = str(error).splitlines()[0].rstrip(".")
    return InputError(
        "MP937",
        f"The file is not Parquet, or damaged: {reason}.",
        path=path,
        hint="Write it again.",
    )


def _read_parquet(plan: Plan, shard: Shard, table: Input) -> Iterator[Piece]:
    _, size, digest = _footer(table.path)
    if (size, digest) != (table.size, table.digest):
        raise changed(table)
    wanted = list(dict.fromkeys([*_texts(plan), *plan.kept]))
    first_row = shard.first - sum(one.rows for one in plan.inputs[: shard.input])
    try:
        with parquet().ParquetFile(table.path) as file:
            batches = file.iter_batches(
                BATCH, row_groups=range(shard.start, shard.end), columns=wanted
            )
            for batch in batches:
                texts = {
                    name: _strings(batch.column(name), name, table.path, first_row)
                    for name in _texts(plan)
                }
                corpus = _corpus(plan, texts, table.path, first_row)
                yield Piece(corpus, {name: batch.column(name) for name in plan.kept})
                first_row += batch.num_rows
    except arrow().ArrowInvalid as error:
        raise _not_parquet(table.path, error) from None
    except OSError as error:
        raise cannot_read(table.path, table.path, error) from error


def _texts(plan: Plan) -> list[str]:
    columns = plan.columns
    optional = [columns[role] for role in ("source", "document") if columns.get(role)]
    return [*columns["systems"], *columns["references"], *optional]


def _strings(column: Any, name: str, path: str, first_row: int) -> list[str]:
    types = arrow().types
    kind = column.type
    if types.is_dictionary(kind):
        kind = kind.value_type
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)):
        raise InputError(
            "MP938",
            f"The column {name!r} has the type {kind}, and texts are strings.",
            path=path,
            hint="Name another column with --columns.",
        )
    if column.null_count:
        row = column.is_null().to_pylist().index(True)
        raise InputError(
            "MP938",
            f"Row {first_row + row + 1} has no value in the column {name!r}.",
            path=path,
            hint="Write an empty string where there is no text, or leave the row out.",
        )
    texts: list[str] = column.to_pylist()
    return texts


def _corpus(plan: Plan, texts: Mapping[str, Sequence[str]], path: str, first_row: int) -> Corpus:
    columns = plan.columns
    try:
        return Corpus(
            {name: texts[name] for name in columns["systems"]},
            [texts[name] for name in columns["references"]],
            sources=texts[columns["source"]] if columns.get("source") else None,
            documents=texts[columns["document"]] if columns.get("document") else None,
            empty_references=plan.empty_references,  # type: ignore[arg-type]
        )
    except InputError as error:
        hint = f"Segments are counted from row {first_row + 1} of the file. {error.hint or ''}"
        raise InputError(error.code, error.message, path=path, hint=hint.strip()) from None


# Text


def _cut_text(path: str, number: int, rows: int) -> Cut:
    """Counts lines and hashes bytes in one reading."""
    name = Path(path).name.removesuffix(".gz")
    kind = "jsonl" if is_named_jsonl(name) or _begins_object(path) else "tsv"
    whole = _begins(path, _GZIP)
    shards: list[Shard] = []
    lines = first = start = offset = 0
    hashed = blake2b(digest_size=16)
    everything = blake2b(digest_size=16)
    header = b"" if kind == "jsonl" else None

    def close(end: int) -> None:
        nonlocal start, first, lines, hashed
        digest = hashed.hexdigest()
        shards.append(Shard(len(shards), number, first, lines, start, end, digest))
        start, first, lines = end, first + lines, 0
        hashed = blake2b(digest_size=16)

    rest = b""
    for block in text_blocks(path):
        everything.update(block)
        data = rest + block
        # Whole lines only; the last one waits for the next block.
        at = 0
        if header is None:
            if (end := data.find(b"\n")) < 0:
                rest = data
                continue
            header, at = data[: end + 1], end + 1
            offset = start = 0 if whole else at
            if whole:
                hashed.update(header)
                offset = at
        stop = data.rfind(b"\n") + 1
        while at < stop:
            wanted = stop if whole else _after_lines(data, at, stop, rows - lines)
            hashed.update(data[at:wanted])
            lines += data.count(b"\n", at, wanted)
            offset += wanted - at
            at = wanted
            if lines >= rows and not whole:
                close(offset)
        rest = data[at:]
    if rest:
        if header is None:
            header = rest
        else:
            hashed.update(rest)
            lines += 1
            offset += len(rest)
    if lines:
        close(offset)
    names = _names(path, kind)
    table = Input(path, kind, first, Path(path).stat().st_size, everything.hexdigest())
    return Cut(table, tuple(shards), names)


def _after_lines(data: bytes, at: int, stop: int, lines: int) -> int:
    """Where so many lines from ``at`` on end, or ``stop``."""
    if data.count(b"\n", at, stop) <= lines:
        return stop
    for _ in range(lines):
        at = data.index(b"\n", at) + 1
    return at


def _begins_object(path: str) -> bool:
    with LineReader(path) as reader:
        first = reader.take(1)
    return bool(first) and first[0].lstrip().startswith("{")


def _names(path: str, kind: str) -> tuple[str, ...]:
    """The columns of the first row."""
    with LineReader(path) as reader:
        rows = object_rows(reader) if kind == "jsonl" else table_rows(reader)
        first = next(iter(rows), None)
    return () if first is None else tuple(first[1])


def _read_text(plan: Plan, shard: Shard, table: Input) -> Iterator[Piece]:
    columns = plan.columns
    stated = {"hypothesis": columns["systems"], "reference": columns["references"]}
    stated |= {role: columns[role] for role in ("source", "document") if columns.get(role)}
    options = LayoutOptions(form="wide", columns=stated)
    separator = None if table.format == "jsonl" else SEPARATOR
    rule: EmptyReferences = plan.empty_references  # type: ignore[assignment]
    with _ShardLines(plan, shard, table) as reader:
        rows: Iterator[Row]
        rows = object_rows(reader) if table.format == "jsonl" else table_rows(reader)
        while batch := list(islice(rows, BATCH)):
            for corpus in pieces(iter(batch), options, table.path, separator, BATCH, rule):
                yield Piece(corpus, _kept(batch, plan.kept, table.path))
        if reader.digest != shard.digest:
            raise changed(table)


class _ShardLines(LineRange):
    """The lines of a shard, in TSV below the header of the file."""

    def __init__(self, plan: Plan, shard: Shard, table: Input) -> None:
        row = shard.first - sum(one.rows for one in plan.inputs[: shard.input])
        below = table.format == "tsv" and shard.start > 0
        super().__init__(table.path, shard.start, shard.end, first=row + 1 + below)
        self._header: list[tuple[int, str]] = []
        if below:
            with LineReader(table.path) as reader:
                self._header = [(1, reader.take(1)[0])]

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """The header, if the shard begins below it, and each line with its number in the file."""
        yield from self._header
        yield from super().__iter__()


def _kept(batch: Sequence[Row], names: Sequence[str], path: str) -> dict[str, Any]:
    found = {}
    for name in names:
        try:
            found[name] = arrow().array([row[name] for _, row in batch])
        except KeyError:
            line = next(line for line, row in batch if name not in row)
            raise InputError("MP141", f"The row has no {name!r}.", path=path, line=line) from None
        except (arrow().ArrowInvalid, arrow().ArrowTypeError):
            raise InputError(
                "MP938",
                f"The column {name!r} has values of several types.",
                path=path,
                line=batch[0][0],
                hint="Keep another column, or make them strings.",
            ) from None
    return found
