"""A table of agreement for people: metrics down, data sets across, clusters as small numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from metaphrase.meta import AgreementTable, AnnotatorAgreement, Column, mean_over
from metaphrase.report.terminal.columns import Cell, Columns, one_line, visible

Judges = tuple[AnnotatorAgreement, AnnotatorAgreement]
#: Marks a value on judgements that the metric has learned from.
LEARNED = "†"
_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def agreement_view(table: AgreementTable) -> list[RenderableType]:
    """One block per data set and measure; values carry the number of their cluster, the first in bold."""
    parts: list[RenderableType] = []
    for columns in table.by_measure():
        title = Text(visible(columns[0].data), style="bold")
        title.append(f"   {columns[0].measure}", style="not bold")
        parts += [title, agreement_block(table, columns), ""]
    if note := cluster_note(table):
        parts.append(Text(note, style="dim"))
    parts += [one_line(note) for note in learned_notes(table)]
    parts += [one_line(f"—: {reason}") for reason in table.undefined()]
    skipped = [column for column in table.columns if column.skipped]
    parts += [
        Text(
            visible(
                f"{column.data} {column.language_pair}: without {column.skipped:,} segments that a metric "
                "refused"
            ),
            style="yellow",
        )
        for column in skipped
    ]
    parts += [one_line(line, "dim") for line in signature_lines(table)]
    return parts


def signature_lines(table: AgreementTable) -> list[str]:
    """The signature of each metric, or where it ran by several, each with its language pairs."""
    lines = []
    for found in table.signatures().values():
        for signature, columns in found.items():
            pairs = ", ".join(dict.fromkeys(column.language_pair for column in columns))
            lines.append(signature if len(found) == 1 else f"{pairs}: {signature}")
    return lines


def cluster_note(table: AgreementTable) -> str:
    """What the small numbers mean, if there are any."""
    if not any(column.cluster.any() for column in table.columns):
        return ""
    return "¹ ² …: clusters of metrics that do not differ significantly (p > 0.05)"


def learned_notes(table: AgreementTable) -> list[str]:
    """Which values say little about other test sets, and which metrics ask a pretrained network."""
    notes = [f"{LEARNED}: trained on this set: {note}" for note in table.learned()]
    if table.pretrained:
        notes.append(f"pretrained network: {', '.join(table.pretrained)}")
    return notes


def agreement_json(table: AgreementTable) -> str:
    """The table with signatures; undefined values are null."""
    return json.dumps(table.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)


def judges_view(found: Mapping[tuple[str, str], Judges]) -> list[RenderableType]:
    """How far judges agree with each other and with themselves, by data set."""
    header = ["data", "pair", "kappa, between judges", "pairs", "kappa, same judge", "pairs"]
    rows = []
    for (data, pair), both in found.items():
        cells = []
        for one in both:
            cells += [value_cell(one.kappa, 0), Cell(f"{one.comparisons:,}")]
        rows.append([Cell(data), Cell(pair), *cells])
    return [Columns(header, rows, [False, False, True, True, True, True], keys=2)]


def judges_json(found: Mapping[tuple[str, str], Judges]) -> str:
    """The same with all numbers; undefined ones are null."""
    records = []
    for (data, pair), (between, within) in found.items():
        record: dict[str, object] = {"data": data, "language_pair": pair}
        for name, one in (("different_judges", between), ("same_judge", within)):
            numbers = asdict(one)
            record[name] = {
                k: None if isinstance(v, float) and np.isnan(v) else v for k, v in numbers.items()
            }
        records.append(record)
    return json.dumps(records, ensure_ascii=False, indent=1, allow_nan=False)


def agreement_block(table: AgreementTable, columns: list[Column]) -> Columns:
    """The columns of one data set and measure, with their mean."""
    several = len(columns) > 1
    means = mean_over(columns).tolist()
    rows = []
    for row, name in enumerate(table.metrics):
        values = [float(column.value[row]) for column in columns]
        learned = [bool(column.learned) and column.learned[row] for column in columns]
        cells = [
            value_cell(value, int(column.cluster[row]), seen)
            for value, column, seen in zip(values, columns, learned, strict=True)
        ]
        mean = [value_cell(means[row], 0, any(learned))] if several else []
        rows.append([Cell(name), *cells, *mean])
    rows += _basis_rows(columns)
    header = ["metric", *(column.language_pair for column in columns)]
    header += ["mean"] if several else []
    return Columns(header, rows, [False, *(True for _ in header[1:])])


def _basis_rows(columns: Sequence[Column]) -> list[list[Cell]]:
    """How much stands behind the values, below them."""
    rows = []
    for name in ("systems", "segments", "judged", "pairs"):
        counts = [column.basis and getattr(column.basis, name) for column in columns]
        if any(count is not None for count in counts):
            numbers = [Cell("" if n is None else f"{n:,}", "dim") for n in counts]
            rows.append([Cell(name, "dim"), *numbers, *([Cell("")] if len(columns) > 1 else [])])
    return rows


def value_cell(value: float, cluster: int, learned: bool = False) -> Cell:
    """A value with the number of its cluster and the mark of a set that taught the metric, or a dash."""
    if np.isnan(value):
        return Cell("—")
    mark = str(cluster).translate(_DIGITS) if cluster else ""
    shown = f"{value:.3f}{mark}{LEARNED if learned else ''}"
    return Cell(shown, "bold" if cluster == 1 else "")
