"""Files of glossaries: TBX in its dialects of 2008 and 2019, and tables (TSV)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.terms.glossary import Concept, Glossary, Name, Term, glossary_of
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.formats.units.xml_events import LANGUAGE, START, XmlEvents
from metaphrase.corpus.lines import FilePath, LineReader, shown_name
from metaphrase.errors import InputError, excerpt

#: Names of columns by what they hold; a column may be named by a code of a language instead.
_COLUMNS = {
    "source": ("source", "src", "term", "source term"),
    "target": ("target", "tgt", "translation", "target term"),
    "status": ("status",),
    "case": ("case", "case sensitive", "case_sensitive"),
    "note": ("note", "notes", "comment", "definition"),
}
#: Words for a term that must not be used, in tables and in the data categories of TBX.
_FORBIDDEN = frozenset(
    "forbidden deprecated obsolete superseded prohibited do-not-use deprecatedterm supersededterm "
    "deprecatedterm-admn-sts supersededterm-admn-sts notrecommended".split()
)
_ALLOWED = frozenset(
    "preferred admitted standard standardized approved allowed proposed new regulated legal "
    "preferredterm preferredterm-admn-sts admittedterm admittedterm-admn-sts standardizedterm "
    "regulatedterm legalterm regulatedterm-admn-sts legalterm-admn-sts standardizedterm-admn-sts".split()
)
_YES, _NO = (
    frozenset({"yes", "true", "1", "sensitive"}),
    frozenset({"no", "false", "0", "", "insensitive"}),
)
_STATUSES = ("administrativestatus", "normativeauthorization", "processstatus")
_ENTRIES = ("conceptEntry", "termEntry")
_LANGUAGES = ("langSec", "langSet")


def read_glossary(
    path: FilePath, *, source_language: str = "", target_language: str = ""
) -> Glossary:
    """The terms of a file for a pair of languages: TBX if it begins like XML, and else a table.

    A table has columns ``source`` and ``target``, or two that are named by codes of languages; ``status``
    (``forbidden``), ``case`` and ``note`` may follow. Without a header the first two columns are the terms.
    """
    name = shown_name(path)
    data = file_bytes(path)
    if data.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")[:1] == b"<":
        concepts = _tbx(XmlEvents(data, name))
        languages = _languages(concepts, name, source_language, target_language)
        glossary = glossary_of(concepts, *languages)
    else:
        glossary = _table(path, source_language, target_language)
    if not glossary.terms:
        raise InputError(
            "MP895",
            "The glossary has no term for these languages.",
            path=name,
            hint="Check the languages: --source-language LANG and -l LANG.",
        )
    return glossary


def read_glossaries(
    paths: Sequence[FilePath], source_language: str = "", target_language: str = ""
) -> Glossary:
    """The terms of several files together."""
    read = [
        read_glossary(path, source_language=source_language, target_language=target_language)
        for path in paths
    ]
    terms = tuple(dict.fromkeys(term for glossary in read for term in glossary.terms))
    return Glossary(terms, read[0].source_language, read[0].target_language)


def _tbx(events: XmlEvents) -> list[Concept]:
    root = next(event for event in events if event.kind == START)
    if root.local not in ("tbx", "martif"):
        raise events.error(
            "MP894",
            f"The file begins with <{root.local}>, not with <tbx> or <martif>",
            root.line,
            "Name a glossary in TBX or a table.",
        )
    concepts: list[Concept] = []
    for event in events:
        if event.kind == START and event.local in _ENTRIES:
            concepts.append(Concept(tuple(_names(events))))
    if not concepts:
        raise events.error("MP895", "The glossary has no entry", None, "Name one that has.")
    return concepts


def _names(events: XmlEvents) -> Iterator[Name]:
    """The names of the entry whose start tag came last."""
    for section in events.children():
        if section.local not in _LANGUAGES:
            continue
        language = section.attributes.get(LANGUAGE, "")
        if not language:
            raise events.error(
                "MP894",
                f"<{section.local}> does not say its language",
                section.line,
                "Add xml:lang.",
            )
        for group in events.children():
            text, forbidden = "", False
            level = events.depth
            while events.depth >= level:
                event = next(events)
                if event.kind != START:
                    continue
                if event.local == "term":
                    text = " ".join(events.text().split())
                elif _is_status(event.local, event.attributes.get("type", "")):
                    forbidden |= events.text().strip().lower() in _FORBIDDEN
            if text:
                yield Name(language, text, forbidden)
            elif group.local in ("tig", "ntig", "termSec"):
                raise events.error("MP894", "A term is empty", group.line, "Remove or fill it.")


def _is_status(element: str, kind: str) -> bool:
    """``<termNote type="administrativeStatus">``, or an element that is called so (DCT style)."""
    return kind.lower() in _STATUSES or element.lower() in _STATUSES


def _languages(concepts: Sequence[Concept], path: str, source: str, target: str) -> tuple[str, str]:
    """The pair that is asked for; what is not said follows from a file of two languages."""
    there = list(dict.fromkeys(name.language for concept in concepts for name in concept.names))
    if source and target:
        return source, target
    bases = list(dict.fromkeys(map(base_language, there)))
    if len(bases) == 2 and (source or target):
        known = base_language(source or target)
        if known in bases:
            (other,) = (
                (code for code in there if base_language(code) != known)
                if len(there) == 2
                else (next(code for code in bases if code != known),)
            )
            return (source or other), (target or other)
    raise InputError(
        "MP895",
        f"The glossary has the languages {', '.join(there)}.",
        path=path,
        hint="Say which ones are meant: --source-language LANG and -l LANG.",
    )


def _table(path: FilePath, source_language: str, target_language: str) -> Glossary:
    with LineReader(path) as reader:
        lines = [(n, text.split("\t")) for n, text in reader if text.strip() and text[0] != "#"]
    name = shown_name(path)
    if not lines:
        raise InputError("MP895", "The glossary has no term.", path=name, hint="Give one a line.")
    columns = _header(lines[0][1], source_language, target_language)
    if columns is not None:
        lines = lines[1:]
    else:
        columns = {"source": 0, "target": 1}
    return Glossary(
        tuple(_row(cells, columns, name, number) for number, cells in lines),
        source_language,
        target_language,
    )


def _header(
    cells: Sequence[str], source_language: str, target_language: str
) -> dict[str, int] | None:
    """Which column holds what, if the first line is a header."""
    names = [cell.strip().lower() for cell in cells]
    found: dict[str, int] = {}
    for role, known in _COLUMNS.items():
        place = next((i for i, name in enumerate(names) if name in known), None)
        if place is not None:
            found[role] = place
    for role, language in (("source", source_language), ("target", target_language)):
        codes = [
            i
            for i, name in enumerate(names)
            if language and base_language(name) == base_language(language)
        ]
        if role not in found and codes:
            found[role] = codes[0]
    if {"source", "target"} <= set(found):
        return found
    two_codes = len(names) == 2 and all(
        len(name) in (2, 5) and name[:2].isalpha() for name in names
    )
    return {"source": 0, "target": 1} if two_codes and not found else None


def _row(cells: Sequence[str], columns: dict[str, int], path: str, line: int) -> Term:
    def cell(role: str) -> str:
        place = columns.get(role)
        return "" if place is None or place >= len(cells) else " ".join(cells[place].split())

    if len(cells) < 2 or not (cell("source") or cell("target")):
        raise InputError(
            "MP894",
            f"The row {excerpt(chr(9).join(cells))} has no two terms.",
            path=path,
            line=line,
            hint="Write SOURCE, a tab and TARGET.",
        )
    status, case = cell("status").lower(), cell("case").lower()
    if status and status.replace(" ", "") not in _FORBIDDEN | _ALLOWED:
        raise InputError(
            "MP894",
            f"{status!r} is no status of a term.",
            path=path,
            line=line,
            hint="Write preferred, admitted or forbidden.",
        )
    if case not in _YES | _NO:
        raise InputError(
            "MP894",
            f"{case!r} says nothing about case.",
            path=path,
            line=line,
            hint="Write yes or no.",
        )
    # Translations that will do equally are divided by a bar.
    targets = tuple(part.strip() for part in cell("target").split("|") if part.strip())
    forbidden = status.replace(" ", "") in _FORBIDDEN
    if not targets or (not cell("source") and not forbidden):
        raise InputError(
            "MP894",
            "A term has no translation." if not targets else "A translation has no term.",
            path=path,
            line=line,
            hint="Only a forbidden word may stand without a term of the source.",
        )
    return Term(
        cell("source"),
        () if forbidden else targets,
        targets if forbidden else (),
        case in _YES,
        cell("note"),
    )
