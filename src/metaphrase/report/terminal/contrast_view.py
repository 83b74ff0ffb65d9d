"""Two translations of a segment for the terminal: which scores higher, by how much, and for which words."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from metaphrase.metrics import Contrast
from metaphrase.metrics.explanation_contrast import (
    ContrastedNumber,
    ContrastedWord,
    ExtraWord,
    Rendering,
)
from metaphrase.report.terminal.columns import Cell, Columns, rounded, visible
from metaphrase.report.terminal.joined_words import short

_GOOD, _LOST = "green", "bold red"
#: Columns that the name of a system may take at the head of a table, and what stands for a word.
_NAME = 20
_RENDERING = 30
#: What both translations have is shown if the one's word is worth so much more than the other's.
_NOTICED = 0.05


def contrast_view(
    contrast: Contrast, *, better: str, worse: str, title: str = "", raters: str = ""
) -> list[RenderableType]:
    """Both translations, a table of the parts of their scores, and one of words; systems have names.

    ``raters`` says which of the two raters would prefer.
    """
    heading = Text(f"{contrast.metric} {contrast.better_score:.4f}", style="bold")
    heading.append(f" against {contrast.worse_score:.4f}")
    heading.append(f"   {visible(title)}" if title else "", style="not bold")
    texts = Table.grid(padding=(0, 2, 0, 0))
    for name, text in (
        ("reference", contrast.reference_text),
        (better, contrast.better_text),
        (worse, contrast.worse_text),
    ):
        texts.add_row(Text(short(visible(name), _NAME)), Text(visible(text), overflow="fold"))
    names = short(better, _NAME), short(worse, _NAME)
    if names[0] == names[1]:
        names = better, worse
    verdict = Text(visible(_verdict(contrast, better, worse)), style="bold")
    views: list[RenderableType] = [heading]
    if raters:
        views.append(Text(visible(raters)))
    views += ["", texts, "", verdict]
    for table in contrast_tables(contrast, *names):
        views += ["", table]
    return views


def contrast_tables(contrast: Contrast, better: str, worse: str) -> Iterator[Columns]:
    """The parts of both scores and the words; what there is of them."""
    if contrast.parts:
        yield _number_table(contrast, better, worse)
    words = list(_word_rows(contrast))
    if words:
        yield Columns(["word of the reference", better, worse], words, [False] * 3)


def _verdict(contrast: Contrast, better: str, worse: str) -> str:
    if contrast.difference == 0:
        return f"{better} and {worse} have the same score."
    why = ", for these parts of the score:" if contrast.parts else "."
    higher, fine = ("higher", "") if contrast.difference > 0 else ("lower", ", and lower is better")
    return f"{better} scores {higher} than {worse} by {abs(contrast.difference):.4f}{fine}{why}"


def _number_table(contrast: Contrast, better: str, worse: str) -> Columns:
    score = ContrastedNumber(
        "score", contrast.better_score, contrast.worse_score, contrast.difference
    )
    rows = []
    for one in (*contrast.parts, score):
        helps = (one.difference > 0) == contrast.higher_is_better
        style = "bold" if one is score else "" if not one.difference else _GOOD if helps else _LOST
        rows.append(
            [
                Cell(short(one.name, _RENDERING), "bold" if one is score else ""),
                Cell(rounded(one.better, ".4f")),
                Cell(rounded(one.worse, ".4f")),
                Cell(rounded(one.difference, "+.4f"), style),
            ]
        )
    header = ["part of the score", better, worse, "difference"]
    return Columns(header, rows, [False, True, True, True])


def _word_rows(contrast: Contrast) -> Iterator[list[Cell]]:
    """What only the better one has, what only the worse one has, what they share, what is too much."""
    noticed = (word for word in contrast.rendered_otherwise if _is_noticed(word))
    for word in (*contrast.only_better, *contrast.only_worse, *noticed):
        yield [
            Cell(short(word.form)),
            _rendered(word.form, word.better),
            _rendered(word.form, word.worse),
        ]
    for extra in contrast.better_extra:
        yield [Cell("–", "dim"), _too_many(extra), Cell("")]
    for extra in contrast.worse_extra:
        yield [Cell("–", "dim"), Cell(""), _too_many(extra)]


def _is_noticed(word: ContrastedWord) -> bool:
    one, other = word.better, word.worse
    if one is None or other is None:
        return True
    return one.forms != other.forms or abs(one.worth - other.worth) >= _NOTICED


def _rendered(word: str, found: Rendering | None) -> Cell:
    """``remember``, ``reminds (paraphrase 0.60, context −0.04)``, ``missing``."""
    if found is None:
        return Cell("missing", _LOST)
    notes = []
    if found.similarity < 1:
        notes.append(f"{found.kind} {found.similarity:.2f}")
    elif found.forms != (word,):
        notes.append(found.kind)
    if found.penalty:
        notes.append(f"context −{found.penalty:.2f}")
    forms = short(" ".join(found.forms), _RENDERING)
    return Cell(f"{forms} ({', '.join(notes)})" if notes else forms)


def _too_many(word: ExtraWord) -> Cell:
    return Cell(f"{short(word.form, _RENDERING)}: too many", _LOST)
