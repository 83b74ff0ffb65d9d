"""XLIFF, the exchange format of localisation, in whichever version."""

from __future__ import annotations

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.markup.tags import first_tag
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.formats.units.placed_unit import PlacedUnit
from metaphrase.corpus.formats.units.unit_ids import check_ids
from metaphrase.corpus.formats.units.xliff1 import read_version_1
from metaphrase.corpus.formats.units.xliff2 import read_version_2
from metaphrase.corpus.formats.units.xliff_file import Languages
from metaphrase.corpus.formats.units.xml_events import START, Event, XmlEvents
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.units import UnitFile


def read_xliff(path: FilePath) -> UnitFile:
    """All units of a file; errors name the line."""
    name = shown_name(path)
    version, languages, placed = placed_xliff(file_bytes(path), name)
    return UnitFile(
        name,
        f"xliff-{version}",
        languages.source,
        languages.target,
        tuple(one.unit for one in placed),
    )


def placed_xliff(data: bytes, path: str) -> tuple[int, Languages, list[PlacedUnit]]:
    """The generation of XLIFF that a file is in, 1 or 2, its languages, and its units with their places."""
    events = XmlEvents(data, path)
    root = next(event for event in events if event.kind == START)
    if root.local != "xliff":
        raise events.error(
            "MP864", f"The file begins with <{root.local}>", root.line, "Name XLIFF."
        )
    version = _version(events, root)
    languages = Languages()
    read = read_version_1 if version == 1 else read_version_2
    placed = read(events, root, languages)
    for _ in events:
        pass  # what follows the last unit must be XML, too
    if not placed:
        raise events.error("MP870", "The file has no unit", None, "Name one that has.")
    check_ids((one.unit for one in placed), path)
    return version, languages, placed


def _version(events: XmlEvents, root: Event) -> int:
    said = root.attributes.get("version", "")
    if said.startswith("1.") or (not said and ":1." in root.namespace):
        return 1
    if said.startswith("2.") or (not said and ":2." in root.namespace):
        return 2
    raise events.error(
        "MP864",
        f"This is XLIFF of version {said!r}",
        root.line,
        "Versions 1.0 to 2.2 are read.",
    )


def _recognises(head: Head) -> bool:
    return not head.is_folder and first_tag("\n".join(head.lines)) == "xliff"


FORMATS = (
    Format(
        name="xliff",
        holds="units",
        description="XLIFF",
        recognises=_recognises,
        read=read_xliff,
        open_units=read_xliff,
        endings=(".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff"),
    ),
)
