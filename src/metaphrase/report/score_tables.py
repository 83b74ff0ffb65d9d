"""Scores as tables for people, as TSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from metaphrase.report.columns import Cell, Columns
from metaphrase.scoring import MetricInfo, Scores

#: A cell of TSV is one line without tabs; names that have them are written as in Python.
_ESCAPES = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def score_view(scores: Scores) -> list[RenderableType]:
    """Tables of what was asked for, best systems in bold, and the signatures below."""
    parts: list[RenderableType] = [Text(_title(scores), style="bold")]
    if any(system.system for system in scores.systems):
        parts += ["", _system_table(scores)]
    for level, units in (
        ("document", list(scores.documents)),
        ("segment", [str(number + 1) for number in range(scores.segments)]),
    ):
        if any(getattr(system, level) for system in scores.systems):
            parts += ["", _unit_table(scores, level, units)]
    parts.append("")
    parts += [Text(metric.signature, style="dim", overflow="fold") for metric in scores.metrics]
    return parts


def score_json(scores: Scores) -> str:
    """One schema for every combination of metrics, systems and levels."""
    return json.dumps(scores.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)


def score_tsv(scores: Scores) -> Iterator[str]:
    """Long form: a line per level, system, unit and metric, after a header."""
    yield "level\tsystem\tdocument\tsegment\tmetric\tscore"
    documents = [name.translate(_ESCAPES) for name in scores.documents]
    of_segment = [name.translate(_ESCAPES) for name in scores.segment_documents]
    for system in scores.systems:
        name = system.name.translate(_ESCAPES)
        for metric in (info.name for info in scores.metrics):
            if metric in system.system:
                yield f"system\t{name}\t\t\t{metric}\t{system.system[metric]!r}"
            if metric in system.document:
                values = system.document[metric].tolist()
                for document, value in zip(documents, values, strict=True):
                    yield f"document\t{name}\t{document}\t\t{metric}\t{value!r}"
            if metric in system.segment:
                for i, value in enumerate(system.segment[metric].tolist()):
                    document = of_segment[i] if of_segment else ""
                    yield f"segment\t{name}\t{document}\t{i + 1}\t{metric}\t{value!r}"


def counted(number: int, word: str) -> str:
    """``1 segment``, ``2,000 segments``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _title(scores: Scores) -> str:
    return " · ".join(
        (
            counted(len(scores.systems), "system"),
            counted(scores.segments, "segment"),
            counted(scores.references, "reference"),
        )
    )


def _headings(scores: Scores) -> list[str]:
    return [info.name + ("" if info.higher_is_better else " ↓") for info in scores.metrics]


def _system_table(scores: Scores) -> Columns:
    best = {info.name: scores.best(info.name) for info in scores.metrics}
    rows = []
    for system in scores.systems:
        row = [Cell(system.name)]
        for info in scores.metrics:
            wins = len(scores.systems) > 1 and system.name in best[info.name]
            number = _number(system.system[info.name], info)
            row.append(Cell(number, "bold green" if wins else ""))
        rows.append(row)
    return Columns(["system", *_headings(scores)], rows, [False, *(True for _ in scores.metrics)])


def _unit_table(scores: Scores, level: str, units: list[str]) -> Columns:
    """Documents or segments, the systems of each one under the other so that they can be compared."""
    columns = [
        [getattr(system, level)[info.name].tolist() for info in scores.metrics]
        for system in scores.systems
    ]
    rows = []
    for i, unit in enumerate(units):
        for k, system in enumerate(scores.systems):
            numbers = (
                Cell(_number(values[i], info))
                for values, info in zip(columns[k], scores.metrics, strict=True)
            )
            rows.append([Cell(unit if k == 0 else ""), Cell(system.name), *numbers])
    right = [level == "segment", False, *(True for _ in scores.metrics)]
    return Columns([level, "system", *_headings(scores)], rows, right)


def _number(value: float, info: MetricInfo) -> str:
    """Four digits for scores out of 1, two for those out of 100."""
    return f"{value:.4f}" if info.bounds[1] <= 1 else f"{value:.2f}"
