"""Scores as a table for people, as TSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from metaphrase.scoring import MetricInfo, Scores


def score_view(scores: Scores) -> RenderableType:
    """Tables of what was asked for, best system in bold, and the signatures below."""
    parts: list[RenderableType] = [Text(_title(scores), style="bold")]
    if any(system.system for system in scores.systems):
        parts += ["", _system_table(scores)]
    if any(system.document for system in scores.systems):
        parts += ["", _unit_table(scores, "document")]
    if any(system.segment for system in scores.systems):
        parts += ["", _unit_table(scores, "segment")]
    parts.append("")
    parts += [Text(metric.signature, style="dim", overflow="fold") for metric in scores.metrics]
    return Group(*parts)


def score_json(scores: Scores) -> str:
    """One schema for every combination of metrics, systems and levels."""
    return json.dumps(scores.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)


def score_tsv(scores: Scores) -> Iterator[str]:
    """Long form: a line per level, system, unit and metric, after a header."""
    yield "level\tsystem\tdocument\tsegment\tmetric\tscore"
    for system in scores.systems:
        for metric in scores.metrics:
            name = metric.name
            if name in system.system:
                yield f"system\t{system.name}\t\t\t{name}\t{system.system[name]!r}"
            if name in system.document:
                values = system.document[name].tolist()
                for document, value in zip(scores.documents, values, strict=True):
                    yield f"document\t{system.name}\t{document}\t\t{name}\t{value!r}"
            if name in system.segment:
                for i, value in enumerate(system.segment[name].tolist()):
                    document = scores.segment_documents[i] if scores.segment_documents else ""
                    yield f"segment\t{system.name}\t{document}\t{i + 1}\t{name}\t{value!r}"


def _title(scores: Scores) -> str:
    counts = (
        (len(scores.systems), "system"),
        (scores.segments, "segment"),
        (scores.references, "reference"),
    )
    return " · ".join(f"{n:,} {word}{'' if n == 1 else 's'}" for n, word in counts)


def _table(scores: Scores, *names: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold", justify="right" if name == "segment" else "left")
    for metric in scores.metrics:
        arrow = "" if metric.higher_is_better else " ↓"
        table.add_column(metric.name + arrow, justify="right", no_wrap=True)
    return table


def _system_table(scores: Scores) -> Table:
    table = _table(scores, "system")
    best = {metric.name: scores.best(metric) for metric in scores.metrics}
    for system in scores.systems:
        cells = []
        for metric in scores.metrics:
            wins = len(scores.systems) > 1 and best[metric.name] == system.name
            number = _number(system.system[metric.name], metric)
            cells.append(Text(number, style="bold green" if wins else ""))
        table.add_row(Text(system.name), *cells)
    return table


def _unit_table(scores: Scores, level: str) -> Table:
    """Documents or segments, the systems of each one under the other so that they can be compared."""
    table = _table(scores, level, "system")
    units: list[Any] = list(scores.documents)
    if level == "segment":
        units = [str(i + 1) for i in range(scores.segments)]
    for i, unit in enumerate(units):
        for k, system in enumerate(scores.systems):
            values = getattr(system, level)
            cells = [_number(values[metric.name][i], metric) for metric in scores.metrics]
            table.add_row(Text(unit if k == 0 else ""), Text(system.name), *cells)
    return table


def _number(value: float, metric: MetricInfo) -> str:
    """Four digits for scores out of 1, two for those out of 100."""
    return f"{value:.4f}" if metric.bounds[1] <= 1 else f"{value:.2f}"
