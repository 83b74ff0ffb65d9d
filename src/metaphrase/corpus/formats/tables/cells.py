"""Cells of table rows: found by their role, checked, and collected into columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.tables.layout import Layout
from metaphrase.corpus.validation import (
    EmptyReferences,
    ReferenceColumn,
    columns_of_segments,
    find_empty_reference,
    without_empty,
)
from metaphrase.errors import InputError

#: The line a row came from, and its cells by column name.
Row = tuple[int, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Shared:
    """What a segment has once, whichever system translated it."""

    references: tuple[str | None, ...]
    source: str | None
    document: str | None
    domain: str | None


@dataclass(slots=True)
class Table:
    """Columns as they are collected, with the line of each segment."""

    lines: list[int] = field(default_factory=list)
    shared: list[Shared] = field(default_factory=list)
    systems: dict[str, list[str]] = field(default_factory=dict)
    empty_references: EmptyReferences = "keep"

    def references(self) -> list[ReferenceColumn]:
        """One column a reference, without those that are none by the rule for empty ones."""
        columns = columns_of_segments([shared.references for shared in self.shared])
        return without_empty(columns, self.empty_references)

    def corpus(self) -> Corpus:
        """The corpus of these columns, whose references have been checked already."""

        def optional(column: list[str | None]) -> list[str] | None:
            # The layout has this column or has not: either all cells are there or none is.
            texts = [text for text in column if text is not None]
            return texts or None

        return Corpus(
            self.systems,
            self.references(),
            sources=optional([shared.source for shared in self.shared]),
            documents=optional([shared.document for shared in self.shared]),
            domains=optional([shared.domain for shared in self.shared]),
            empty_references="keep",
        )


@dataclass(slots=True)
class Cells:
    """Reads cells of a row by their role, and knows which file and line to blame."""

    path: str
    layout: Layout
    separator: str | None

    def text(self, row: Mapping[str, object], name: str, line: int) -> str:
        """The text in the column called ``name``."""
        return self._checked(self._cell(row, name, line), name, line)

    def shared(self, row: Mapping[str, object], line: int) -> Shared:
        """References, source, document and domain; a further reference may be null."""
        layout = self.layout
        references: tuple[str | None, ...] = tuple(
            self._reference(self._cell(row, name, line), number, name, line)
            for number, name in enumerate(layout.references)
        )
        if layout.joined is not None:
            references = self._several(row, layout.joined, line)
        if not references:
            raise InputError(
                "MP143",
                "The row has no reference.",
                path=self.path,
                line=line,
                hint="Give it one, or leave the row out.",
            )
        source, document, domain = (
            None if name is None else self.text(row, name, line)
            for name in (layout.source, layout.document, layout.domain)
        )
        return Shared(references, source, document, domain)

    def check_references(self, table: Table, rule: EmptyReferences) -> None:
        """Settle what empty references mean; refuse those that are errors by the rule."""
        table.empty_references = rule
        found = find_empty_reference(table.systems, table.references()) if rule != "keep" else None
        if found is not None:
            number, row, name = found
            raise InputError(
                "MP105",
                f"Reference {number + 1} is empty, but system {name!r} has a hypothesis.",
                path=self.path,
                line=table.lines[row],
                hint='Mend the reference, or pass empty_references="keep".',
            )

    def _several(self, row: Mapping[str, object], name: str, line: int) -> tuple[str | None, ...]:
        if self.separator is not None:
            return tuple(self.text(row, name, line).split(self.separator))
        value = self._cell(row, name, line)
        if not isinstance(value, list):
            raise InputError(
                "MP107",
                f"{name!r} is of type {type(value).__name__}, not a list.",
                path=self.path,
                line=line,
                hint="Give a list of strings, one a reference.",
            )
        return tuple(self._reference(text, number, name, line) for number, text in enumerate(value))

    def _reference(self, value: object, number: int, name: str, line: int) -> str | None:
        """The text; null where a segment has no such reference, which it may only be of further ones."""
        return None if number and value is None else self._checked(value, name, line)

    def _cell(self, row: Mapping[str, object], name: str, line: int) -> object:
        if name not in row:
            raise InputError(
                "MP141", f"The row has no {name!r}.", path=self.path, line=line, hint="Add it."
            )
        return row[name]

    def _checked(self, value: object, name: str, line: int) -> str:
        return checked_cell(value, name, self.path, line)


def checked_cell(value: object, name: str, path: str, line: int) -> str:
    """The text of a cell, which is a string that can be encoded."""
    if not isinstance(value, str):
        raise InputError(
            "MP103",
            f"{name!r} is of type {type(value).__name__}, not a string.",
            path=path,
            line=line,
            hint="Use an empty string where there is no text.",
        )
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputError(
                "MP106",
                f"{name!r} has half a surrogate pair.",
                path=path,
                line=line,
                hint="Write the character itself or both halves.",
            ) from None
    return value
