"""The tables of a job: Parquet, JSON Lines and TSV, cut into shards and read shard by shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metaphrase.corpus.formats.tables.parquet_file import ENDINGS, footer, is_parquet
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.tables import parquet, text
from metaphrase.jobs.tables.pieces import Cut, Piece, changed

__all__ = ["Cut", "Piece", "changed", "cut", "read", "types"]


def cut(path: str, number: int, rows: int) -> Cut:
    """Cut table ``number`` of a job into shards of ``rows`` rows or somewhat more."""
    if _is_parquet(path):
        return parquet.cut(path, number, rows)
    return text.cut(path, number, rows)


def types(path: str) -> Mapping[str, str]:
    """The columns of a table with their types, as far as its beginning tells."""
    return footer(path).types if _is_parquet(path) else text.types(path)


def read(plan: Plan, shard: Shard) -> Iterator[Piece]:
    """The rows of a shard, a few at a time, if the table is still the one that was planned."""
    table = plan.inputs[shard.input]
    reader = parquet.read if table.format == "parquet" else text.read
    return reader(plan, shard, table)


def _is_parquet(path: str) -> bool:
    return path.lower().endswith(ENDINGS) or is_parquet(path)
