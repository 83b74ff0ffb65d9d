"""How models predict what they were not trained on, as a table or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING

from metaphrase.report.columns import Cell, Columns

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.learning.edit_validation import HeldOut

_NUMBERS = ("pearson", "spearman", "mean_squared_error")


def validation_view(found: Sequence[HeldOut]) -> list[RenderableType]:
    """A row for each part that was held out, and the mean over them."""
    header = ["held out", "pairs", "Pearson", "Spearman", "mean squared error"]
    rows = [
        [Cell(one.group), Cell(f"{one.pairs:,}"), *(_cell(getattr(one, n)) for n in _NUMBERS)]
        for one in found
    ]
    means = [_cell(_mean(found, name), "bold") for name in _NUMBERS]
    rows.append([Cell("mean", "bold"), Cell(f"{sum(one.pairs for one in found):,}"), *means])
    return [Columns(header, rows, [False, True, True, True, True])]


def validation_json(found: Sequence[HeldOut]) -> str:
    """The same with all digits; undefined numbers are null."""

    def number(value: float) -> float | None:
        return None if isnan(value) else value

    records = [
        asdict(one) | {name: number(getattr(one, name)) for name in _NUMBERS} for one in found
    ]
    means = {name: number(_mean(found, name)) for name in _NUMBERS}
    return json.dumps({"held_out": records, "mean": means}, ensure_ascii=False, indent=1)


def _mean(found: Sequence[HeldOut], name: str) -> float:
    """Over parts, not over pairs; of those that have a value."""
    values = [value for one in found if not isnan(value := getattr(one, name))]
    return sum(values) / len(values) if values else float("nan")


def _cell(value: float, style: str = "") -> Cell:
    return Cell("—" if isnan(value) else f"{value:.4f}", style)
