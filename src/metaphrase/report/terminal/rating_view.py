"""How far judges can be relied on, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from math import isnan

from rich.console import RenderableType
from rich.text import Text

from metaphrase.meta.judges import FEWEST_CONTROLS, WORDS_PER_SECOND, JudgeReport, RatingAgreement
from metaphrase.report.terminal.columns import Cell, Columns, rounded, visible

_HEADER = [
    "judge", "items", "mean", "deviation", "r with others", "twice", "apart", "degraded", "lower", "p",
    "seconds", "too fast", "",
]  # fmt: skip


def ratings_view(found: Sequence[RatingAgreement]) -> list[RenderableType]:
    """Each campaign: how far its judges agree, then a line for each of them."""
    parts: list[RenderableType] = []
    for one in found:
        title = Text(visible(f"{one.name} {one.language_pair}".strip()), style="bold")
        title.append(f"   {one.protocol.upper()}", style="not bold")
        parts += [title, _summary(one), ""]
        rows = [_row(judge) for judge in one.judges]
        used = [any(row[place].text for row in rows) for place in range(len(_HEADER))]
        header = [name if there else "" for name, there in zip(_HEADER, used, strict=True)]
        parts += [Columns(header, rows, _RIGHT), ""]
    parts += [Text(note, style="dim") for note in _notes(found)]
    return parts


_RIGHT = [False, *(True for _ in _HEADER[1:-1]), False]


def ratings_json(found: Sequence[RatingAgreement]) -> str:
    """The same with all numbers; undefined ones are null."""
    records = []
    for one in found:
        record = asdict(one)
        for judge, report in zip(record["judges"], one.judges, strict=True):
            judge["verdict"] = report.verdict
        records.append(_without_nan(record))
    return json.dumps(records, ensure_ascii=False, indent=1, allow_nan=False)


def _summary(one: RatingAgreement) -> Columns:
    rows = [
        ("items", f"{one.items:,}, of which {one.shared:,} by two judges or more"),
        ("alpha of scores", _number(one.alpha, ".3f")),
        ("Pearson's r of two judges", _number(one.pearson, ".3f")),
    ]
    if not isnan(one.severity_alpha):
        rows.append(("alpha of the worst error", _number(one.severity_alpha, ".3f")))
    rows += [(f"kappa of {name}", _number(value, ".3f")) for name, value in one.kappa.items()]
    return Columns(["", ""], [[Cell(name), Cell(value)] for name, value in rows], [False, False])


def _row(one: JudgeReport) -> list[Cell]:
    style = {"left out": "bold red", "kept": "green"}.get(one.verdict, "dim")
    return [
        Cell(one.judge),
        Cell(f"{one.items:,}"),
        Cell(_number(one.mean, ".1f")),
        Cell(_number(one.deviation, ".1f")),
        Cell(_number(one.agreement, ".3f")),
        Cell(str(one.repeated) if one.repeated else ""),
        Cell(_number(one.repeat_difference, ".1f") if one.repeated else ""),
        Cell(str(one.controlled) if one.controlled else ""),
        Cell(_number(one.lower, ".0%") if one.controlled else ""),
        Cell(_number(one.p_value, ".3f") if one.controlled else ""),
        Cell("" if isnan(one.seconds) else _number(one.seconds, ".0f")),
        Cell("" if isnan(one.too_fast) else _number(one.too_fast, ".0%")),
        Cell(one.verdict, style),
    ]


def _notes(found: Sequence[RatingAgreement]) -> list[str]:
    judges = [judge for one in found for judge in one.judges]
    notes = []
    if any(judge.repeated for judge in judges):
        notes.append("twice, apart: items judged twice, and the mean distance of the two scores")
    if any(judge.controlled for judge in judges):
        notes.append(
            "degraded, lower: items judged beside a degraded copy, and the share of copies that scored "
            "lower; p: Wilcoxon's signed-rank test that they do. Who does not pass at .05 is left out; with "
            f"fewer than {FEWEST_CONTROLS} nobody can."
        )
    if not all(isnan(judge.too_fast) for judge in judges):
        notes.append(f"too fast: items read at more than {WORDS_PER_SECOND:.1f} words in a second")
    return notes


def _number(value: float, form: str) -> str:
    if isnan(value):
        return "—"
    return format(value, form) if form.endswith("%") else rounded(value, form)


def _without_nan(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without_nan(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and isnan(value) else value
