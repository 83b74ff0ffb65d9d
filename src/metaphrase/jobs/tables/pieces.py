"""What tables give, in whichever format they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.errors import InputError
from metaphrase.jobs.plan import Input, Plan, Shard
from metaphrase.metrics.comparison import first_without_document

#: Rows that are there at once.
BATCH = 4096


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows: their texts, and the columns that are kept, as Arrow arrays."""

    corpus: Corpus
    kept: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cut:
    """A table, its shards and its columns with their types, as planning finds them.

    Numbers of shards and rows count from its own start.
    """

    table: Input
    shards: tuple[Shard, ...]
    types: Mapping[str, str]


def first_row(plan: Plan, shard: Shard) -> int:
    """The number of the first row of a shard in its table, from 1."""
    return 1 + shard.first - sum(one.rows for one in plan.inputs[: shard.input])


def check_documents(corpus: Corpus, plan: Plan, shard: Shard, done: int) -> None:
    """Refuse a row without a document id, if they are read; ``done`` rows of the shard come before."""
    if plan.columns["document"] is None:
        return
    row = first_without_document(corpus.documents or ())
    if row is not None:
        table = plan.inputs[shard.input]
        raise InputError(
            "MP516",
            "The row has an empty document id.",
            path=table.path,
            line=first_row(plan, shard) + done + row + (table.format == "tsv"),
            hint="Give every segment the id of its document.",
        )


def row_place(plan: Plan, row: int) -> tuple[str, int | None]:
    """The table of a row of the whole job, from 0, and its line there, if rows are lines."""
    for table in plan.inputs:
        if row < table.rows:
            return table.path, None if table.format == "parquet" else row + 1 + (
                table.format == "tsv"
            )
        row -= table.rows
    raise IndexError("the job has fewer rows")


def changed(table: Input) -> InputError:
    """The error for a table that is no longer the one that was planned."""
    return InputError(
        "MP936",
        "The file has changed since the job was planned.",
        path=table.path,
        hint="Bring the old file back, or plan a new job, into another folder.",
    )


def several_types(name: str, path: str, line: int, wanted: str) -> InputError:
    """The error for a value to keep that is of another type than the first ones."""
    return InputError(
        "MP938",
        f"The column {name!r} has values of several types; the first ones are of type {wanted}.",
        path=path,
        line=line,
        hint="Keep another column, or make them strings.",
    )
