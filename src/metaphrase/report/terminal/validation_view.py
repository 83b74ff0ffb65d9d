"""How models predict what they were not trained on, as a table or JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from metaphrase.report.terminal.columns import Cell, Columns

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.learning.edit_machines.validation import HeldOut, Validation

_NUMBERS = ("pearson", "spearman", "mean_squared_error")


def validation_view(found: Validation) -> list[RenderableType]:
    """A row for each part that was held out, the mean over them, and all their pairs pooled."""
    header = ["held out", "pairs", "Pearson", "Spearman", "mean squared error"]
    rows = [
        [Cell(one.group), Cell(f"{one.pairs:,}"), *(_cell(getattr(one, n)) for n in _NUMBERS)]
        for one in found.parts
    ]
    means = [_cell(_mean(found, name), "bold") for name in _NUMBERS]
    rows.append([Cell(f"mean of {len(found.parts)}", "bold"), Cell(""), *means])
    pooled = [_cell(getattr(found.pooled, name), "bold") for name in _NUMBERS]
    rows.append([Cell("all, pooled", "bold"), Cell(f"{found.pooled.pairs:,}"), *pooled])
    return [Columns(header, rows, [False, True, True, True, True])]


def validation_json(found: Validation) -> str:
    """The same with all digits; undefined numbers are null."""
    whole = {
        "held_out": [_record(one) for one in found.parts],
        "mean": {name: _number(_mean(found, name)) for name in _NUMBERS},
        "pooled": _record(found.pooled),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)


def _record(one: HeldOut) -> dict[str, Any]:
    return asdict(one) | {name: _number(getattr(one, name)) for name in _NUMBERS}


def _number(value: float) -> float | None:
    return None if isnan(value) else value


def _mean(found: Validation, name: str) -> float:
    """Over parts, not over pairs; undefined if a part has no value, for it would be of other parts."""
    values = [getattr(one, name) for one in found.parts]
    return nan if any(map(isnan, values)) else sum(values) / len(values)


def _cell(value: float, style: str = "") -> Cell:
    return Cell("—" if isnan(value) else f"{value:.4f}", style)
