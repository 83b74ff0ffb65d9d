"""Scores as tables for people, as TSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from math import isnan

from rich.console import RenderableType
from rich.text import Text

from metaphrase.report.terminal.columns import Cell, Columns, one_line, visible
from metaphrase.report.terminal.prediction_text import percent
from metaphrase.report.terminal.ranking_view import (
    difference_text,
    pair_matrices,
    ranking_notes,
)
from metaphrase.report.terminal.short_signatures import short_signatures
from metaphrase.scoring import MetricInfo, Resampling, Scores, SystemScores
from metaphrase.scoring.preference import preference_lines
from metaphrase.scoring.ranking import LEVEL as SIGNIFICANT
from metaphrase.scoring.records import COLUMNS, score_records

#: So much of a unit's id is shown.
_LONGEST_ID = 40
#: A cell of TSV is one line without tabs; names that have them are written as in Python.
_ESCAPES = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def score_view(scores: Scores, *, signatures: bool = True, mark: str = "") -> list[RenderableType]:
    """Tables of what was asked for, best systems in bold, and below them doubts, notes and signatures.

    ``signatures`` says whether these are whole, or one short line for all metrics. ``mark`` stands behind
    scores that do not differ significantly from the best.
    """
    parts: list[RenderableType] = [Text(score_title(scores), style="bold")]
    if any(system.system for system in scores.systems):
        parts += ["", system_table(scores, mark=mark)]
    infos = {info.name: info for info in scores.metrics}
    if scores.differences:
        told = (difference_text(one, infos[one.metric]) for one in scores.differences)
        parts += ["", *(Text(visible(line)) for line in told)]
    if any(system.system for system in scores.systems) and (
        lines := list(preference_lines(scores))
    ):
        parts += ["", *(Text(visible(line)) for line in lines)]
    if scores.doubts:
        parts += [
            "",
            *(Text(visible(f"! {doubt.text}"), style="yellow") for doubt in scores.doubts),
        ]
    if skipped := list(skipped_notes(scores)):
        parts += ["", *(Text(visible(note), style="yellow") for note in skipped)]
    if notes := [*ranking_notes(scores), *_difference_notes(scores)]:
        parts += ["", *(Text(visible(note), style="dim") for note in notes)]
    if scores.resampling is not None:
        parts += ["", Text(visible(_resampling_note(scores.resampling)), style="dim")]
    if scores.all_pairs:
        for title, matrix in pair_matrices(scores):
            parts += ["", Text(visible(title), style="bold"), matrix]
    for level in ("domain", "document", "segment"):
        if any(getattr(system, level) for system in scores.systems):
            parts += ["", unit_table(scores, level)]
    if scores.coverages and any(s.system or s.document for s in scores.systems):
        notes = [*_prediction_notes(scores.coverages)]
        parts += ["", *(Text(visible(note), style="dim") for note in notes)]
    parts.append("")
    whole = [metric.signature for metric in scores.metrics]
    shown = whole if signatures else [short_signatures(whole)]
    parts += [one_line(signature, "dim") for signature in shown]
    return parts


def _difference_notes(scores: Scores) -> Iterator[str]:
    if scores.differences:
        one = scores.differences[0]
        yield f"{one.resamples:,} resamples, seed {one.seed}"


def score_json(scores: Scores) -> str:
    """One schema for every combination of metrics, systems and levels."""
    return json.dumps(scores.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)


def score_tsv(scores: Scores) -> Iterator[str]:
    """Long form: a line per level, system, unit and metric, after a header; ``wins`` is a level here.

    What does not concern a line is empty there; ``score`` is of segments that the metric refused.
    """
    yield "\t".join(COLUMNS)
    for record in score_records(scores):
        yield "\t".join(map(_cell, record))


def _cell(value: str | int | float | None) -> str:
    if isinstance(value, str):
        return value.translate(_ESCAPES)
    return "" if value is None else repr(value)


def skipped_notes(scores: Scores) -> Iterator[str]:
    """How many segments each metric refused, if any, and what follows for its numbers."""
    for info in scores.metrics:
        if info.skipped:
            yield (
                f"{info.name}: without {info.skipped:,} of {scores.segments:,} segments, "
                "which it refused (—)"
            )


def counted(number: int, word: str) -> str:
    """``1 segment``, ``2,000 segments``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def score_title(scores: Scores) -> str:
    """How much was scored."""
    return " · ".join(
        (
            counted(len(scores.systems), "system"),
            counted(scores.segments, "segment"),
            counted(scores.references, "reference"),
        )
    )


def _headings(scores: Scores) -> list[str]:
    return [info.name + ("" if info.higher_is_better else " ↓") for info in scores.metrics]


def system_table(scores: Scores, *, mark: str = "") -> Columns:
    """The scores of whole systems, and below each what else is known of it; with a rank if there is one."""
    best = {info.name: scores.best(info.name) for info in scores.metrics}
    columns = [_system_column(scores, info, mark) for info in scores.metrics]
    leading = next(iter(scores.rankings.values()), None)
    ranks = {} if leading is None else {row.system: row.places for row in leading.rows}
    rows = []
    for k, system in enumerate(scores.systems):
        row = [Cell(ranks[k])] if ranks else []
        row.append(Cell(system.name))
        for info, column in zip(scores.metrics, columns, strict=True):
            wins = len(scores.systems) > 1 and system.name in best[info.name]
            row.append(Cell(column[k], "bold green" if wins else ""))
        rows.append(row)
        rows += [[Cell("")] * bool(ranks) + below for below in _further_rows(scores, system)]
    keys = ["rank", "system"] if ranks else ["system"]
    right = [*(False for _ in keys), *(True for _ in scores.metrics)]
    return Columns([*keys, *_headings(scores)], rows, right, keys=len(keys))


