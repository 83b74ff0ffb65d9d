"""Units of localisation files: a source, its translation, and what the file says about them.

Every format of such files (``formats/units/``) is read into these, and everything beyond reads these alone.
Markup inside a text is kept apart from it: metrics get the text, checks get the tags, and a tag knows where
it stood.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TagKind = Literal["open", "close", "standalone"]


@dataclass(frozen=True, slots=True)
class InlineTag:
    """Markup inside a text: ``<g id="1">``, ``</g>`` or ``<x id="2"/>``.

    ``id`` is what both halves of a pair and both languages have in common; ``""`` if the file gives none.
    ``markup`` is what stands in the file, with the native code that the element may hold, and ``position``
    the number of characters of text before it.
    """

    kind: TagKind
    id: str
    markup: str
    position: int


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A text without its markup, and the markup in the order of the file.

    >>> bold = InlineTag("open", "1", '<g id="1">', 6), InlineTag("close", "1", "</g>", 10)
    >>> TaggedText("Press Save.", bold).with_tags()
    'Press <g id="1">Save</g>.'
    """

    text: str
    tags: tuple[InlineTag, ...] = ()

    def with_tags(self) -> str:
        """The text with its tags as the file had them."""
        parts: list[str] = []
        start = 0
        for tag in self.tags:
            parts += [self.text[start : tag.position], tag.markup]
            start = tag.position
        return "".join([*parts, self.text[start:]])

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another translation that the file offers: ``alt-trans``, ``mtc:match``, a unit of a memory.

    ``quality`` is from 0 to 100 however the file wrote it; ``language`` is that of ``target``.
    """

    target: TaggedText
    source: TaggedText | None = None
    origin: str = ""
    quality: float | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is translated in one piece: a trans-unit, a segment, a message, a row.

    ``id`` is unique in its file and is what files are joined by; ``group`` is the part of the file that it
    stands in (``original`` of an XLIFF file element), ``""`` where there is none. ``target`` is ``None``
    where the file has no translation. ``state`` is in the words of the format (``needs-review-translation``,
    ``fuzzy``). ``plural`` is the number of a plural form, from 0. ``max_length`` is in characters. ``flags``
    are a programmer's hints (``c-format``).
    """

    id: str
    source: TaggedText
    target: TaggedText | None = None
    group: str = ""
    state: str = ""
    notes: tuple[str, ...] = ()
    context: str = ""
    plural: int | None = None
    max_length: int | None = None
    translate: bool = True
    alternatives: tuple[Alternative, ...] = ()
    line: int = 0
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitFile:
    """The units of a file in its order, and the languages it declares (``""`` where it does not)."""

    path: str
    format: str
    source_language: str
    target_language: str
    units: tuple[Unit, ...]
