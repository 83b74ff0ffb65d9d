"""Formats that are not read, but recognised: their markup would be scored as if somebody had translated it.

Real text begins with a tag, a bracket or a tab now and then, and has commas everywhere. So the beginning of a
file must be nothing but the format: JSON to its last character, a table in every line.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from metaphrase.corpus.formats.format import Head
from metaphrase.corpus.formats.markup.tags import first_tag
from metaphrase.corpus.formats.tables.layout import NAMES, REFERENCE_COLUMNS

#: What headers of tables call texts and their like, besides the names that our own tables have.
_CELLS = frozenset(
    {name for names in NAMES.values() for name in names}
    | REFERENCE_COLUMNS
    | {"target", "tgt", "trg", "translation", "mt", "pe", "text", "sentence", "id", "segment_id"}
    | {"lang", "language", "source_text", "target_text", "src_lang", "tgt_lang", "score", "comment"}
)
_LANGUAGE = re.compile(r"[a-z]{2}([-_][A-Za-z]{2,4})?")
#: How many cells of a header must be known by name, and how long the others may be.
_KNOWN, _LONGEST = 2, 30
#: How many lines with tabs are a table, if there is no header.
_MANY_ROWS = 10


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    """What messages call the format, how it is recognised, and what can be done about it.

    ``is_table`` says that a reader of tables may make sense of it.
    """

    description: str
    recognises: Callable[[Head], bool]
    remedy: str
    is_table: bool = False


def foreign_format(head: Head) -> ForeignFormat | None:
    """What a file is that is in none of the formats that are read; None if it may be plain text."""
    return next((one for one in _FORMATS if head.lines and one.recognises(head)), None)


def _begins_with(*tags: str) -> Callable[[Head], bool]:
    return lambda head: first_tag("\n".join(head.lines)) in tags


def _is_html(head: Head) -> bool:
    start = next((line for line in head.lines if line.strip()), "").lstrip().lower()
    return start.startswith("<!doctype html") or _begins_with("html", "head", "body")(head)


def _is_xml(head: Head) -> bool:
    return head.lines[0].startswith("<?xml ")


def _is_json(head: Head) -> bool:
    """A document that has come to its end, or has not, but is well formed so far."""
    text = "\n".join(head.lines).strip()
    if not text.startswith(("{", "[")) or '"' not in text:
        return False
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text) and len(head.lines) > 1
    except (ValueError, RecursionError):
        return False
    return True


def _is_json_lines(head: Head) -> bool:
    for line in head.lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if not isinstance(row, dict | list) or not row:
            return False
    return any('"' in line for line in head.lines)


def _is_tabbed(head: Head) -> bool:
    rows = [line.split("\t") for line in head.lines]
    if len(rows[0]) == 1 or any(len(row) != len(rows[0]) for row in rows):
        return False
    return _is_header(rows[0]) if len(rows) < _MANY_ROWS else all(row[0] for row in rows)


def _is_csv(head: Head) -> bool:
    """A header of names that tables of texts have, and as many cells in every row."""
    return any(_is_separated(head.lines, separator) for separator in ",;")


def _is_header(cells: Sequence[str]) -> bool:
    names = [cell.removeprefix('"').removesuffix('"') for cell in cells]
    known = sum(name.strip().lower() in _CELLS or bool(_LANGUAGE.fullmatch(name)) for name in names)
    return known >= _KNOWN and all(0 < len(name) <= _LONGEST for name in names)


def _is_separated(lines: Sequence[str], separator: str) -> bool:
    names = lines[0].split(separator)
    if not _is_header(names) or len(lines) == 1:
        return False
    try:
        rows = list(csv.reader((f"{line}\n" for line in lines[1:]), delimiter=separator))
    except csv.Error:
        return False
    # A cell may go on in the next line, and the last of them may be cut off.
    return all(len(row) == len(names) for row in rows[:-1] or rows)


_ONE_PER_LINE = (
    "Write its texts to files, one segment per line: each reference and each system its own"
)
_AS_TABLE = (
    "Say which column has what, with --columns source=NAME,target=NAME, or call one reference"
)
_FORMATS = (
    ForeignFormat("HTML", _is_html, _ONE_PER_LINE),
    ForeignFormat("XML", _is_xml, _ONE_PER_LINE),
    ForeignFormat(
        "JSON, one value per line",
        _is_json_lines,
        "Give it with --corpus, if a field is called reference, or write its texts to files",
        is_table=True,
    ),
    ForeignFormat("JSON", _is_json, _ONE_PER_LINE),
    ForeignFormat(
        "a table with tabs",
        _is_tabbed,
        "Give it with --corpus, if a column is called reference, or write its columns to files",
        is_table=True,
    ),
    ForeignFormat("CSV", _is_csv, _AS_TABLE),
)
