"""TMX 1.4 (and 1.1 to 1.3), translation memories: ``<tu>`` has a ``<tuv>`` for each language.

A tu is a unit, called by its ``tuid`` or else by its number. A memory may have many languages, and a tu
several variants of one: the first that fits is taken. Ids of memories need not be unique; those that are not
are followed by the number of the tu.

https://www.gala-global.org/tmx-14b
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.markup.tags import first_tag, one_line
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.formats.units.inline_tags import TMX, read_marked
from metaphrase.corpus.formats.units.xml_events import LANGUAGE, START, Event, XmlEvents
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.units import TaggedText, Unit, UnitFile
from metaphrase.errors import InputError
from metaphrase.languages import same_language


@dataclass(slots=True)
class _TranslationUnit:
    """What a tu has."""

    name: str
    source_language: str
    line: int
    texts: list[tuple[str, TaggedText]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self, language: str) -> TaggedText | None:
        """The text in a language: the exact code first, then one that says more or less."""
        exact = [text for code, text in self.texts if code.lower() == language.lower()]
        similar = [text for code, text in self.texts if same_language(code, language)]
        return next(iter([*exact, *similar]), None)


def read_tmx(
    path: FilePath, *, source_language: str | None = None, target_language: str | None = None
) -> UnitFile:
    """The units of a memory in two of its languages, which it need not be told if it has only two."""
    name = shown_name(path)
    events = XmlEvents(file_bytes(path), name)
    root = next(event for event in events if event.kind == START)
    if root.local != "tmx":
        raise events.error("MP864", f"The file begins with <{root.local}>", root.line, "Name TMX.")
    header_language = ""
    found: list[_TranslationUnit] = []
    for element in events.children():
        if element.local == "header":
            header_language = element.attributes.get("srclang", "")
        elif element.local == "body":
            found += _units(events)
    for _ in events:
        pass  # what follows must be XML, too
    if not found:
        raise events.error("MP870", "The file has no unit", None, "Name one that has.")
    source = source_language or _source_language(found, header_language)
    target = target_language or _target_language(found, source, name)
    units = tuple(_in_pair(found, source, target))
    if not any(unit.target is not None for unit in units):
        raise InputError(
            "MP868",
            f"The memory has no text in both {source} and {target}.",
            path=name,
            hint="Name one that has.",
        )
    return UnitFile(name, "tmx", source, target, units)


def translations_by_source(file: UnitFile) -> Mapping[str, Unit]:
    """The unit of each source text; of several, the last: memories grow at their end."""
    return {one_line(unit.source.text): unit for unit in file.units if unit.target is not None}


def _units(events: XmlEvents) -> Iterator[_TranslationUnit]:
    for element in events.children():
        if element.local != "tu":
            continue
        given = element.attributes
        unit = _TranslationUnit(given.get("tuid", ""), given.get("srclang", ""), element.line)
        for child in events.children():
            if child.local == "note":
                unit.notes.append(events.text())
            elif child.local == "tuv":
                _variant(events, child, unit)
        if not unit.texts:
            raise events.error("MP864", "<tu> has no <tuv>", element.line, "Add one, or remove it.")
        yield unit


def _variant(events: XmlEvents, element: Event, unit: _TranslationUnit) -> None:
    language = element.attributes.get(LANGUAGE, element.attributes.get("lang", ""))
    if not language:
        raise events.error("MP864", "<tuv> has no xml:lang", element.line, "Say its language.")
    text = None
    for child in events.children():
        if child.local == "seg":
            text = read_marked(events, child, TMX).text
    if text is None:
        raise events.error("MP864", "<tuv> has no <seg>", element.line, "Add it.")
    unit.texts.append((language, text))


def _source_language(found: list[_TranslationUnit], header: str) -> str:
    """What the header or the first unit says, if it says one of the languages; else the first one's."""
    for said in (header, found[0].source_language):
        if said and said.lower() != "*all*":
            return said
    return found[0].texts[0][0]


def _target_language(found: list[_TranslationUnit], source: str, path: str) -> str:
    codes = {
        code.lower(): code
        for unit in found
        for code, _ in unit.texts
        if not same_language(code, source)
    }
    kinds: list[str] = []
    for code in codes.values():
        if not any(same_language(code, known) for known in kinds):
            kinds.append(code)
    if len(kinds) == 1:
        return min(codes.values(), key=len)
    if not kinds:
        raise InputError(
            "MP868",
            f"The memory has no language but {source}.",
            path=path,
            hint="Name one that has translations.",
        )
    raise InputError(
        "MP868",
        f"The memory has several languages besides {source}: {', '.join(sorted(kinds)[:8])}.",
        path=path,
        hint="Compare it with files that declare their languages, or export one pair of them.",
    )


def _in_pair(found: list[_TranslationUnit], source: str, target: str) -> Iterator[Unit]:
    names: set[str] = set()
    for number, one in enumerate(found, 1):
        text = one.text(one.source_language or source) or one.text(source)
        if text is None:
            continue
        name = one.name or str(number)
        if name in names:
            name = f"{name}({number})"
        names.add(name)
        translation = one.text(target)
        yield Unit(
            id=name,
            source=text,
            target=translation if translation and (translation.text or translation.tags) else None,
            notes=tuple(one.notes),
            line=one.line,
        )


def _recognises(head: Head) -> bool:
    return not head.is_folder and first_tag("\n".join(head.lines)) == "tmx"


FORMATS = (
    Format(
        name="tmx",
        holds="units",
        description="TMX, a translation memory",
        recognises=_recognises,
        read=read_tmx,
        open_units=read_tmx,
        options=("source_language", "target_language"),
        endings=(".tmx",),
    ),
)
