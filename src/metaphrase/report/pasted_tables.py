"""Scores as tables to paste: Markdown, and LaTeX with booktabs.

They show what the terminal shows. The best score of each metric is bold, and a dagger marks what does not
differ significantly from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from rich.text import Text

from metaphrase.report.terminal.columns import Cell, Columns, visible
from metaphrase.report.terminal.score_tables import score_view
from metaphrase.scoring import Scores
from metaphrase.scoring.ranking import LEVEL

PastedForm = Literal["markdown", "latex"]
_MARK = "†"
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "≥": r"$\ge$",
    "↓": r"$\downarrow$",
    "†": r"$^{\dagger}$",
    "·": r"$\cdot$",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"\textbar{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~#])")


def score_markdown(scores: Scores) -> Iterator[str]:
    """GitHub's tables, and notes below them."""
    for part in _parts(scores):
        if isinstance(part, Columns):
            yield from _markdown_table(part)
        else:
            yield f"`{part}`" if "|nrefs:" in part else markdown_text(part)
        yield ""


def score_latex(scores: Scores) -> Iterator[str]:
    """A ``tabular`` for each table, and notes below it as paragraphs."""
    yield r"% \usepackage{booktabs}"
    for part in _parts(scores):
        if isinstance(part, Columns):
            yield from _latex_table(part)
        else:
            # Signatures have no blanks, and would run out of the page.
            yield rf"\noindent{{\footnotesize {_breakable(latex_text(part))}}}"
        yield ""


def markdown_text(text: str) -> str:
    """The text without what Markdown would take for its own.

    >>> markdown_text("a_b|c")
    'a\\\\_b\\\\|c'
    """
    return _MARKDOWN.sub(r"\\\1", visible(text))


def latex_text(text: str) -> str:
    r"""The text without what LaTeX would take for its own.

    >>> latex_text("50% of a_b")
    '50\\% of a\\_b'
    """
    return "".join(_LATEX.get(character, character) for character in visible(text))


def _parts(scores: Scores) -> Iterator[Columns | str]:
    """What the terminal shows, one after the other; what is bold is said after the first table."""
    first = True
    for part in score_view(scores, mark=_MARK):
        if isinstance(part, Columns):
            if any(part.header):
                yield part
                if first and len(scores.systems) > 1 and any(s.system for s in scores.systems):
                    first = False
                    yield _bold_note(scores)
            else:
                yield from (row[0].text for row in part.rows)
        elif text := (part.plain if isinstance(part, Text) else str(part)):
            yield text


def _bold_note(scores: Scores) -> str:
    if scores.differences or any(ranking.tested for ranking in scores.rankings.values()):
        return (
            f"Bold: the best score. {_MARK}: does not differ significantly from it (p ≥ {LEVEL})."
        )
    return "Bold: the best score."


def _cells(row: Iterable[Cell], width: int) -> list[Cell]:
    """Without the blanks that line numbers up on a screen."""
    cells = [Cell(_minus(" ".join(cell.text.split())), cell.style) for cell in row]
    return [*cells, *(Cell("") for _ in range(width - len(cells)))]


def _minus(text: str) -> str:
    """A number below zero with a minus, and no hyphen."""
    return f"−{text[1:]}" if text[:1] == "-" and text[1:2].isdigit() else text


def _markdown_table(table: Columns) -> Iterator[str]:
    width = len(table.header)
    yield f"| {' | '.join(map(markdown_text, table.header))} |"
    yield f"| {' | '.join('---:' if right else '---' for right in table.right)} |"
    for row in table.rows:
        texts = (_emphasised(cell, markdown_text, "**", "**") for cell in _cells(row, width))
        yield f"| {' | '.join(texts)} |"


def _latex_table(table: Columns) -> Iterator[str]:
    width = len(table.header)
    yield rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in table.right)}}}"
    yield r"\toprule"
    yield rf"{' & '.join(map(latex_text, table.header))} \\"
    yield r"\midrule"
    for row in table.rows:
        texts = (_emphasised(cell, latex_text, r"\textbf{", "}") for cell in _cells(row, width))
        yield rf"{' & '.join(texts)} \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _emphasised(cell: Cell, escaped: Callable[[str], str], begin: str, end: str) -> str:
    """The number in bold, if it is the best one; what stands behind it is not."""
    number, blank, rest = cell.text.partition(" ")
    if "bold" not in cell.style or not number:
        return escaped(cell.text)
    return f"{begin}{escaped(number)}{end}{blank}{escaped(rest)}"


def _breakable(text: str) -> str:
    return text.replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
