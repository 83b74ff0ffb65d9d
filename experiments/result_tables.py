"""Tables of results: metrics by judgements at one level, and what can be read off all of them.

A table knows which of its cells are results at all. Everything here is a pure function from tables to lines
of Markdown: ``experiments/result_plan.py`` says what is compared, ``experiments/results.py`` computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

import numpy as np

from metaphrase.meta import Column

Item = TypeVar("Item")

#: Beside a value: the metric was trained on these judgements, or has seen something of them.
TRAINED, TOUCHED = "†", "‡"


@dataclass(frozen=True, slots=True)
class Row:
    """A metric by its specification.

    ours:    whether the page is about it, and not a baseline
    trained: data sets that its parameters were learnt from; values there are no results
    touched: data sets by which something else in it was chosen, or that share references with ``trained``
    label:   what tables call it, if not by its specification
    without: whether each set is judged by a model that was learnt without it
    aside:   whether it was trained on all of them, and so has no part in summaries
    """

    metric: str
    ours: bool = False
    trained: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    label: str = ""
    without: bool = False
    aside: bool = False

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.label or self.metric


@dataclass(frozen=True, slots=True, eq=False)
class ResultTable:
    """Columns of one kind; their arrays have an entry per row.

    ``target`` groups tables of the same rows, and ``kind`` names what the summary averages: tables with
    the same kind are averaged together, those without one are left out of summary and losses.
    """

    title: str
    target: str
    level: str
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    kind: str = ""

    def is_result(self, row: int, column: int) -> bool:
        """Whether the metric has a value there that it did not learn."""
        found = self.columns[column]
        return found.data not in self.rows[row].trained and not np.isnan(found.value[row])

    def lines(self) -> Iterator[str]:
        """The table, with a mean for metrics that have results in all columns."""
        heads = [f"{column.data} {column.language_pair}" for column in self.columns]
        yield f"**{self.title}**: {self.columns[0].measure}"
        yield ""
        yield f"| metric | {' | '.join(heads)} | mean |"
        yield f"| --- |{' ---: |' * (len(heads) + 1)}"
        for number, row in enumerate(self.rows):
            cells = [self._cell(number, column) for column in range(len(self.columns))]
            yield f"| `{row.name}` | {' | '.join([*cells, self._mean(number)])} |"
        yield ""

    def _cell(self, row: int, column: int) -> str:
        found, metric = self.columns[column], self.rows[row]
        value, cluster = float(found.value[row]), int(found.cluster[row])
        if np.isnan(value):
            return "—"
        text = _number(value)
        if found.data in metric.trained:
            return text + TRAINED
        if cluster:
            text = f"**{text}**" if cluster == 1 else f"{text}<sup>{cluster}</sup>"
        return text + (TOUCHED if found.data in metric.touched else "")

    def _mean(self, row: int) -> str:
        if not all(self.is_result(row, column) for column in range(len(self.columns))):
            return "—"
        return _number(float(np.mean([column.value[row] for column in self.columns])))


def section(tables: Sequence[ResultTable], level: str) -> Iterator[str]:
    """All tables of a level."""
    for table in tables:
        if table.level == level:
            yield from table.lines()


def summary(tables: Sequence[ResultTable]) -> Iterator[str]:
    """For each target a table: rows are metrics, columns the kinds of tables.

    A mean is over the columns in which every metric has a result, so that means compare; in brackets, in
    how many of its own results the metric is in the best cluster.
    """
    for target, some in _by(tables, lambda table: table.target):
        kinds = [(kind, alike) for kind, alike in _by(some, lambda table: table.kind) if kind]
        if not kinds:
            continue
        shared = [[_shared(table) for table in alike] for _, alike in kinds]
        counts = [sum(map(len, columns)) for columns in shared]
        heads = [f"{kind} ({count})" for (kind, _), count in zip(kinds, counts, strict=True)]
        yield f"**{target}**"
        yield ""
        yield f"| metric | {' | '.join(heads)} |"
        yield f"| --- |{' ---: |' * len(heads)}"
        for number, row in enumerate(kinds[0][1][0].rows):
            if row.aside:
                continue
            cells = [
                _summed(alike, columns, number)
                for (_, alike), columns in zip(kinds, shared, strict=True)
            ]
            yield f"| `{row.name}` | {' | '.join(cells)} |"
        yield ""


def losses(tables: Sequence[ResultTable]) -> Iterator[str]:
    """Our metrics against the best baseline of every column, and where none of ours is among the best."""
    tables = [table for table in tables if table.kind]
    levels = [level for level, _ in _by(tables, lambda table: table.level)]
    yield f"| metric | {' | '.join(f'{level}s' for level in levels)} |"
    yield f"| --- |{' ---: |' * len(levels)}"
    lost: dict[str, dict[str, list[Column]]] = {}
    for name in dict.fromkeys(
        row.name for table in tables for row in table.rows if row.ours and not row.aside
    ):
        cells = []
        for level in levels:
            outcomes = list(_outcomes([t for t in tables if t.level == level], name))
            ahead, level_, behind = (sum(o == k for _, o in outcomes) for k in (1, 0, -1))
            cells.append(f"{ahead} / {level_} / {behind}" if outcomes else "—")
            lost.setdefault(name, {})[level] = [column for column, o in outcomes if o < 0]
        yield f"| `{name}` | {' | '.join(cells)} |"
    yield ""
    yield "A baseline is in a better cluster than"
    yield ""
    for name, by_level in lost.items():
        parts = [
            f"{level}s of {_places(columns)}" for level, columns in by_level.items() if columns
        ]
        yield f"- `{name}`: {'; '.join(parts) or 'nowhere'}."
    yield ""
    beaten = [
        f"- {table.level}s, {column.data} {column.language_pair}: {leader} before {best}"
        for table in tables
        for column in table.columns
        if (found := _all_beaten(table, column)) is not None
        for leader, best in [found]
    ]
    yield (
        "In these columns no metric of ours is in the best cluster:"
        if beaten
        else "In every column a metric of ours is in the best cluster."
    )
    yield ""
    if beaten:
        yield from [*beaten, ""]


def _outcomes(tables: Sequence[ResultTable], name: str) -> Iterator[tuple[Column, int]]:
    """Columns in which the metric was tested: 1 ahead of all baselines, 0 level, -1 behind one."""
    for table in tables:
        rows = [number for number, row in enumerate(table.rows) if row.name == name]
        for column in table.columns:
            baselines = _clusters(table, column, ours=False)
            for row in rows:
                if column.cluster[row] and baselines:
                    yield column, int(np.sign(min(baselines) - column.cluster[row]))


def _all_beaten(table: ResultTable, column: Column) -> tuple[str, str] | None:
    """The best baseline and the best of ours, with values, if the best cluster has baselines only."""
    ours = _clusters(table, column, ours=True)
    if not ours or min(ours) == 1:
        return None
    best = {
        kind: max(
            (n for n, row in enumerate(table.rows) if row.ours is kind and column.cluster[n]),
            key=lambda number: float(column.value[number]),
        )
        for kind in (False, True)
    }
    first, second = (
        f"`{table.rows[best[kind]].name}` {_number(float(column.value[best[kind]]))}"
        for kind in (False, True)
    )
    return first, second


def _clusters(table: ResultTable, column: Column, *, ours: bool) -> list[int]:
    """Of our metrics or of the baselines, where they were tested."""
    return [
        int(cluster)
        for row, cluster in zip(table.rows, column.cluster, strict=True)
        if row.ours is ours and cluster
    ]


def _shared(table: ResultTable) -> list[int]:
    """The columns in which every metric that is not aside has a result."""
    rows = [number for number, row in enumerate(table.rows) if not row.aside]
    return [
        column
        for column in range(len(table.columns))
        if all(table.is_result(row, column) for row in rows)
    ]


def _summed(tables: Sequence[ResultTable], shared: Sequence[Sequence[int]], row: int) -> str:
    values = [
        float(table.columns[column].value[row])
        for table, columns in zip(tables, shared, strict=True)
        for column in columns
    ]
    clusters = [int(column.cluster[row]) for table in tables for column in table.columns]
    tested = [cluster for cluster in clusters if cluster]
    if not values:
        return "—"
    best = f" ({tested.count(1)}/{len(tested)})" if tested else ""
    return _number(float(np.mean(values))) + best


def _places(columns: Sequence[Column]) -> str:
    """wmt12 cs-en de-en, wmt15 ru-en"""
    return ", ".join(
        f"{data} {' '.join(dict.fromkeys(column.language_pair for column in some))}"
        for data, some in _by(columns, lambda column: column.data)
    )


def _by(items: Sequence[Item], key: Callable[[Item], str]) -> list[tuple[str, list[Item]]]:
    """Groups in order of first appearance."""
    names = list(dict.fromkeys(map(key, items)))
    ordered = sorted(items, key=lambda item: names.index(key(item)))
    return [(name, list(some)) for name, some in groupby(ordered, key)]


def _number(value: float) -> str:
    return f"{value:.3f}"