def _system_column(scores: Scores, info: MetricInfo, mark: str) -> list[str]:
    """Scores with half their intervals, prediction intervals, and ranks by all metrics but the first."""
    ranking = scores.rankings.get(info.name)
    alike = {
        one.other for one in scores.differences if one.metric == info.name and not one.significant
    }
    rows = {}
    if ranking is not None:
        alike = {scores.systems[place].name for place in ranking.alike()}
        rows = {row.system: row for row in ranking.rows}
    numbers = [info.shown(system.system[info.name]) for system in scores.systems]
    widest = max(map(len, numbers))
    found = []
    for k, (number, cells) in enumerate(zip(numbers, _column(scores, "system", info), strict=True)):
        shown = f"{number:>{widest}}{mark if scores.systems[k].name in alike else ''}"
        place = ""
        if k in rows:
            row = rows[k]
            if row.low is not None and row.high is not None:
                shown += f" ± {info.shown((row.high - row.low) / 2)}"
            place = "" if info is scores.metrics[0] else f"({row.places})"
        found.append((shown + cells[0][len(number) :], place))
    room = max(len(place) for _, place in found)
    return [f"{text} {place:<{room}}" if room else text for text, place in found]


def _further_rows(scores: Scores, system: SystemScores) -> list[list[Cell]]:
    """Below a system's scores: the segments it wins, intervals, then the outcomes of the tests."""
    columns = [list(_further_lines(scores, system, info)) for info in scores.metrics]
    height = max((len(column) for column in columns), default=0)
    return [
        [Cell(""), *(Cell(column[i] if i < len(column) else "") for column in columns)]
        for i in range(height)
    ]


def _further_lines(scores: Scores, system: SystemScores, info: MetricInfo) -> Iterator[str]:
    if info.name in system.wins:
        yield f"wins {100 * system.wins[info.name]:.1f} %"
    value = system.resampled.get(info.name)
    if value is None:
        return
    if value.interval is not None:
        yield f"{info.shown(value.interval.mean)} ± {info.shown(value.interval.half_width)}"
    if scores.resampling is None or scores.resampling.test is None:
        return
    if value.test is None:
        yield "baseline"
    else:
        mark = "*" if value.test.is_significant(SIGNIFICANT) else ""
        yield value.test.untestable(SIGNIFICANT) or f"p {value.test.p_value:.4f}{mark}"


def _resampling_note(resampling: Resampling) -> str:
    parts = []
    if resampling.test is not None:
        test = resampling.test.replace("-", " ").replace("sacrebleu", "sacreBLEU's")
        parts.append(
            f"* p < {SIGNIFICANT} against {resampling.baseline}: {test}, "
            f"{resampling.resamples:,} resamples"
        )
    if resampling.confidence is not None:
        parts.append(f"±: 95 % of {resampling.confidence:,} bootstrap resamples")
    return "; ".join([*parts, f"seed {resampling.seed}"])


def unit_table(scores: Scores, level: str) -> Columns:
    """Domains, documents or segments, systems one under the other so that they can be compared."""
    units: Iterable[str] = scores.documents if level == "document" else scores.domains
    if level == "segment":
        units = map(str, range(1, scores.segments + 1))
    columns = [_column(scores, level, info) for info in scores.metrics]
    ids = scores.segment_ids if level == "segment" else ()
    rows = []
    for i, unit in enumerate(units):
        for k, system in enumerate(scores.systems):
            numbers = (Cell(column[k][i]) for column in columns)
            names = [unit, _short(ids[i])] if ids else [unit]
            first = [Cell(name if k == 0 else "") for name in names]
            rows.append([*first, Cell(system.name), *numbers])
    keys = [level, "id", "system"] if ids else [level, "system"]
    right = [level == "segment", *(False for _ in keys[1:]), *(True for _ in scores.metrics)]
    return Columns([*keys, *_headings(scores)], rows, right, keys=len(keys))


def _short(name: str) -> str:
    """What a file calls a unit, which may be its whole text."""
    words = " ".join(name.split())
    return words if len(words) <= _LONGEST_ID else f"{words[: _LONGEST_ID - 1]}…"


def _column(scores: Scores, level: str, info: MetricInfo) -> list[list[str]]:
    """Each system's scores by one metric; behind them, all as wide, prediction intervals if there are any."""
    column = []
    digits = info.digits - 2  # people differ too much for more
    for system in scores.systems:
        values = scores.values(system=system.name, metric=info.name, level=level)
        # Of one segment it says next to nothing.
        predictions = (
            None
            if level == "segment"
            else scores.predictions(system=system.name, metric=info.name, level=level)
        )
        ends = [""] * len(values)
        if predictions is not None:
            pairs = zip(predictions.low.tolist(), predictions.high.tolist(), strict=True)
            ends = [
                "" if isnan(low) else f"[{low:.{digits}f}–{high:.{digits}f}]" for low, high in pairs
            ]
        column.append([(info.shown(v), e) for v, e in zip(values.tolist(), ends, strict=True)])
    width = max(len(end) for cells in column for _, end in cells)
    return [[f"{number} {end:>{width}}".rstrip() for number, end in cells] for cells in column]


def _prediction_notes(coverages: Mapping[str, float]) -> Iterator[str]:
    for coverage in sorted(set(coverages.values())):
        names = ", ".join(name for name, value in coverages.items() if value == coverage)
        where = "a percentile among systems judged together"
        yield f"[ ]: prediction interval of {names}: {where}, right in {percent(coverage)} of cases"
