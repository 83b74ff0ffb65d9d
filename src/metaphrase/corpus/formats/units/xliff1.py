"""XLIFF 1.2 (and 1.0, 1.1): ``<file>`` has ``<trans-unit>``, perhaps in ``<group>``.

A trans-unit is one unit. If its ``<seg-source>`` marks several segments (``<mrk mtype="seg">``), each of
them is one, called ``ID/MID``, provided that the target marks the same ones or is not there.

https://docs.oasis-open.org/xliff/v1.2/os/xliff-core.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from metaphrase.corpus.formats.units.inline_tags import XLIFF_1, Marked, read_marked
from metaphrase.corpus.formats.units.placed_unit import PlacedUnit
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
from metaphrase.corpus.formats.units.xml_events import LANGUAGE, Event, XmlEvents
from metaphrase.corpus.units import Alternative, TaggedText, Unit


def read_version_1(events: XmlEvents, root: Event, languages: Languages) -> list[PlacedUnit]:
    """All units, of a file whose root has just begun."""
    parts = []
    for file in events.children():
        if file.value != core_name(root, "file"):
            continue
        given = file.attributes
        languages.declare(
            events, file, given.get("source-language", ""), given.get("target-language", "")
        )
        name = given.get("original", "")
        units = list(_units(events, root, Inherited(name).within(file)))
        parts.append((name, units))
    return with_groups(parts)


def _units(events: XmlEvents, root: Event, inherited: Inherited) -> Iterator[PlacedUnit]:
    """The units inside the element that has just begun."""
    for element in events.children():
        if element.value == core_name(root, "trans-unit"):
            yield from _trans_unit(events, element, root, inherited)
        elif element.value in (
            core_name(root, "body"),
            core_name(root, "group"),
            core_name(root, "bin-unit"),
        ):
            length = _max_length(element)
            yield from _units(events, root, inherited.within(element, length))


@dataclass(slots=True)
class _Found:
    """What a trans-unit has."""

    source: Marked | None = None
    segmented: Marked | None = None
    target: Marked | None = None
    target_start: int = 0
    source_start: int = 0
    state: str = ""
    notes: list[str] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)
    alternatives: list[tuple[str, Alternative]] = field(default_factory=list)


def _trans_unit(
    events: XmlEvents, element: Event, root: Event, inherited: Inherited
) -> Iterator[PlacedUnit]:
    name = needed(events, element, "id")
    inherited = inherited.within(element, _max_length(element))
    found = _Found()
    for child in events.children():
        local = child.local if child.value == core_name(root, child.local) else ""
        if local == "source":
            found.source = read_marked(events, child, XLIFF_1)
            found.source_start = child.start
        elif local == "seg-source":
            found.segmented = read_marked(events, child, XLIFF_1)
        elif local == "target":
            found.target = read_marked(events, child, XLIFF_1)
            found.target_start = child.start
            found.state = child.attributes.get("state", "")
        elif local == "note":
            found.notes.append(events.text())
        elif local == "context-group":
            found.contexts += _contexts(events)
        elif local == "alt-trans":
            found.alternatives += _alternatives(events, child, root)
    if found.source is None:
        raise no_source(events, element)
    if not found.state and element.attributes.get("approved") == "yes":
        found.state = "approved"
    contexts = filter(None, [element.attributes.get("resname", ""), *found.contexts])
    target = found.target
    last = target or found.segmented or found.source
    unit = Unit(
        id=name,
        group=inherited.group,
        source=found.source.text,
        target=given_text(target),
        state=found.state,
        notes=tuple(found.notes),
        context="; ".join(contexts),
        max_length=inherited.max_length,
        translate=inherited.translate,
        alternatives=tuple(one for _, one in found.alternatives),
        line=element.line,
    )
    place = PlacedUnit(
        unit, last.after, indentation(events, found.target_start or found.source_start)
    )
    segments = _segments(found)
    for mid in segments:
        assert found.segmented is not None
        part = replace(
            unit,
            id=f"{name}/{mid}",
            source=found.segmented.segments[mid],
            target=None if target is None else _said(target.segments[mid]),
            alternatives=tuple(one for about, one in found.alternatives if about in ("", mid)),
        )
        yield replace(place, unit=part, segment=mid)
    if not segments:
        yield place


def _segments(found: _Found) -> list[str]:
    """The ids of the segments, if there are several and both languages have the same ones."""
    if found.segmented is None or len(found.segmented.segments) < 2:
        return []
    target = given_text(found.target)
    if found.target is not None and target is not None:
        if found.target.segments.keys() != found.segmented.segments.keys():
            return []
    else:
        found.target = None
    return list(found.segmented.segments)


def given_text(marked: Marked | None) -> TaggedText | None:
    """The text of an element, if it says something: an empty target is none."""
    return None if marked is None else _said(marked.text)


def _said(text: TaggedText) -> TaggedText | None:
    return text if text.text or text.tags else None


def _contexts(events: XmlEvents) -> Iterator[str]:
    for context in events.children():
        kind = context.attributes.get("context-type", "")
        text = " ".join(events.text().split())
        if text:
            yield f"{kind}: {text}" if kind else text


def _alternatives(
    events: XmlEvents, element: Event, root: Event
) -> Iterator[tuple[str, Alternative]]:
    """Each translation offered, with the id of the segment that it is for."""
    given = element.attributes
    if given.get("alttranstype", "proposal") in ("rejected", "previous-version"):
        return
    source: TaggedText | None = None
    for child in events.children():
        if child.value == core_name(root, "source"):
            source = read_marked(events, child, XLIFF_1).text
        elif child.value == core_name(root, "target"):
            language = child.attributes.get(LANGUAGE, given.get(LANGUAGE, ""))
            yield (
                given.get("mid", ""),
                Alternative(
                    read_marked(events, child, XLIFF_1).text,
                    source,
                    given.get("origin", given.get("tool-id", given.get("tool", ""))),
                    quality(given.get("match-quality")),
                    language,
                ),
            )


def _max_length(element: Event) -> int | None:
    """``maxwidth`` counts characters only if it says so: its usual unit is the pixel."""
    if element.attributes.get("size-unit") != "char":
        return None
    return whole_number(element.attributes, "maxwidth")
