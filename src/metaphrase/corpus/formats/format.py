"""What a file format is to the rest of the program, whatever it looks like."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from metaphrase.corpus.lines import FilePath

#: What is in a file: texts to be scored, units of localisation, what people said of texts, what each judge
#: said, what metrics or people gave them, or errors that metrics should see.
Holds = Literal["texts", "units", "judgements", "ratings", "scores", "challenges"]


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a file before it is read: its name and its first lines, or a folder's entries.

    ``lines`` are decoded leniently and cut short, for they are only looked at to recognise the format; a file
    that is not text has none, and ``magic`` are its first bytes.
    """

    name: str
    lines: tuple[str, ...]
    entries: tuple[str, ...] | None = None
    magic: bytes = b""

    @property
    def is_folder(self) -> bool:
        """Whether the format is one of folders."""
        return self.entries is not None

    @property
    def columns(self) -> set[str]:
        """The cells of the first line of a table."""
        return set(self.lines[0].split("\t")) if self.lines else set()

    @property
    def fields(self) -> set[str]:
        """The fields of the JSON object in the first line; none if there is no such thing."""
        try:
            row = json.loads(self.lines[0]) if self.lines else None
        except (ValueError, RecursionError):
            row = None
        return set(row) if isinstance(row, dict) else set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format by name: how to recognise, read and write it.

    ``recognises`` is strict: at most one format recognises a file. ``read`` gives what ``holds`` says,
    as the module of the format documents; ``write`` is its inverse and atomic. A file with one of the
    ``endings`` is of the format even if it is so damaged that its beginning does not tell.
    """

    name: str
    holds: Holds
    description: str
    recognises: Callable[[Head], bool]
    read: Callable[[FilePath], Any]
    write: Callable[[Any, FilePath], None] | None = None
    endings: tuple[str, ...] = ()
