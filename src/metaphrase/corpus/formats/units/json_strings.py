"""JSON tables of strings, in one language: ``{"menu": {"save": "Speichern"}}``.

A string is a translation, called by the names on the way to it with dots between (``menu.save``), as i18next
and its like have it; the sources are in another file, with the same names. An object with a string
``message`` is one text with its ``description`` (Chrome's extensions), and ``@save`` says something about
``save`` (Flutter's ``.arb``). Numbers, truth values and null are no texts and are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.tables.layout import REFERENCE_COLUMNS
from metaphrase.corpus.formats.units.file_bytes import file_text
from metaphrase.corpus.formats.units.json_values import JsonReader, Member
from metaphrase.corpus.formats.units.unit_ids import check_ids
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.units import TaggedText, Unit, UnitFile
from metaphrase.errors import InputError

_ENDINGS = (".json", ".arb")
_BEGINNING = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*["{]')
_ABOUT = "@"


@dataclass(frozen=True, slots=True)
class _Said:
    name: str
    text: str
    note: str
    line: int


def read_json_strings(path: FilePath) -> UnitFile:
    """The texts of a table by the names on the way to them."""
    name = shown_name(path)
    table = JsonReader(file_text(path, code="MP862"), name).table()
    notes = {
        one.name.removeprefix(_ABOUT): _description(one)
        for one in table
        if one.name.startswith(_ABOUT) and isinstance(one.value, list)
    }
    locale = next((one.value for one in table if one.name == "@@locale"), "")
    units = tuple(
        Unit(
            id=one.name,
            source=TaggedText(""),
            target=TaggedText(one.text) if one.text else None,
            notes=tuple(filter(None, [one.note or notes.get(one.name, "")])),
            line=one.line,
        )
        for one in _texts(table, "")
    )
    if not units:
        raise InputError("MP870", "The file has no unit.", path=name, hint="Name one that has.")
    check_ids(units, name)
    return UnitFile(name, "json", "", locale if isinstance(locale, str) else "", units)


def _texts(members: list[Member], before: str) -> Iterator[_Said]:
    for one in members:
        if one.name.startswith(_ABOUT) and not before:
            continue
        name = f"{before}{one.name}"
        if isinstance(one.value, str):
            yield _Said(name, one.value, "", one.line)
        elif isinstance(one.value, list):
            message = next((m.value for m in one.value if m.name == "message"), None)
            if isinstance(message, str):
                yield _Said(name, message, _description(one), one.line)
            else:
                yield from _texts(one.value, f"{name}.")


def _description(member: Member) -> str:
    if not isinstance(member.value, list):
        return ""
    found = next((one.value for one in member.value if one.name == "description"), "")
    return found if isinstance(found, str) else ""


def _recognises(head: Head) -> bool:
    """By its name, and if it is an object that does not end in its first line: that may be JSON Lines."""
    if not head.name.lower().removesuffix(".gz").endswith(_ENDINGS) or not head.lines:
        return False
    if not _BEGINNING.match("\n".join(head.lines[:20])):
        return False
    try:
        row = json.loads(head.lines[0])
    except (ValueError, RecursionError):
        return True
    return len(head.lines) == 1 and not row.keys() & REFERENCE_COLUMNS and "items" not in row


FORMATS = (
    Format(
        name="json-strings",
        holds="units",
        description="JSON, a table of strings by key",
        recognises=_recognises,
        read=read_json_strings,
        open_units=read_json_strings,
    ),
)
