"""Sheets that judges fill in, as CSV or Excel workbooks: a row is an item, and a judge has a sheet.

The columns are ``item document source translation score errors comment judge``; ``seconds`` may be added. A
cell of errors has one error in a line, ``major: the words`` or ``minor/Fluency/Spelling: the words``;
``[missing]`` stands for words that are not there, and ``none`` says that there is no error. A row without
score and errors was not judged. What item is whose, only the key of the sample knows.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged.texts import data_name
from metaphrase.corpus.formats.score_text import is_score, shown
from metaphrase.corpus.formats.tables.cells import Row
from metaphrase.corpus.formats.units.csv_file import csv_rows, named_rows
from metaphrase.corpus.formats.units.xlsx import is_workbook, sheets
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.ratings import BEST, Item, MarkedError, Rating, Ratings, no_ratings
from metaphrase.errors import InputError

COLUMNS = ("item", "document", "source", "translation", "score", "errors", "comment", "judge")
#: Without these it is another table.
_REQUIRED = frozenset({"item", "translation", "judge"})
MISSING = "[missing]"
NO_ERROR = "none"
_ERROR = re.compile(r"([^:/]+)(?:/([^:]+))?:(.*)", re.DOTALL)
_SEPARATORS = ",;\t"


def read_rating_sheet(path: FilePath) -> Ratings:
    """The ratings of one sheet; items are known by their ids alone, with the texts that were shown."""
    name = shown_name(path)
    items: dict[str, Item] = {}
    ratings: dict[tuple[str, str], Rating] = {}
    for line, row in _rows(path, name):
        if not any(str(row[column]).strip() for column in ("score", "errors") if column in row):
            continue
        rating, item = _rating(row, name, line)
        if (rating.judge, rating.item) in ratings:
            raise InputError(
                "MP794",
                f"{rating.judge!r} has judged the item {shown(item.id)} in line "
                f"{ratings[rating.judge, rating.item].line}, too.",
                path=name,
                line=line,
                hint="Keep one of the rows.",
            )
        items[item.id] = item
        ratings[rating.judge, rating.item] = rating
    if not ratings:
        raise no_ratings(name)
    with_scores = any(rating.score is not None for rating in ratings.values())
    with_errors = any(rating.errors is not None for rating in ratings.values())
    protocol = "mqm" if not with_scores else "esa" if with_errors else "da"
    return Ratings(data_name(name), "", protocol, items, tuple(ratings.values()), name)  # type: ignore[arg-type]


def _rows(path: FilePath, name: str) -> Iterator[Row]:
    """The rows of the table that is a sheet of ratings."""
    if is_workbook(path):
        for (line, header), rows in sheets(path):
            if _is_header(header):
                yield from named_rows(header, rows, name, line)
                return
        header = []
    else:
        rows = csv_rows(path)
        line, header = next(rows)
        if _is_header(header):
            yield from named_rows(header, rows, name, line)
            return
    found = ", ".join(map(repr, header[:10]))
    raise InputError(
        "MP791",
        f"This is no sheet of ratings: its columns are {found or 'not those of one'}.",
        path=name,
        hint=f"A sheet has the columns {' '.join(COLUMNS)}.",
    )


def _is_header(header: list[str]) -> bool:
    names = {name.strip() for name in header}
    return names >= _REQUIRED and bool(names & {"score", "errors"})


def _rating(row: Mapping[str, object], path: str, line: int) -> tuple[Rating, Item]:
    cells = {name: str(cell) for name, cell in row.items()}
    item, judge = cells["item"].strip(), cells["judge"].strip()
    if not item or not judge:
        raise _fault("the row does not say which item it is, or who judged it", path, line)
    text = cells["translation"]
    score = _number(cells.get("score", ""), "score", BEST, path, line)
    errors = None
    if (written := cells.get("errors", "").strip()) or (score is None):
        errors = tuple(_errors(written, text, path, line))
    seconds = _number(cells.get("seconds", ""), "time in seconds", None, path, line)
    return (
        Rating(judge, item, score, errors, seconds, line),
        Item(item, source=cells.get("source", ""), hypothesis=text),
    )


def _number(text: str, what: str, most: float | None, path: str, line: int) -> float | None:
    written = text.strip()
    if not written:
        return None
    if not is_score(written) or float(written) < 0 or (most is not None and float(written) > most):
        bounds = f"from 0 to {most}" if most is not None else "of at least 0"
        raise _fault(f"the {what} {shown(written)} is no number {bounds}", path, line)
    return float(written)


def _errors(written: str, text: str, path: str, line: int) -> Iterator[MarkedError]:
    if written.lower() == NO_ERROR:
        return
    for one in filter(None, map(str.strip, written.splitlines())):
        found = _ERROR.fullmatch(one)
        if found is None:
            raise _fault(f"{shown(one)} does not say a severity, a colon and words", path, line)
        severity, category, words = (part.strip() for part in found.groups(""))
        start = text.find(words)
        if words != MISSING and (not words or start < 0):
            raise _fault(f"the translation does not have the words {shown(words)}", path, line)
        span = None if words == MISSING else (start, start + len(words))
        yield MarkedError(severity.lower(), category, span)


def _fault(what: str, path: str, line: int) -> InputError:
    return InputError(
        "MP792",
        f"This cannot be read as a judgement: {what}.",
        path=path,
        line=line,
        hint=f'Write scores like 70 or 70.5, errors like "major: the words" (one in a line), "{NO_ERROR}" '
        f'where there is none and "{MISSING}" for words that are missing.',
    )


def _recognises(head: Head) -> bool:
    lines = [line for line in head.lines if not line.lower().startswith("sep=")]
    if not lines or head.is_folder:
        return False
    try:
        headers = [next(csv.reader([lines[0]], delimiter=one), []) for one in _SEPARATORS]
    except csv.Error:
        return False
    return any(map(_is_header, headers))


FORMATS = (
    Format(
        name="rating-sheet",
        holds="ratings",
        description="a sheet that a judge filled in",
        recognises=_recognises,
        read=read_rating_sheet,
        open_ratings=lambda path, weights: [read_rating_sheet(path)],
        of_items=True,
    ),
)
