"""Columns of text that line up: quick enough for a hundred thousand rows, in a terminal or a pipe."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from unicodedata import category

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

_GAP = "  "
#: Columns of a terminal that nobody has measured.
_SCREEN = 100
#: Columns of words are not made narrower than this; the table is cut into several instead.
_NARROWEST = 8
#: Where a line may end: between words and parts of signatures; else inside names of metrics and files.
_PIECES = (re.compile(r"[^ |]*[ |]*"), re.compile(r"[^:,/]*[:,/]*"))


def visible(text: str, *, keep: str = "") -> str:
    """``text`` without anything that could move the cursor or hide itself; all blanks are plain.

    Characters to ``keep`` are those that may steer after all, such as line ends.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _mark(c) for c in text)


def _mark(character: str) -> str:
    return " " if category(character) == "Zs" else "\N{REPLACEMENT CHARACTER}"


def rounded(number: float, form: str) -> str:
    """``number`` in a format of fixed digits; what rounds to zero has no minus."""
    text = format(number, form)
    return format(0.0, form) if float(text) == 0 else text


def folded(text: str, width: int) -> list[str]:
    """``text`` in lines of at most ``width`` cells, between words if possible."""
    if cell_len(text) <= width:
        return [text]
    lines = [""]
    for piece in _pieces(text, width):
        if cell_len((lines[-1] + piece).rstrip()) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines if line.strip()] or [""]


def _pieces(text: str, width: int, level: int = 0) -> Iterator[str]:
    """What must stay on one line: words, their parts if they are too long, or what a line holds of them."""
    if cell_len(text.rstrip()) <= width:
        yield text
    elif level == len(_PIECES):
        yield from chop_cells(text, width)
    else:
        for piece in _PIECES[level].findall(text):
            yield from _pieces(piece, width, level + 1)


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one place, and in which style of Rich."""

    text: str
    style: str = ""


_Line = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Columns:
    """A table without lines; ``right`` says which columns are numbers and flush right.

    Where the screen is too narrow, words and headings are folded, and if that is not enough, columns behind
    the first ``keys`` are shown in several tables, one below the other. Nothing is ever cut, and no number is
    folded: a number that lost its end would be another number.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    right: Sequence[bool]
    keys: int = 1

    def lines(self, width: int | None = None) -> Iterator[str]:
        """The rows as plain text, header first; without a ``width`` each is one line."""
        return (_GAP.join(text for text, _ in line).rstrip() for line in self._lines(width))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self._lines(options.max_width):
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
            yield [
                cell if cell.text.isprintable() else Cell(visible(cell.text), cell.style)
                for cell in row
            ]

    def _lines(self, width: int | None) -> Iterator[_Line]:
        widths = self._widths(self._table())
        if width is None or _total(widths) <= width:
            yield from self._padded(widths, [i for i, w in enumerate(widths) if w])
            return
        widths = self._narrowed(widths, width)
        for number, columns in enumerate(self._parts(widths, width)):
            if number:
                yield []
            yield from self._padded(widths, columns)

    def _widths(self, rows: Iterator[Sequence[Cell]]) -> list[int]:
        widths = [0] * len(self.header)
        for row in rows:
            for i, cell in enumerate(row):
                widths[i] = max(widths[i], _width(cell.text))
        return widths

    def _narrowed(self, widths: Sequence[int], room: int) -> list[int]:
        """Widths that fit, the widest columns of words giving way first; failing that, the smallest ones."""
        table = self._table()
        if any(self.header):
            next(table)
        numbers = self._widths(table)
        floors = [
            max(number if right else 0, min(_longest_word(name), _NARROWEST + 2))
            for name, number, right in zip(self.header, numbers, self.right, strict=True)
        ]
        for most in range(room, _NARROWEST - 1, -1):
            narrow = [max(min(w, most), floor) for w, floor in zip(widths, floors, strict=True)]
            if _total(narrow) <= room:
                return narrow
        most = max(room // 3, _NARROWEST)
        return [max(min(w, most), floor) for w, floor in zip(widths, floors, strict=True)]

    def _parts(self, widths: Sequence[int], room: int) -> Iterator[list[int]]:
        """The columns of each table: the keys, and as many others as there is room for."""
        keys = [i for i in range(self.keys) if widths[i]]
        part = [*keys]
        for column in (i for i in range(self.keys, len(widths)) if widths[i]):
            if len(part) > len(keys) and _total([widths[i] for i in [*part, column]]) > room:
                yield part
                part = [*keys]
            part.append(column)
        yield part

    def _padded(self, widths: Sequence[int], columns: Sequence[int]) -> Iterator[_Line]:
        for row in self._table():
            cells = [
                [row[i].text]
                if _width(row[i].text) <= widths[i]
                else folded(row[i].text, widths[i])
                for i in columns
            ]
            for line in zip_longest(*cells, fillvalue=""):
                padded = []
                for text, i in zip(line, columns, strict=True):
                    gap = " " * (widths[i] - _width(text))
                    padded.append((gap + text if self.right[i] else text + gap, row[i].style))
                yield padded


def one_line(text: str, style: str = "") -> Columns:
    """A text that is one line wherever there is room, and folded between its parts elsewhere."""
    return Columns([""], [[Cell(text, style)]], [False])


def _longest_word(text: str) -> int:
    return max(cell_len(word) for word in re.split(r"[ |:,/]", text))


def _total(widths: Sequence[int]) -> int:
    """With the gaps; an empty column has none."""
    shown = [width for width in widths if width]
    return sum(shown) + len(_GAP) * (len(shown) - 1)


def _width(text: str) -> int:
    """In cells of a terminal; most text is ASCII, which is quick to tell."""
    return len(text) if text.isascii() else cell_len(text)


def plain_text(parts: Iterable[RenderableType]) -> str:
    """What a terminal of 100 columns would show, without colours."""
    stream = StringIO()
    console = Console(
        file=stream, width=_SCREEN, color_system=None, markup=False, emoji=False, highlight=False
    )
    for part in parts:
        console.print(part, crop=False)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())
