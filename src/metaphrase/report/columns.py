"""Columns of text that line up: quick enough for a hundred thousand rows, in a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

_GAP = "  "


def visible(text: str) -> str:
    """``text`` without anything that could move the cursor or hide itself."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def rounded(number: float, form: str) -> str:
    """``number`` in a format of fixed digits; what rounds to zero has no minus."""
    text = format(number, form)
    return format(0.0, form) if float(text) == 0 else text


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one place, and in which style of Rich."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """A table without lines; ``right`` says which columns are numbers and flush right.

    No cell is ever cut or folded: a number that lost its end would be another number.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    right: Sequence[bool]

    def lines(self) -> Iterator[str]:
        """The rows as plain text, header first."""
        return (
            _GAP.join(text for text, _ in line).rstrip() for line in self._padded(self._widths())
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self._padded(self._widths()):
            text = Text(no_wrap=True, overflow="ignore", end="\n")
            for cell, style in line:
                text.append(cell, style=style)
                text.append(_GAP)
            text.rstrip()
            yield text

    def _table(self) -> Iterator[Sequence[Cell]]:
        if any(self.header):
            yield [Cell(visible(name), "bold") for name in self.header]
        for row in self.rows:
            yield [Cell(visible(cell.text), cell.style) for cell in row]

    def _widths(self) -> list[int]:
        widths = [0] * len(self.header)
        for row in self._table():
            for i, cell in enumerate(row):
                widths[i] = max(widths[i], cell_len(cell.text))
        return widths

    def _padded(self, widths: Sequence[int]) -> Iterator[list[tuple[str, str]]]:
        for row in self._table():
            line = []
            for cell, width, right in zip(row, widths, self.right, strict=True):
                gap = " " * (width - cell_len(cell.text))
                line.append((gap + cell.text if right else cell.text + gap, cell.style))
            yield line
