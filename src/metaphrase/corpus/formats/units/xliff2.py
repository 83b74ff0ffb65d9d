"""XLIFF 2.0 to 2.2: ``<file>`` has ``<unit>``, perhaps in ``<group>``, and a unit has ``<segment>``.

Each segment is a unit. It is called by the id of its ``<unit>``, and by ``UNIT/SEGMENT`` if that has
several. ``<ignorable>`` is what stands between segments, and is not translated.

https://docs.oasis-open.org/xliff/xliff-core/v2.1/xliff-core-v2.1.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from metaphrase.corpus.formats.units.inline_tags import XLIFF_2, Marked, read_marked
from metaphrase.corpus.formats.units.placed_unit import PlacedUnit
from metaphrase.corpus.formats.units.xliff1 import given_text
from metaphrase.corpus.formats.units.xliff_file import (
    Inherited,
    Languages,
    core_name,
    indentation,
    needed,
    no_source,
    quality,
    whole_number,
    with_groups,
)
from metaphrase.corpus.formats.units.xml_events import Event, XmlEvents
from metaphrase.corpus.units import Alternative, TaggedText, Unit

_MATCHES = "urn:oasis:names:tc:xliff:matches:2.0"
_SIZES = "urn:oasis:names:tc:xliff:sizerestriction:2.0"


def read_version_2(events: XmlEvents, root: Event, languages: Languages) -> list[PlacedUnit]:
    """All units, of a file whose root has just begun."""
    given = root.attributes
    languages.declare(events, root, needed(events, root, "srcLang"), given.get("trgLang", ""))
    parts = []
    for file in events.children():
        if file.value != core_name(root, "file"):
            continue
        name = file.attributes.get("original", "") or file.attributes.get("id", "")
        inherited = Inherited(name).within(file, _max_length(file))
        parts.append((name, list(_units(events, root, inherited))))
    return with_groups(parts)


def _units(events: XmlEvents, root: Event, inherited: Inherited) -> Iterator[PlacedUnit]:
    for element in events.children():
        if element.value == core_name(root, "unit"):
            yield from _unit(events, element, root, inherited)
        elif element.value == core_name(root, "group"):
            yield from _units(events, root, inherited.within(element, _max_length(element)))


@dataclass(slots=True)
class _Segment:
    """One segment of a unit."""

    element: Event
    source: Marked
    target: Marked | None


@dataclass(slots=True)
class _Found:
    """What a unit has."""

    segments: list[_Segment] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    matches: list[tuple[str, Alternative]] = field(default_factory=list)


def _unit(
    events: XmlEvents, element: Event, root: Event, inherited: Inherited
) -> Iterator[PlacedUnit]:
    name = needed(events, element, "id")
    inherited = inherited.within(element, _max_length(element))
    found = _Found()
    indent = None
    for child in events.children():
        if indent is None:
            indent = indentation(events, child.start)
        if child.value == core_name(root, "segment"):
            found.segments.append(_segment(events, child, root))
        elif child.value == core_name(root, "notes"):
            found.notes += [
                events.text() for note in events.children() if note.value == core_name(root, "note")
            ]
        elif child.value == f"{_MATCHES} matches":
            found.matches += _alternatives(events, root)
    if not found.segments:
        raise events.error("MP864", "<unit> has no <segment>", element.line, "Add one.")
    several = len(found.segments) > 1
    names = [one.element.attributes.get("id", "") for one in found.segments]
    for number, (segment, own) in enumerate(zip(found.segments, names, strict=True), 1):
        marked = segment.target or segment.source
        wrapped = (marked.start, marked.end) if marked.start < marked.after else None
        unit = Unit(
            id=f"{name}/{own or number}" if several else name,
            group=inherited.group,
            source=segment.source.text,
            target=given_text(segment.target),
            state=segment.element.attributes.get("state", ""),
            notes=tuple(found.notes),
            context=element.attributes.get("name", ""),
            max_length=inherited.max_length,
            translate=inherited.translate,
            alternatives=tuple(
                one
                for about, one in found.matches
                if about == own or (number == 1 and about not in names)
            ),
            line=segment.element.line,
        )
        yield PlacedUnit(unit, element.end, indent or "", wrapped)


def _segment(events: XmlEvents, element: Event, root: Event) -> _Segment:
    source = target = None
    for child in events.children():
        if child.value == core_name(root, "source"):
            source = read_marked(events, child, XLIFF_2)
        elif child.value == core_name(root, "target"):
            target = read_marked(events, child, XLIFF_2)
    if source is None:
        raise no_source(events, element)
    return _Segment(element, source, target)


def _alternatives(events: XmlEvents, root: Event) -> Iterator[tuple[str, Alternative]]:
    """Each match, with the id that it refers to."""
    for match in events.children():
        if match.value != f"{_MATCHES} match":
            continue
        given = match.attributes
        texts: dict[str, TaggedText] = {}
        for child in events.children():
            if child.value in (core_name(root, "source"), core_name(root, "target")):
                texts[child.local] = read_marked(events, child, XLIFF_2).text
        if "target" in texts:
            said = given.get("matchQuality", given.get("similarity"))
            yield (
                given.get("ref", "").removeprefix("#"),
                Alternative(
                    texts["target"],
                    texts.get("source"),
                    given.get("origin", ""),
                    quality(said),
                ),
            )


def _max_length(element: Event) -> int | None:
    """The upper end of ``slr:sizeRestriction``: ``255`` or ``10,255``."""
    value = element.attributes.get(f"{_SIZES} sizeRestriction", "")
    return whole_number({"most": value.rpartition(",")[2]}, "most")
