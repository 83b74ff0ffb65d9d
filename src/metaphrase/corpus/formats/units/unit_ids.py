"""Ids of units, which must be unique, because files are joined by them."""

from __future__ import annotations

from collections.abc import Iterable

from metaphrase.corpus.units import Unit
from metaphrase.errors import InputError, excerpt


def check_ids(units: Iterable[Unit], path: str) -> None:
    """Refuse an id that two units have; the message names the lines of both."""
    lines: dict[str, int] = {}
    for unit in units:
        if unit.id in lines:
            raise InputError(
                "MP865",
                f"The id {excerpt(unit.id)} is that of line {lines[unit.id]}, too.",
                path=path,
                line=unit.line,
                hint="Units are joined by their ids: give each its own.",
            )
        lines[unit.id] = unit.line
