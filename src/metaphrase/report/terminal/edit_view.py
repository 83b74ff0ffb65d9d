"""A sequence of edits drawn for the terminal: a line per edit, jumps as brackets, what each one adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import RenderableType

from metaphrase.metrics import Edit, Explanation
from metaphrase.report.terminal.columns import Cell, Columns, rounded
from metaphrase.report.terminal.joined_words import phrase, short

_WIDTH = 80
_BAR = 6
#: What the columns other than words and edits take, with the gaps between all of them.
_FIXED = len("│") + len("-0.0000") + _BAR + 5 * 2
#: At least this much of moved words is shown.
_FEWEST = 6
#: The bracket of three jumps, on their lines and between them.
_ON_JUMP = {"jump_forward": "╭", "jump_back": "├", "jump_end": "╰"}
_STYLES = {"insert": "bold red", "delete": "bold red", "word": "green", "punctuation": "green"}


def edit_view(explanation: Explanation) -> list[RenderableType]:
    """The edits in their order, if there are any, and the parts of which the score is the sum."""
    edits: list[RenderableType] = [_edit_table(explanation), ""] if explanation.edits else []
    return [*edits, sum_table(explanation.summands, explanation.score)]


def _edit_name(edit: Edit) -> str:
    """``word``, ``word + subject``, ``jump back``."""
    return " + ".join((edit.state.replace("_", " "), *edit.dependencies))


def _jump_cell(explanation: Explanation, edit: Edit, side: str, room: int | None = None) -> str:
    """How far the jump goes, on the side that it belongs to: ``→ 3 words``; or what is moved where.

    Of many words that are moved only as many are named as there is ``room`` for beside the place.
    """
    if edit.jump is None or edit.jump.side != side:
        return ""
    if edit.jump.moved:
        words = getattr(explanation, side)
        end = edit.jump.target >= len(words)
        place = " → the end" if end else f" → before {words[edit.jump.target].form}"
        moved = phrase(words, edit.jump.moved)
        return (short(moved, max(room - cell_len(place), _FEWEST)) if room else moved) + place
    distance = edit.jump.target - edit.jump.start
    return (
        f"{'→' if distance >= 0 else '←'} {abs(distance)} word{'' if abs(distance) == 1 else 's'}"
    )


def _lifts(explanation: Explanation, edit: Edit) -> bool:
    """Whether the score is better for the edit, or at least not worse."""
    return edit.contribution == 0 or (edit.contribution > 0) == explanation.higher_is_better


def _edit_table(explanation: Explanation) -> Columns:
    names = [_edit_name(edit) for edit in explanation.edits]
    room = max((_WIDTH - _FIXED - max(map(len, names))) // 2, 10)
    largest = max(abs(edit.contribution) for edit in explanation.edits)
    brackets = _brackets(explanation.edits)
    rows = []
    for edit, name, bracket in zip(explanation.edits, names, brackets, strict=True):
        style = "cyan" if edit.jump else _STYLES.get(edit.state, "yellow")
        cells = [Cell(bracket, "cyan")] if any(brackets) else []
        for side in ("reference", "hypothesis"):
            words = phrase(getattr(explanation, side), getattr(edit, side))
            shown = words or _jump_cell(explanation, edit, side, room)
            cells.append(Cell(short(shown, room), style))
        block, sign = ("█", "green") if _lifts(explanation, edit) else ("░", "red")
        bar = block * round(_BAR * abs(edit.contribution) / largest) if largest else ""
        rows.append([*cells, Cell(name), Cell(f"{edit.contribution:+.4f}"), Cell(bar, sign)])
    header = [*([""] if any(brackets) else []), "reference", "hypothesis", "edit", "adds", ""]
    return Columns(header, rows, [name == "adds" for name in header])


def _brackets(edits: Sequence[Edit]) -> list[str]:
    """A bracket around each stretch from a jump forward to the jump that ends it; a shift has none."""
    brackets = []
    inside = False
    for edit in edits:
        brackets.append(_ON_JUMP.get(edit.state, "") if edit.jump else "│" if inside else "")
        if edit.state in _ON_JUMP:
            inside = edit.state != "jump_end"
    return brackets


def sum_table(parts: Mapping[str, float], score: float) -> Columns:
    """The parts of a score that is their sum."""
    rows = [[Cell(name), Cell(rounded(value, "+.4f"))] for name, value in parts.items()]
    rows.append([Cell("score", "bold"), Cell(rounded(score, "+.4f"), "bold")])
    return Columns(["part of the score", "adds"], rows, [False, True])
