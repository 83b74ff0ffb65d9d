"""A table of results that somebody published, to stand beside the same results computed again.

TSV with a header: ``metric``, and columns of numbers called ``average``, ``rank`` (the cluster of the
average) or like a task of the table (``en-de sys spa``). An empty cell is no number. Metrics are called as
the table calls them; those that it does not have are passed over.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from metaphrase.corpus.formats.judged.fields import judged_number
from metaphrase.corpus.formats.tables.tsv import table_rows
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError

METRIC, AVERAGE, RANK = "metric", "average", "rank"


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """Numbers by column and metric, and which metrics it has beside ours."""

    columns: Mapping[str, Mapping[str, float]]
    unknown: tuple[str, ...] = ()
    path: str | None = field(default=None, compare=False)


def read_published(
    path: FilePath, *, metrics: Collection[str], tasks: Sequence[str]
) -> PublishedTable:
    """The published numbers of these metrics and tasks."""
    expected = (AVERAGE, RANK, *tasks)
    columns: dict[str, dict[str, float]] = {}
    unknown: dict[str, None] = {}
    seen: set[str] = set()
    with LineReader(path) as reader:
        for line, cells in table_rows(reader):
            if not columns:
                _check_header(list(cells), expected, reader.name)
                columns = {name: {} for name in cells if name != METRIC}
            metric = cells[METRIC]
            if metric in seen:
                raise InputError(
                    "MP771",
                    f"The metric {metric!r} has been given before.",
                    path=reader.name,
                    line=line,
                    hint="Each metric has one line.",
                )
            seen.add(metric)
            if metric not in metrics:
                unknown[metric] = None
                continue
            for name, numbers in columns.items():
                if cells[name]:
                    numbers[metric] = judged_number(cells[name], reader.name, line)
        if not seen:
            raise InputError(
                "MP771", "The table has no metric.", path=reader.name, hint="Add a line for each."
            )
        return PublishedTable(columns, tuple(unknown), reader.name)


def _check_header(names: list[str], expected: tuple[str, ...], path: str) -> None:
    others = [name for name in names if name != METRIC and name not in expected]
    if METRIC in names and len(names) > 1 and not others:
        return
    fault = f"has {others[0]!r}" if others else "lacks metric, or any column of numbers"
    raise InputError(
        "MP771",
        f"The header {fault}.",
        path=path,
        line=1,
        hint=f"Columns are metric and {', '.join(expected)}.",
    )
