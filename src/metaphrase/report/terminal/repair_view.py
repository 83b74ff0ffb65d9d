"""What would have to be repaired in a translation, for the terminal: on one screen, what gains most first."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from metaphrase.metrics import Explanation, Repair, Span
from metaphrase.metrics.explanation import MATCHED
from metaphrase.presentation import presents
from metaphrase.report.terminal.columns import Cell, Columns, plain_text, visible
from metaphrase.report.terminal.joined_words import repair_words

_MARK, _NUMBER, _LOST, _DIM = "bold red", "bold", "red", "dim"
#: Repairs on a screen; the others are one line.
_MOST = 8
#: A table of these columns is on a screen of 100, the texts on five lines each.
_WORDS, _TEXT, _LEAST = 60, 400, 12


def repair_view(explanation: Explanation, *, title: str = "") -> list[RenderableType]:
    """The score, both texts with numbered marks, and the repairs with their kinds and points."""
    maximum = explanation.maximum
    assert maximum is not None
    digits = 1 if max(abs(maximum), abs(explanation.score)) > 2 else 3
    heading = Text(f"{explanation.metric} {explanation.score:.{digits}f}", style="bold")
    heading.append(f"   {visible(title)}" if title else "", style="not bold")
    told_apart = explanation.matched >= MATCHED
    shown = _shown(explanation.repairs, digits) if told_apart else []
    parts: list[RenderableType] = [heading, "", _texts(explanation, shown)]
    for note in explanation.notes:
        parts += ["", Text(f"note: {visible(note)}", style="yellow", overflow="fold")]
    if not explanation.repairs:
        same = explanation.score == maximum
        return [*parts, "", "Nothing to repair." if same else "No difference that can be named."]
    if not explanation.hypothesis_text.strip():
        return [*parts, "", "The hypothesis is empty: everything is missing."]
    if not told_apart:
        words = (
            f"{100 * explanation.matched:.0f}% of the words match, so nothing can be told apart."
        )
        return [*parts, "", words]
    return [*parts, "", _table(explanation, shown, digits)]


@presents("text", Explanation)
def explanation_text(explanation: Explanation) -> str:
    """The same as plain text, for ``print``."""
    if explanation.maximum is None:
        return repr(explanation)
    return plain_text(repair_view(explanation))


def _shown(repairs: Sequence[Repair], digits: int) -> list[Repair]:
    """Those that gain or cost something, most first, as many as a screen takes."""
    moving = [one for one in repairs if round(one.points, digits)]
    return sorted(moving, key=lambda one: -abs(one.points))[:_MOST]


def _table(explanation: Explanation, shown: Sequence[Repair], digits: int) -> Columns:
    assert explanation.maximum is not None
    form = f"+.{digits}f"
    rows = [
        [
            Cell(str(number), _NUMBER),
            Cell(repair_words(one, _WORDS)),
            Cell(one.kind),
            Cell(_points(one.points, form), _LOST),
        ]
        for number, one in enumerate(shown, 1)
    ]
    rest = [one for one in explanation.repairs if all(one is not other for other in shown)]
    moving = sum(1 for one in rest if round(one.points, digits))
    said = [f"{moving} smaller" if moving else "", f"{len(rest) - moving} without effect"]
    if rest:
        words = " and ".join(said[: 1 if len(rest) == moving else 2]).removeprefix(" and ")
        points = _points(sum(one.points for one in rest), form)
        rows.append([Cell(""), Cell(words, _DIM), Cell(""), Cell(points, _DIM)])
    whole = _points(explanation.maximum - explanation.score, form)
    about = "to the reference" if explanation.exact_points else "to the reference (each is a mean)"
    about += f", {explanation.maximum:.{digits}f}"
    rows.append([Cell(""), Cell(about, "bold"), Cell(""), Cell(whole, "bold")])
    return Columns(("", "repair", "kind", "points"), rows, [True, False, False, True])


def _points(points: float, form: str) -> str:
    text = format(points, form)
    return text[1:] if not float(text) else text.replace("-", "−")


def _texts(explanation: Explanation, shown: Sequence[Repair]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, text in (
        ("reference", explanation.reference_text),
        ("hypothesis", explanation.hypothesis_text),
    ):
        grid.add_row(name, _marked(text, [getattr(one, f"{name}_marks") for one in shown]))
    return grid


def _marked(text: str, repairs: Sequence[Sequence[Span]]) -> Text:
    """The text with numbered brackets; of a long one what stands around them."""
    marks: list[tuple[int, int, str, int]] = []  # place, order at one place, sign, change of depth
    numbered = [(number, span) for number, spans in enumerate(repairs, 1) for span in spans]
    for number, span in numbered:
        if span.start == span.end:
            behind = text[span.start : span.start + 1]
            marks.append((span.start, 1, f"[]{number}{' ' * behind.isalnum()}", 0))
        else:
            marks += [(span.end, 0, f"]{number}", -1), (span.start, 2, "[", 1)]
    marks.sort()
    places = sorted({0, len(text), *(place for place, *_ in marks)})
    room = _TEXT if cell_len(text) <= _TEXT else max(_TEXT // len(places), _LEAST)
    found = Text(overflow="fold")
    depth = 0
    for start, end in zip(places, [*places[1:], len(text)], strict=True):
        for place, _, sign, change in marks:
            if place == start:
                found.append(sign, style=_NUMBER)
                depth += change
        piece = visible(text[start:end])
        if depth:
            found.append(piece, style=_MARK)
        else:
            found.append(_elided(piece, room, first=start == 0, last=end == len(text)))
    return found


def _elided(text: str, room: int, *, first: bool, last: bool) -> str:
    """A stretch of text, without its middle, or the end that is far from the marks."""
    if cell_len(text) <= room:
        return text
    half = room // 2
    head = "" if first else text[:half].rpartition(" ")[0] + " "
    tail = "" if last else " " + text[-half:].partition(" ")[2]
    return f"{head}…{tail}"
