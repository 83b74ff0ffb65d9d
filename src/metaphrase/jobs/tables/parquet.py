"""Shards of Parquet: whole row groups, of which nothing smaller can be read without the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.tables.parquet_file import batches, footer, texts
from metaphrase.corpus.validation import find_empty_reference, without_empty
from metaphrase.errors import InputError
from metaphrase.jobs.plan import Input, Plan, Shard
from metaphrase.jobs.tables.pieces import BATCH, Cut, Piece, changed, first_row


def cut(path: str, number: int, rows: int) -> Cut:
    """See :func:`metaphrase.jobs.tables.cut`."""
    found = footer(path)
    shards: list[Shard] = []
    start = first = waiting = 0
    for group, count in enumerate(found.groups, 1):
        waiting += count
        if waiting >= rows or (waiting and group == len(found.groups)):
            shards.append(Shard(len(shards), number, first, waiting, start, group, found.digest))
            start, first, waiting = group, first + waiting, 0
    table = Input(path, "parquet", first, found.size, found.digest)
    return Cut(table, tuple(shards), found.types)


def read(plan: Plan, shard: Shard, table: Input) -> Iterator[Piece]:
    """See :func:`metaphrase.jobs.tables.read`. The footer shows if the table has changed."""
    found = footer(table.path)
    if (found.size, found.digest) != (table.size, table.digest):
        raise changed(table)
    names = [*plan.systems, *plan.columns["references"]]
    names += [plan.columns[role] for role in ("source", "document") if plan.columns[role]]
    wanted = list(dict.fromkeys([*names, *plan.kept]))
    row = first_row(plan, shard)
    for batch in batches(table.path, wanted, BATCH, range(shard.start, shard.end)):
        further = plan.columns["references"][1:]
        columns = {
            name: texts(batch.column(name), name, table.path, row, nulls=name in further)
            for name in names
        }
        corpus = _corpus(plan, columns, table.path, row)
        yield Piece(
            corpus, {name: _kept(batch.column(name), plan.kept[name]) for name in plan.kept}
        )
        row += batch.num_rows


def _kept(column: Any, kind: str) -> Any:
    """Strings are strings in the parts, however the table stores them."""
    return column.cast("string") if kind == "string" else column


def _corpus(plan: Plan, texts: Mapping[str, Sequence[Any]], path: str, row: int) -> Corpus:
    columns = plan.columns
    systems = {name: texts[name] for name in plan.systems}
    references = without_empty(
        [texts[name] for name in columns["references"]], plan.empty_references
    )
    found = find_empty_reference(systems, references) if plan.empty_references != "keep" else None
    if found is not None:
        number, place, system = found
        raise InputError(
            "MP105",
            f"Reference {number + 1} is empty, but system {system!r} has a hypothesis.",
            path=path,
            line=row + place,
            hint="Mend the reference, or plan with --empty-references keep.",
        )
    return Corpus(
        systems,
        references,
        sources=texts[columns["source"]] if columns["source"] else None,
        documents=texts[columns["document"]] if columns["document"] else None,
        empty_references="keep",
    )
