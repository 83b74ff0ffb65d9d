"""Whole rows of a job's tables, with all their columns, in the order and in the form that they came in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, islice
from typing import Any

from metaphrase.corpus.formats.tables.arrow import arrow
from metaphrase.corpus.formats.tables.parquet_file import batches, footer
from metaphrase.jobs.conditions import Truth
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.tables import changed, types
from metaphrase.jobs.tables.pieces import BATCH
from metaphrase.jobs.tables.text import ShardLines


@dataclass(frozen=True, slots=True)
class ArrowRows:
    """Rows of a Parquet file."""

    batch: Any

    @property
    def names(self) -> Sequence[str]:
        """The columns."""
        names: list[str] = self.batch.schema.names
        return names

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def where(self, chosen: Truth) -> ArrowRows:
        """Those for which it is true."""
        return ArrowRows(self.batch.filter(arrow().array(chosen)))

    def objects(self) -> Iterator[Mapping[str, object]]:
        """Each row by the names of its columns."""
        yield from self.batch.to_pylist()


@dataclass(frozen=True, slots=True)
class LineRows:
    """Rows of a text file: lines that are JSON objects, or cells of TSV; and the types of its columns."""

    format: str
    types: Mapping[str, str]
    lines: tuple[str, ...]

    @property
    def names(self) -> Sequence[str]:
        """The columns of the first row of the file."""
        return list(self.types)

    def __len__(self) -> int:
        return len(self.lines)

    def where(self, chosen: Truth) -> LineRows:
        """Those for which it is true."""
        return replace(self, lines=tuple(compress(self.lines, chosen)))

    def objects(self) -> Iterator[Mapping[str, object]]:
        """Each row by the names of its columns."""
        for line in self.lines:
            if self.format == "tsv":
                yield dict(zip(self.types, line.split("\t"), strict=True))
            else:
                yield json.loads(line)


Rows = ArrowRows | LineRows


def shard_rows(plan: Plan, shard: Shard) -> Iterator[Rows]:
    """The rows of a shard, some at a time, if the table is still the one that was planned."""
    table = plan.inputs[shard.input]
    if table.format == "parquet":
        found = footer(table.path)
        if (found.size, found.digest) != (table.size, table.digest):
            raise changed(table)
        groups = range(shard.start, shard.end)
        for batch in batches(table.path, list(found.types), BATCH, groups):
            yield ArrowRows(batch)
        return
    columns = types(table.path)
    left = shard.rows
    reader = ShardLines(plan, shard, table)
    with reader:
        lines = (line for _, line in reader)
        if table.format == "tsv":
            next(lines, None)
        # Whoever reads on sees only rows; if they are the right ones, the hash says in the end.
        while some := tuple(islice(lines, BATCH)):
            left -= len(some)
            if left < 0:
                break
            yield LineRows(table.format, columns, some)
        if left or reader.digest != shard.digest:
            raise changed(table)
