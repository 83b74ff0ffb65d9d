"""Which column of a table of units says what, by its name or by what somebody states.

A table has a column of sources and one of translations, called so or by their languages (``en``, ``de-AT``).
One of ids is welcome; without it a unit is called by its source, which then must be unique.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metaphrase.corpus.formats.tables.layout import REFERENCE_COLUMNS
from metaphrase.corpus.units import TaggedText, Unit
from metaphrase.errors import InputError, OptionError

#: Names of columns by role, in lower case; the role that a name is a synonym of comes first.
NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "key", "identifier", "segment", "segment_id", "unit", "string id", "string_id"),
    "source": ("source", "src", "source_text", "source text", "original"),
    "target": ("target", "tgt", "trg", "translation", "target_text", "hypothesis", "hyp", "mt"),
    "context": ("context", "ctx"),
    "note": ("note", "notes", "comment", "comments", "description"),
    "state": ("state", "status"),
    "group": ("group", "file", "document", "doc"),
    "max_length": ("max_length", "max length", "maxlength", "limit", "character limit"),
}  # fmt: skip
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_](?:[A-Z][a-z]{3}|[A-Za-z]{2}|[0-9]{3}))?")
#: Two-letter names that are languages but are more often something else.
_NO_LANGUAGE = frozenset({"id", "no", "mt", "pe"})
#: What tells tables of judgements from those of units.
_JUDGED = frozenset({"system", "rater", "severity", "human", "judge"})


@dataclass(frozen=True, slots=True)
class UnitColumns:
    """The place of each role's column, and the languages that sources and targets are in."""

    places: Mapping[str, int]
    source_language: str = ""
    target_language: str = ""

    def unit(self, cells: Sequence[str], line: int) -> Unit | None:
        """The unit of a row; none if the row is empty."""

        def cell(role: str) -> str:
            place = self.places.get(role)
            return "" if place is None or place >= len(cells) else cells[place]

        source, target = cell("source"), cell("target")
        if not (source or target):
            return None
        length = cell("max_length").strip()
        return Unit(
            id=cell("id").strip() or source,
            source=TaggedText(source),
            target=TaggedText(target) if target else None,
            group=cell("group"),
            state=cell("state"),
            notes=(cell("note"),) if cell("note") else (),
            context=cell("context"),
            max_length=int(length)
            if length.isascii() and length.isdecimal() and len(length) < 10
            else None,
            line=line,
        )


def unit_columns(
    header: Sequence[str], stated: Mapping[str, str | Sequence[str]] | None = None
) -> UnitColumns | None:
    """The columns of a table of units; ``None`` if its header is that of something else."""
    names = [name.strip() for name in header]
    lower = [name.lower() for name in names]
    if not stated and (set(lower) & (REFERENCE_COLUMNS | _JUDGED)):
        return None
    places: dict[str, int] = {}
    for role, name in (stated or {}).items():
        role = {"segment": "id", "hypothesis": "target", "document": "group"}.get(role, role)
        if isinstance(name, str) and role in NAMES and name in names:
            places[role] = names.index(name)
    for role, known in NAMES.items():
        found = next((lower.index(name) for name in known if name in lower), None)
        if found is not None and role not in places and found not in places.values():
            places[role] = found
    languages = [
        place
        for place, name in enumerate(names)
        if _LANGUAGE.fullmatch(name) and name not in _NO_LANGUAGE and place not in places.values()
    ]
    for role in ("source", "target"):
        if role not in places and languages:
            places[role] = languages.pop(0)
    if languages or not {"source", "target"} <= places.keys():
        return None

    def language(role: str) -> str:
        name = names[places[role]]
        return name if _LANGUAGE.fullmatch(name) and name.lower() not in NAMES[role] else ""

    return UnitColumns(places, language("source"), language("target"))


def no_columns(
    header: Sequence[str],
    stated: Mapping[str, str | Sequence[str]] | None,
    path: str,
    line: int | None,
) -> InputError | OptionError:
    """The error of a table whose columns nobody can tell."""
    shown = ", ".join(repr(name) for name in header[:12])
    for name in (stated or {}).values():
        if isinstance(name, str) and name not in header:
            return OptionError(
                "MP876",
                f"The table has no column {name!r}.",
                path=path,
                line=line,
                hint=f"It has {shown}.",
            )
    return InputError(
        "MP876",
        f"Nothing says which column has the sources and which the translations, among {shown}.",
        path=path,
        line=line,
        hint="Say it: --columns id=NAME,source=NAME,target=NAME.",
    )
