"""Pieces of HTML: text that is safe in it, and tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape

from metaphrase.report.terminal.columns import visible


def text(plain: str) -> str:
    """Any text as HTML, without anything that could hide itself or run."""
    return escape(visible(plain))


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Collection[str]
) -> str:
    """A table whose cells are HTML already and whose headings are not; ``numbers`` are flush right."""
    right = [heading in numbers for heading in headings]
    lines = [_row([text(heading) for heading in headings], right, "th")]
    lines += [_row(cells, right, "td") for cells in rows]
    return f"<table>{''.join(lines)}</table>"


def _row(cells: Sequence[str], right: Sequence[bool], tag: str) -> str:
    marked = (
        f'<{tag} class="mp-number">{cell}</{tag}>' if number else f"<{tag}>{cell}</{tag}>"
        for cell, number in zip(cells, right, strict=True)
    )
    return f"<tr>{''.join(marked)}</tr>"
