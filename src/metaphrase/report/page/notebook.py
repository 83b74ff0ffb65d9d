"""Results in a notebook: pieces of HTML that need nothing but themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from metaphrase.meta import AgreementTable
from metaphrase.metrics import Contrast, Explanation
from metaphrase.presentation import presents
from metaphrase.probing import Probed
from metaphrase.report.page.explained_segments import explanation_html
from metaphrase.report.terminal.agreement_view import (
    agreement_block,
    cluster_note,
    learned_notes,
    signature_lines,
)
from metaphrase.report.terminal.columns import Cell, Columns, visible
from metaphrase.report.terminal.contrast_view import contrast_tables
from metaphrase.report.terminal.probe_view import NOTE, probe_table, probe_title
from metaphrase.report.terminal.score_tables import score_title, system_table, unit_table
from metaphrase.scoring import LEVELS, Scores

#: Rows of a table that a notebook shows; of more, whoever wants them asks for a data frame.
_ROWS = 60
#: Pixels: enough for a sentence with its links and the table below them.
_HEIGHT = 560


@presents("html", Explanation)
def explanation_in_notebook(explanation: Explanation) -> str:
    """The page of one explanation in a frame of its own, so that no style of the notebook reaches it."""
    page = escape(explanation_html(explanation))
    look = f"width:100%;height:{_HEIGHT}px;border:0"
    return f'<iframe sandbox="allow-scripts" style="{look}" srcdoc="{page}"></iframe>'


@presents("html", Scores)
def scores_in_notebook(scores: Scores) -> str:
    """The table of systems; where only smaller units were scored, the first of them."""
    level = next(
        level for level in LEVELS if any(getattr(system, level) for system in scores.systems)
    )
    table = system_table(scores) if level == "system" else unit_table(scores, level)
    notes = [*scores.warnings]
    if len(table.rows) > _ROWS:
        notes.append(f"{_ROWS} of {len(table.rows):,} rows; to_pandas() has all of them.")
    return _piece(
        _title(score_title(scores)),
        _table(table),
        *map(_paragraph, notes),
        _signatures([metric.signature for metric in scores.metrics]),
    )


@presents("html", AgreementTable)
def agreement_in_notebook(table: AgreementTable) -> str:
    """A table for each data set and measure."""
    blocks = [
        _title(f"{columns[0].data}, {columns[0].measure}") + _table(agreement_block(table, columns))
        for columns in table.by_measure()
    ]
    notes = [
        *filter(None, [cluster_note(table)]),
        *learned_notes(table),
        *table.undefined(),
        *table.warnings,
    ]
    return _piece(*blocks, *map(_paragraph, notes), _signatures(signature_lines(table)))


@presents("html", Probed)
def probed_in_notebook(probed: Probed) -> str:
    """The table of kinds by metrics."""
    return _piece(
        _title(probe_title(probed)),
        _table(probe_table(probed)),
        *map(_paragraph, [NOTE, *probed.warnings]),
        _signatures([info.signature for info in probed.metrics]),
    )


@presents("html", Contrast)
def contrast_in_notebook(contrast: Contrast) -> str:
    """Both translations, and the tables of what makes the difference."""
    names = "better", "worse"
    texts = contrast.reference_text, contrast.better_text, contrast.worse_text
    rows = [
        [Cell(name), Cell(text)] for name, text in zip(("reference", *names), texts, strict=True)
    ]
    scores = f"{contrast.better_score:.4f} against {contrast.worse_score:.4f}"
    return _piece(
        _title(f"{contrast.metric} {scores}, a difference of {contrast.difference:+.4f}"),
        _table(Columns(("", ""), rows, (False, False))),
        *map(_table, contrast_tables(contrast, *names)),
        _signatures([contrast.signature]),
    )


def _piece(*parts: str) -> str:
    return f"<div>{''.join(parts)}</div>"


def _title(text: str) -> str:
    return f"<p><b>{_text(text)}</b></p>"


def _paragraph(text: str) -> str:
    return f"<p>{_text(text)}</p>"


def _signatures(signatures: Iterable[str]) -> str:
    lines = "<br>".join(map(_text, signatures))
    return f"<details><summary>Signatures</summary><code>{lines}</code></details>"


def _table(table: Columns) -> str:
    head = _row("th", [Cell(name) for name in table.header], table) if any(table.header) else ""
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
