"""A verdict of the gate for the terminal: red or green first, then the rules, then what changed."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from metaphrase.gate.changed_words import changed_words
from metaphrase.gate.verdict import ChangedSegment, Verdict, counted, listed
from metaphrase.report.terminal.columns import Cell, Columns, one_line, visible

_GREEN, _RED = "bold green", "bold red"
#: Styles for a screen with colours, and marks, which are there without colours, too.
_PIECES = {"same": ("", "", ""), "gone": ("red", "[-", "-]"), "new": ("green", "{+", "+}")}


def gate_view(verdict: Verdict, *, worst: int = 5) -> list[RenderableType]:
    """The verdict, a table of the rules, and the ``worst`` segments with what changed in them."""
    title = Text(visible(f"{verdict.system}: "), style="bold")
    title.append(verdict.title, style=_GREEN if verdict.passed else _RED)
    parts: list[RenderableType] = [title, Text(verdict.extent, style="dim")]
    if verdict.outcomes:
        parts += ["", _rules(verdict)]
    if verdict.broken:
        parts.append("")
        parts += [Text(visible(f"{one.title}: {one.reason}")) for one in verdict.broken]
    parts += [part for change in verdict.worse[:worst] for part in ("", *_change(change))]
    parts += _unscored(verdict, worst)
    rest = list(_rest(verdict, worst))
    if rest:
        parts += ["", *(Text(visible(line), style="dim") for line in rest)]
    if verdict.signatures:
        parts += ["", *(one_line(line, "dim") for line in verdict.signatures.values())]
    return parts


def _rules(verdict: Verdict) -> Columns:
    rows = []
    for one in sorted(verdict.outcomes, key=lambda outcome: outcome.passed):
        mark = Cell("holds", "green") if one.passed else Cell("BROKEN", _RED)
        rows.append([mark, Cell(one.title), Cell(one.shown[0]), Cell(one.shown[1])])
    return Columns(["", "rule", "measured", "limit"], rows, [False, False, True, True])


def _change(change: ChangedSegment) -> Iterator[RenderableType]:
    """One segment: its scores, and its texts with the words marked that went and that came."""
    head = Text(visible(f"segment {change.name}"), style="bold")
    numbers = (f"{name} {one.shown[0]} → {one.shown[1]}" for name, one in change.scores.items())
    head.append(visible(f"   {'  '.join(numbers)}"), style="not bold")
    yield head
    texts = Table.grid(padding=(0, 2, 0, 0))
    rows: list[tuple[str, Text]] = []
    if change.source is not None:
        rows.append(("source", Text(visible(change.source))))
    rows.append(("reference", Text(visible(change.reference))))
    if change.before is None or change.before == change.after:
        rows.append(("after", Text(visible(change.after))))
    else:
        rows.append(("changed", _marked(change.before, change.after)))
    rows += [
        (one.severity, Text(visible(f"{one.message} ({one.code})"))) for one in change.new_findings
    ]
    for name, text in rows:
        text.overflow = "fold"
        texts.add_row(Text(visible(name)), text)
    yield texts


def _unscored(verdict: Verdict, worst: int) -> list[RenderableType]:
    """New findings of units that have no score, and hence no place among the others."""
    found = [one for one in verdict.new_findings if one.row is None]
    if not found[:worst]:
        return []
    rows = [
        [Cell(one.segment), Cell(one.finding.severity), Cell(one.finding.message)]
        for one in found[:worst]
    ]
    more = [counted(len(found) - worst, "more new finding")] if len(found) > worst else []
    return ["", Columns(["unit", "severity", "new finding"], rows, [False] * 3), *more]


def _marked(before: str, after: str) -> Text:
    """``He paid [-12-]{+21+} euros.``"""
    text = Text()
    for piece in changed_words(before, after):
        style, opening, closing = _PIECES[piece.kind]
        text.append(f"{opening}{visible(piece.text)}{closing}", style=style)
    return text


def _rest(verdict: Verdict, worst: int) -> Iterator[str]:
    worse = len(verdict.worse)
    if worse > worst:
        yield f"{counted(worse - worst, 'more segment')} got worse; --worst N shows more of them."
    for names, what in (
        (verdict.added, "added"),
        (verdict.removed, "removed"),
        (verdict.rereferenced, "with another reference"),
    ):
        if names:
            yield f"{what}: {listed(names, 10)}"
    yield from verdict.notes
