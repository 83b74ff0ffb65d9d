"""What checks found, for people: each segment with its findings, places marked, and a table of counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from metaphrase.checks import SEVERITIES, Finding, Pair
from metaphrase.checks.tally import Tally
from metaphrase.report.terminal.columns import Cell, Columns, one_line, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

_STYLES = {"critical": "bold red", "major": "yellow", "minor": "cyan"}
_MARK = "^"
_LABEL = 8
_NARROWEST = 20


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text with places marked: by colour where there is any, and by a line below it elsewhere."""

    label: str
    text: str
    places: Sequence[tuple[int, int, str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        shown = visible(self.text.replace("\n", "↵").replace("\t", " "))
        head = f"  {self.label:<{_LABEL}}"
        text = Text(head + shown)
        for start, end, style in self.places:
            text.stylize(f"{style} underline", len(head) + start, len(head) + max(end, start + 1))
        if console.color_system is not None or not self.places:
            yield text
            return
        # Marks must stand below what they mark, so that both are folded at the same places.
        room = max(options.max_width - len(head), _NARROWEST)
        marks = self._marks(shown)
        *pieces, last = chop_cells(shown, room) or [""]
        for piece in pieces:
            yield Text(head + piece)
            head, width = " " * len(head), cell_len(piece)
            if marks[:width].strip():
                yield Text(head + marks[:width])
            marks = marks[width:]
        yield Text(head + last)
        if marks.strip():
            yield Text(" " * len(head) + marks)

    def _marks(self, shown: str) -> str:
        cells = [0]
        for character in shown:
            cells.append(cells[-1] + cell_len(character))
        line = [" "] * (cells[-1] + 1)
        for start, end, _ in self.places:
            first = cells[min(start, len(shown))]
            last = max(cells[min(end, len(shown))], first + 1)
            line[first:last] = _MARK * (last - first)
        return "".join(line).rstrip()


def segment_view(pair: Pair, findings: Sequence[Finding]) -> Iterator[RenderableType]:
    """One segment and what is wrong with it."""
    number = "" if pair.segment is None else f"segment {pair.segment}"
    name = number if pair.unit is None else f"{number} · {visible(pair.unit)}"
    yield one_line(name, "bold")
    for side, text in (("source", pair.source), ("target", pair.target)):
        places = [(f.start, f.end, _STYLES[f.severity]) for f in findings if f.side == side]
        yield MarkedText(side, text, places)
    rows = [
        [Cell(f"  {f.severity}", _STYLES[f.severity]), Cell(f.code), Cell(f.message)]
        for f in sorted(findings, key=lambda f: SEVERITIES.index(f.severity))
    ]
    yield Columns([""] * 3, rows, [False] * 3, keys=2)
    yield ""


def tally_view(tally: Tally) -> Iterator[RenderableType]:
    """How many findings of which kind there are."""
    total = sum(tally.findings.values())
    if total:
        rows = [
            [
                Cell(code),
                Cell(severity, _STYLES[severity]),
                Cell(f"{count:,}"),
                Cell(f"{1000 * count / tally.segments:,.1f}"),
            ]
            for severity, code, count in tally.rows()
        ]
        yield Columns(
            ["finding", "severity", "number", "per 1,000"], rows, [False, False, True, True], keys=2
        )
        yield ""
    by_severity = ", ".join(
        f"{tally.by_severity(severity):,} {severity}"
        for severity in SEVERITIES
        if tally.by_severity(severity)
    )
    segments = f"{tally.segments:,} {'segment' if tally.segments == 1 else 'segments'}"
    if not total:
        yield one_line(f"No findings in {segments}.")
        return
    findings = f"{total:,} {'finding' if total == 1 else 'findings'}"
    yield one_line(f"{findings} ({by_severity}) in {tally.faulty:,} of {segments}.", "bold")
