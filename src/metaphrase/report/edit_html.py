"""A sequence of edits as HTML: a row an edit, what each one adds to the score, and what else makes it."""

from __future__ import annotations

from collections.abc import Mapping

from metaphrase.metrics import Edit, Explanation
from metaphrase.report.html_elements import table, text
from metaphrase.report.terminal.columns import rounded
from metaphrase.report.terminal.edit_view import edit_name, jump_cell, lifts
from metaphrase.report.terminal.joined_words import phrase


def edit_html(explanation: Explanation) -> list[str]:
    """The table of edits in their order, if any, and the table of the parts whose sum is the score."""
    largest = max((abs(edit.contribution) for edit in explanation.edits), default=0.0)
    rows = []
    jumps = 0
    for number, edit in enumerate(explanation.edits, 1):
        jumps += edit.jump is not None
        cells = [str(number)]
        for side in ("reference", "hypothesis"):
            words = phrase(getattr(explanation, side), getattr(edit, side))
            cells.append(text(words or jump_cell(explanation, edit, side)))
        name = text(edit_name(edit)) + (f" ({jumps})" if edit.jump else "")
        cells.append(f'<span class="{_tone(edit)}">{name}</span>')
        cells += [
            f"{edit.contribution:+.4f}",
            _bar(edit.contribution, largest, good=lifts(explanation, edit)),
        ]
        rows.append(cells)
    headings = ("", "reference", "hypothesis", "edit", "adds", " ")
    parts = {feature.description: feature.value or 0.0 for feature in explanation.features}
    return [
        *([table(headings, rows, numbers=("", "adds"))] if rows else []),
        sum_html(parts, explanation.score),
    ]


def sum_html(parts: Mapping[str, float], score: float) -> str:
    """The parts of a score that is their sum."""
    rows = [[text(name), rounded(value, "+.4f")] for name, value in parts.items()]
    rows.append(["<b>score</b>", f"<b>{rounded(score, '+.4f')}</b>"])
    return f"<p></p>{table(('part of the score', 'adds'), rows, numbers=('adds',))}"


def _tone(edit: Edit) -> str:
    if edit.jump:
        return "mp-jump"
    if edit.state in ("insert", "delete"):
        return "mp-lost"
    return "mp-good" if edit.state in ("word", "punctuation") else "mp-half"


def _bar(value: float, largest: float, *, good: bool) -> str:
    """To the left of the middle what lowers the score, to the right what lifts it."""
    width = 50 * abs(value) / largest if largest else 0.0
    left, tone = 50 - width if value < 0 else 50.0, "mp-good" if good else "mp-lost"
    return (
        f'<div class="mp-bar"><i class="{tone}" '
        f'style="margin-left:{left:.1f}%;width:{width:.1f}%"></i></div>'
    )
