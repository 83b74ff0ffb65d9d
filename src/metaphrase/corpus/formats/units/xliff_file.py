"""What both generations of XLIFF have in common: files with languages, attributes handed down, places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from metaphrase.corpus.formats.units.placed_unit import PlacedUnit
from metaphrase.corpus.formats.units.xml_events import Event, XmlEvents
from metaphrase.errors import InputError


@dataclass(frozen=True, slots=True)
class Inherited:
    """What an element hands down to those inside it."""

    group: str
    translate: bool = True
    max_length: int | None = None

    def within(self, element: Event, max_length: int | None = None) -> Inherited:
        """The same for the children of ``element``."""
        translate = element.attributes.get("translate", "yes" if self.translate else "no")
        return replace(
            self,
            translate=translate != "no",
            max_length=self.max_length if max_length is None else max_length,
        )


@dataclass(slots=True)
class Languages:
    """The languages that a file declares, which must be the same wherever it does."""

    source: str = ""
    target: str = ""

    def declare(self, events: XmlEvents, element: Event, source: str, target: str) -> None:
        """Take over what an element says."""
        for role, said in (("source", source), ("target", target)):
            before = getattr(self, role)
            if before and said and before.lower() != said.lower():
                raise events.error(
                    "MP869",
                    f"The {role} language is {said}, but {before} further up",
                    element.line,
                    "Give one file for each language.",
                )
            setattr(self, role, before or said)


def with_groups(parts: Sequence[tuple[str, list[PlacedUnit]]]) -> list[PlacedUnit]:
    """All units; where there are several ``<file>``, which have ids of their own, with its name."""
    filled = [(name, units) for name, units in parts if units]
    if len(filled) < 2:
        return [one for _, units in filled for one in units]
    names = [name for name, _ in filled]
    found: list[PlacedUnit] = []
    for number, (name, units) in enumerate(filled, 1):
        shown = name if name and names.count(name) == 1 else f"{name}({number})"
        found += [
            replace(one, unit=replace(one.unit, id=f"{shown}#{one.unit.id}")) for one in units
        ]
    return found


def needed(events: XmlEvents, element: Event, name: str) -> str:
    """An attribute that must be there."""
    value = element.attributes.get(name, "")
    if not value:
        raise events.error(
            "MP864",
            f"<{element.local}> has no {name}",
            element.line,
            "Units are joined by their ids." if name == "id" else "Add it.",
        )
    return value


def whole_number(attributes: Mapping[str, str], name: str) -> int | None:
    """An attribute that is a number, if it is there and is one."""
    value = attributes.get(name, "").strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None


def quality(text: str | None) -> float | None:
    """A match quality from 0 to 100; tools write ``95``, ``95%``, ``95.00`` or ``0.95``."""
    if text is None:
        return None
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        return None
    if "%" not in text and "." in text and 0 <= value <= 1:
        value *= 100
    return value if 0 <= value <= 100 else None


def indentation(events: XmlEvents, start: int) -> str:
    """The line end and white space before a tag that begins a line; nothing if it does not."""
    before = events.data[max(0, start - 400) : start].decode(events.encoding, "ignore")
    line, end, white = before.rpartition("\n")
    if not end or white.strip(" \t"):
        return ""
    return ("\r\n" if line.endswith("\r") else "\n") + white


def no_source(events: XmlEvents, element: Event) -> InputError:
    """The error of a unit without a source."""
    return events.error("MP864", f"<{element.local}> has no <source>", element.line, "Add it.")


def core_name(root: Event, local: str) -> str:
    """A name in the namespace of the root."""
    return root.value.removesuffix("xliff") + local
