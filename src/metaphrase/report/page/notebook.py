"""Results in a notebook: pieces of HTML that need nothing but themselves."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metaphrase.metrics import Explanation
from metaphrase.report.page.explained_segments import explanation_html
from metaphrase.report.terminal.columns import Cell, Columns, visible
from metaphrase.report.terminal.score_tables import score_title, system_table, unit_table
from metaphrase.scoring import LEVELS, Scores

#: Rows of a table that a notebook shows; of more, whoever wants them asks for a data frame.
_ROWS = 60
#: Pixels: enough for a sentence with its links and the table below them.
_HEIGHT = 560


def explanation_in_notebook(explanation: Explanation) -> str:
    """The page of one explanation in a frame of its own, so that no style of the notebook reaches it."""
    page = escape(explanation_html(explanation))
    look = f"width:100%;height:{_HEIGHT}px;border:0"
    return f'<iframe sandbox="allow-scripts" style="{look}" srcdoc="{page}"></iframe>'


def scores_in_notebook(scores: Scores) -> str:
    """The table of systems; where only smaller units were scored, the first of them."""
    level = next(
        level for level in LEVELS if any(getattr(system, level) for system in scores.systems)
    )
    table = system_table(scores) if level == "system" else unit_table(scores, level)
    notes = [*scores.warnings]
    if len(table.rows) > _ROWS:
        notes.append(f"{_ROWS} of {len(table.rows):,} rows; to_pandas() has all of them.")
    signatures = "<br>".join(_text(metric.signature) for metric in scores.metrics)
    return (
        f"<div><p><b>{_text(score_title(scores))}</b></p>{_table(table)}"
        + "".join(f"<p>{_text(note)}</p>" for note in notes)
        + f"<details><summary>Signatures</summary><code>{signatures}</code></details></div>"
    )


def _table(table: Columns) -> str:
    head = _row("th", [Cell(name) for name in table.header], table)
    rows = "".join(_row("td", row, table) for row in table.rows[:_ROWS])
    return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _row(element: str, cells: Sequence[Cell], table: Columns) -> str:
    content = []
    for cell, right in zip(cells, table.right, strict=True):
        text = _text(cell.text)
        side = "right" if right else "left"
        shown = f"<b>{text}</b>" if "bold" in cell.style else text
        content.append(f'<{element} style="text-align:{side}">{shown}</{element}>')
    return f"<tr>{''.join(content)}</tr>"


def _text(text: str) -> str:
    return escape(visible(text))
