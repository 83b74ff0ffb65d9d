"""Parquet: tables with a name and a type for each column, of which only those that are needed are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from os import fspath
from typing import Any

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.tables.arrow import arrow, parquet
from metaphrase.corpus.formats.tables.cells import Cells, Row
from metaphrase.corpus.formats.tables.layout import (
    ColumnNames,
    Form,
    Layout,
    LayoutOptions,
    recognise,
)
from metaphrase.corpus.formats.tables.other_columns import warn_of_left_out
from metaphrase.corpus.formats.tables.parquet_file import (
    ENDINGS,
    MAGIC,
    batches,
    footer,
    is_text,
    texts,
)
from metaphrase.corpus.formats.tables.rows import pieces, rows_of, wide_table
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.validation import (
    EmptyReferences,
    check_empty_references,
    check_piece_size,
    check_system_name,
    find_empty_reference,
    without_empty,
)
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError

#: Rows of a row group: what others read at a time, and a job at least.
_GROUP = 1 << 16


def open_parquet(
    path: FilePath,
    *,
    form: Form | None = None,
    columns: ColumnNames | None = None,
    systems: Sequence[str] | None = None,
    chunk: int = 4096,
    empty_references: EmptyReferences = "none",
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
        warn_of_left_out(path, layout)
        if layout.form == "wide" and layout.joined is None:
            yield from _wide(name, layout, chunk, empty_references)
            return
        rows = _rows(path, _columns(layout), chunk)
        yield from pieces(rows, options, name, None, chunk, empty_references)

    return opened()


def read_parquet(
    path: FilePath,
    *,
    form: Form | None = None,
    columns: ColumnNames | None = None,
    systems: Sequence[str] | None = None,
    empty_references: EmptyReferences = "none",
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
    first = next(rows)
    kinds = {"references": arrow().list_(arrow().string())}
    if isinstance(first.get("segment"), int):  # else it is an id
        kinds["segment"] = arrow().int64()
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


def _wide(
    path: str, layout: Layout, size: int, empty_references: EmptyReferences
) -> Iterator[Corpus]:
    """Columns as they are: only where something is wrong, rows are looked at one by one to say where."""
    for name in layout.systems or ():
        check_system_name(name, path=path, line=1)
    cells = Cells(path, layout, separator=None)
    columns = _columns(layout)
    number = 1
    for batch in batches(path, columns, size):
        corpus = _corpus(batch, layout, empty_references)
        if corpus is None:
            table = wide_table(list(_batch_rows(batch, columns, path, number)), cells, set(columns))
            cells.check_references(table, empty_references)
            corpus = table.corpus()
        yield corpus
        number += batch.num_rows
    if number == 1:
        raise InputError("MP113", "The table has no rows.", path=path, hint="Give one per segment.")


def _corpus(batch: Any, layout: Layout, empty_references: EmptyReferences) -> Corpus | None:
    """The texts of a batch, unless one of them is missing, is none or cannot be read."""
    further = layout.references[1:]
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if not is_text(column.type) or (column.null_count and name not in further):
            return None
    try:
        columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
    except UnicodeDecodeError:
        return None
    systems = {name: columns[name] for name in layout.systems or ()}
    references = without_empty([columns[name] for name in layout.references], empty_references)
    if empty_references != "keep" and find_empty_reference(systems, references) is not None:
        return None
    sources, documents, domains = (
        None if name is None else columns[name]
        for name in (layout.source, layout.document, layout.domain)
    )
    return Corpus(
        systems,
        references,
        sources=sources,
        documents=documents,
        domains=domains,
        empty_references="keep",
    )


def _rows(path: FilePath, columns: Sequence[str], size: int) -> Iterator[Row]:
    number = 1
    for batch in batches(path, columns, size):
        yield from _batch_rows(batch, columns, path, number)
        number += batch.num_rows


def _batch_rows(batch: Any, columns: Sequence[str], path: FilePath, first: int) -> Iterator[Row]:
    cells = [_values(batch.column(name), name, path, first) for name in columns]
    for line, row in enumerate(zip(*cells, strict=True), first):
        yield line, dict(zip(columns, row, strict=True))


def _values(column: Any, name: str, path: FilePath, first: int) -> list[object]:
    try:
        found: list[object] = column.to_pylist()
    except UnicodeDecodeError:
        return [*texts(column, name, path, first)]  # which says in which row
    return found


def _recognises(head: Head) -> bool:
    return head.magic == MAGIC


FORMATS = (
    Format(
        name="parquet",
        holds="texts",
        description="a table of texts in Parquet, wide or long",
        recognises=_recognises,
        read=read_parquet,
        write=write_parquet,
        open_corpus=open_parquet,
        write_corpus=write_parquet,
        options=("columns",),
        endings=ENDINGS,
    ),
)
