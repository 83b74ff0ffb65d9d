"""A shared task for people: metrics from best to worst, tasks across, and what was published beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from metaphrase.meta.published_table import AVERAGE, RANK, PublishedTable
from metaphrase.meta.task_table import TaskTable
from metaphrase.report.terminal.agreement_view import value_cell
from metaphrase.report.terminal.columns import Cell, Columns, one_line, visible
from metaphrase.statistics.chance_accuracy import DRAWS

#: Two numbers that were rounded to three digits may differ by this and still be the same.
_ROUNDED = 0.0005 + 1e-9
_CHANCE_NOTE = (
    f"chance: what acc-eq gives random scores, calibrated like the others (mean of {DRAWS} draws), "
    "and one score for all, exactly; no metric gets less than the latter"
)


def task_view(table: TaskTable, published: PublishedTable | None = None) -> list[RenderableType]:
    """The table, and below it what its marks mean and why values are missing."""
    title = Text(visible(table.data), style="bold")
    title.append(f"   metrics task {table.task}", style="not bold")
    found = {} if published is None else published.columns
    header = ["metric", "submission"]
    columns: list[list[Cell]] = [
        [Cell(metric.name) for metric in table.metrics],
        [Cell(metric.kind, "dim") for metric in table.metrics],
    ]
    given = [(AVERAGE, table.average, table.cluster)]
    given += [(column.task.label, column.value, column.cluster) for column in table.columns]
    for name, values, clusters in given:
        header.append(name)
        columns.append(
            [value_cell(v, c) for v, c in zip(values.tolist(), clusters.tolist(), strict=True)]
        )
        if name in found:
            header.append("published")
            ranks = found.get(RANK, {}) if name == AVERAGE else {}
            columns.append(_published(table, found[name], ranks, values.tolist()))
    weights = [Cell("weight", "dim"), Cell(""), Cell("")]
    for column in table.columns:
        share = f"{column.weight:.3f}".rstrip("0")
        weights += [Cell(share, "dim"), *([Cell("")] if column.task.label in found else [])]
    if AVERAGE in found:
        weights.insert(3, Cell(""))
    rows = [list(row) for row in zip(*columns, strict=True)]
    shape = [False, False, *(True for _ in header[2:])]
    chance = _chance(table, header)
    parts: list[RenderableType] = [title, Columns(header, [*rows, *chance, weights], shape), ""]
    if table.resamples:
        parts.append(
            Text(
                "¹ ² …: clusters of metrics that do not differ significantly (p > 0.05)",
                style="dim",
            )
        )
    if chance:
        parts.append(Text(_CHANCE_NOTE, style="dim"))
    parts += [one_line(f"—: {reason}") for reason in table.undefined()]
    if published is not None:
        parts += [one_line(line) for line in _comparison(table, published)]
    own = [metric.signature for metric in table.metrics if metric.kind == "ours"]
    return [*parts, *(one_line(signature, "dim") for signature in own)]


def _chance(table: TaskTable, header: Sequence[str]) -> list[list[Cell]]:
    """What metrics that know nothing get where acc-eq is measured; other columns stay empty."""
    found = {column.task.label: column.chance for column in table.columns if column.chance}
    if not found:
        return []
    random = {name: chance.calibrated for name, chance in found.items()}
    constant = {name: chance.constant for name, chance in found.items()}
    return [
        [
            Cell(title, "dim"),
            Cell("chance", "dim"),
            *(Cell(f"{v[name]:.3f}" if name in v else "", "dim") for name in header[2:]),
        ]
        for title, v in (("random scores", random), ("constant scores", constant))
    ]


def task_json(table: TaskTable, published: PublishedTable | None = None) -> str:
    """The table as data; ``published`` has the numbers by column and metric."""
    data = table.to_dict()
    if published is not None:
        data["published"] = {name: dict(numbers) for name, numbers in published.columns.items()}
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)


def _published(
    table: TaskTable,
    numbers: Mapping[str, float],
    ranks: Mapping[str, float],
    values: Sequence[float],
) -> list[Cell]:
    """Published numbers; those that differ from ours by more than rounding stand out."""
    cells = []
    for metric, value in zip(table.metrics, values, strict=True):
        if metric.name not in numbers:
            cells.append(Cell("—", "dim"))
            continue
        rank = ranks.get(metric.name, 0.0)
        cell = value_cell(numbers[metric.name], int(rank))
        differs = abs(numbers[metric.name] - value) > _ROUNDED
        cells.append(Cell(cell.text, "yellow" if differs else "dim"))
    return cells


def _comparison(table: TaskTable, published: PublishedTable) -> list[str]:
    """How far the published numbers are from ours, in words."""
    lines = []
    ours = {AVERAGE: table.average, **{c.task.label: c.value for c in table.columns}}
    names = [metric.name for metric in table.metrics]
    gaps = [
        abs(numbers[metric] - value)
        for column, numbers in published.columns.items()
        if column != RANK
        for metric, value in zip(names, ours[column].tolist(), strict=True)
        if metric in numbers and not np.isnan(value)
    ]
    if gaps:
        same = sum(gap <= _ROUNDED for gap in gaps)
        lines.append(
            f"published: {same:,} of {len(gaps):,} numbers are ours to three digits; the largest difference "
            f"is {max(gaps):.3f}"
        )
    if published.unknown:
        lines.append(f"published, but not in this table: {', '.join(published.unknown)}")
    return lines
