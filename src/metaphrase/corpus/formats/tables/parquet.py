"""Parquet: tables with a name and a type for each column, of which only those that are needed are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from os import fspath
from typing import Any

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.tables.arrow import arrow, parquet
from metaphrase.corpus.formats.tables.cells import Row
from metaphrase.corpus.formats.tables.layout import (
    ColumnNames,
    Form,
    Layout,
    LayoutOptions,
    recognise,
)
from metaphrase.corpus.formats.tables.parquet_file import ENDINGS, MAGIC, batches, footer, texts
from metaphrase.corpus.formats.tables.rows import pieces, rows_of
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.validation import (
    EmptyReferences,
    check_empty_references,
    check_piece_size,
)
from metaphrase.corpus.writing import atomic_writer

#: Rows of a row group: what others read at a time, and a job at least.
_GROUP = 1 << 16


def open_parquet(
    path: FilePath,
    *,
    form: Form | None = None,
    columns: ColumnNames | None = None,
    systems: Sequence[str] | None = None,
    chunk: int = 4096,
    empty_references: EmptyReferences = "error",
) -> Iterator[Corpus]:
    """The table ``path`` in pieces, as other tables are read: see ``TableReader.open``.

    Several references may be one column of lists. Messages count rows from 1.
    """
    options = LayoutOptions(form=form, columns=columns, systems=systems)
    check_piece_size(chunk)
    check_empty_references(empty_references)

    def opened() -> Iterator[Corpus]:
        name = fspath(path)
        layout = recognise(footer(path).types, options, path)
        rows = _rows(path, _columns(layout), chunk)
        yield from pieces(rows, options, name, None, chunk, empty_references)

    return opened()


def read_parquet(
    path: FilePath,
    *,
    form: Form | None = None,
    columns: ColumnNames | None = None,
    systems: Sequence[str] | None = None,
    empty_references: EmptyReferences = "error",
) -> Corpus:
    """All pieces in one corpus."""
    return Corpus.join(
        open_parquet(
            path, form=form, columns=columns, systems=systems, empty_references=empty_references
        )
    )


def write_parquet(
    corpus: Corpus, path: FilePath, *, form: Form = "wide", overwrite: bool = True
) -> None:
    """Write a table that :func:`read_parquet` reads back, whatever the texts are."""
    rows = rows_of(corpus, form, path, references=None)
    kinds = {"segment": arrow().int64(), "references": arrow().list_(arrow().string())}
    first = next(rows)
    names = list(first)
    schema = arrow().schema([(name, kinds.get(name, arrow().string())) for name in names])
    with (
        atomic_writer(path, overwrite=overwrite) as stream,
        parquet().ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        group = [first, *islice(rows, _GROUP - 1)]
        while group:
            writer.write_table(arrow().Table.from_pylist(group, schema=schema))
            group = list(islice(rows, _GROUP))


def _columns(layout: Layout) -> list[str]:
    """Those that play a role; a table may have others, and long ones."""
    several = [*(layout.systems or ())] if layout.form == "wide" else []
    alone = [
        layout.joined, layout.system, layout.hypothesis, layout.segment,
        layout.document, layout.domain, layout.source,
    ]  # fmt: skip
    return [*several, *layout.references, *(name for name in alone if name is not None)]


def _rows(path: FilePath, columns: Sequence[str], size: int) -> Iterator[Row]:
    number = 1
    for batch in batches(path, columns, size):
        cells = [_values(batch.column(name), name, path, number) for name in columns]
        for line, row in enumerate(zip(*cells, strict=True), number):
            yield line, dict(zip(columns, row, strict=True))
        number += batch.num_rows


def _values(column: Any, name: str, path: FilePath, first: int) -> list[object]:
    try:
        found: list[object] = column.to_pylist()
    except UnicodeDecodeError:
        return [*texts(column, name, path, first)]  # which says in which row
    return found


def _recognises(head: Head) -> bool:
    return head.start == MAGIC


FORMATS = (
    Format(
        name="parquet",
        holds="texts",
        description="a table of texts in Parquet, wide or long",
        recognises=_recognises,
        read=read_parquet,
        write=write_parquet,
        endings=ENDINGS,
    ),
)
