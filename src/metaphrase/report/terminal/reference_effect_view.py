"""What further references change, for the terminal and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from metaphrase.report.terminal.columns import Cell, Columns, one_line, rounded, visible
from metaphrase.report.terminal.score_tables import counted
from metaphrase.scoring.reference_effect import ReferenceEffect
from metaphrase.scoring.result import MetricInfo

COLUMNS = ("metric", "system", "references", "segments", "score", "change", "rank")
#: Pairs of systems that are named.
_PAIRS = 5


def reference_effect_view(effect: ReferenceEffect) -> list[RenderableType]:
    """A table for each metric, which systems change places, and how many segments have each reference."""
    title = " · ".join(
        (
            counted(len(effect.systems), "system"),
            counted(effect.segments, "segment"),
            counted(len(effect.having), "reference"),
        )
    )
    parts: list[RenderableType] = [Text(title, style="bold")]
    for info in effect.metrics:
        parts += ["", _table(effect, info)]
        if len(effect.systems) > 1:
            parts.append(Text(visible(_order(effect, info.name))))
    there = ", ".join(f"{count:,} have reference {n}" for n, count in enumerate(effect.having, 1))
    parts += [
        "",
        Text("in parentheses: the change against reference 1 alone", style="dim"),
        Text(f"segments: {there}", style="dim"),
        "",
    ]
    return [*parts, *(one_line(info.signature, "dim") for info in effect.metrics)]


def reference_effect_json(effect: ReferenceEffect) -> str:
    """All of it."""
    return json.dumps(effect.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)


def reference_effect_tsv(effect: ReferenceEffect) -> Iterator[str]:
    """A row for each metric, system and number of references; ``segments`` have the last of these."""
    yield "\t".join(COLUMNS)
    for info in effect.metrics:
        ranks = effect.ranks(info.name).tolist()
        for name, scores, of_system in zip(
            effect.systems, effect.scores[info.name].tolist(), ranks, strict=True
        ):
            for number, (count, score, rank) in enumerate(
                zip(effect.having, scores, of_system, strict=True), 1
            ):
                cells = (info.name, name, number, count, score, score - scores[0], rank)
                yield "\t".join(" ".join(str(cell).split()) for cell in cells)


def _table(effect: ReferenceEffect, info: MetricInfo) -> Columns:
    ranks = effect.ranks(info.name).tolist()
    rows = []
    for name, scores, of_system in zip(
        effect.systems, effect.scores[info.name].tolist(), ranks, strict=True
    ):
        changes = (
            f"{info.shown(score)} ({rounded(score - scores[0], f'+.{info.digits}f')})"
            for score in scores[1:]
        )
        rank = str(of_system[0])
        if of_system[-1] != of_system[0]:
            rank += f" → {of_system[-1]}"
        rows.append([Cell(name), Cell(info.shown(scores[0])), *map(Cell, changes), Cell(rank)])
    heading = info.name + ("" if info.higher_is_better else " ↓")
    steps = [f"references 1–{number}" for number in range(2, len(effect.having) + 1)]
    header = [heading, "reference 1", *steps, "rank"]
    return Columns(header, rows, [False, *(True for _ in header[1:])])


def _order(effect: ReferenceEffect, metric: str) -> str:
    """Which systems change places."""
    pairs = effect.reordered(metric)
    count = len(effect.systems)
    every = count * (count - 1) // 2
    if not pairs:
        return "no two systems change places"
    named = "; ".join(f"{better} and {worse}" for better, worse in pairs[:_PAIRS])
    more = f"; and {len(pairs) - _PAIRS} more" if len(pairs) > _PAIRS else ""
    what = "pair of systems changes" if every == 1 else "pairs of systems change"
    return f"{len(pairs):,} of {every:,} {what} places: {named}{more}"
