"""Remarks (findings, scores) written beside the units that they are about; every other byte stays as it was.

==========  =================================================================================================
format      where it goes
==========  =================================================================================================
XLIFF 1.2   a ``<note from="metaphrase" annotates="target">`` after the target
XLIFF 2     ``<its:locQualityIssues>`` at the beginning of the unit, and a ``<mrk>`` about the target, or the
            source if there is none, that refers to it
PO          a comment ``#.`` for translators, after those that are there
==========  =================================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from metaphrase.corpus.formats.registry import format_of
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.formats.units.placed_unit import PlacedUnit
from metaphrase.corpus.formats.units.po import catalogue_encoding, placed_po
from metaphrase.corpus.formats.units.xliff import placed_xliff
from metaphrase.corpus.formats.units.xml_events import XmlEvents
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, OptionError, excerpt

ITS = "http://www.w3.org/2005/11/its"
_OURS = re.compile(r"metaphrase-([0-9]{1,9})")
#: What XML 1.0 cannot hold, escaped or not.
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"})
#: How severe a remark is, for ITS from 0 to 100 and as the priority of a note from 1 to 10.
_SEVERITIES: Mapping[str, tuple[int, int]] = {
    "critical": (100, 1),
    "error": (75, 2),
    "major": (75, 2),
    "warning": (40, 4),
    "minor": (25, 5),
    "info": (0, 9),
}
#: What ITS calls an issue that is of no kind that it knows.
_ANY_ISSUE = "uncategorized"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to say about a unit: what it is about (a check or a metric), how severe, and why.

    ``issue`` is a type of ITS (``terminology``, ``numbers``, ``whitespace`` …).

    >>> str(Remark("save", "chrf", score=59.69)), str(Remark("save", "number", "error", "2 became 3"))
    ('chrf 59.69', 'number: 2 became 3')
    """

    unit: str
    code: str
    severity: str = "info"
    comment: str = ""
    score: float | None = None
    issue: str = _ANY_ISSUE

    def __str__(self) -> str:
        score = "" if self.score is None else f" {self.score:.2f}"
        return f"{self.code}{score}" + (f": {self.comment}" if self.comment else "")


def annotate(path: FilePath, remarks: Iterable[Remark], output: FilePath) -> int:
    """Write the file with the remarks beside their units; returns how many there were.

    A remark about a unit that the file does not have is an error, and then nothing is written.
    """
    found = format_of(path)
    if found is None or found.name not in _WRITTEN:
        what = "plain text" if found is None else found.description
        raise OptionError(
            "MP880",
            f"The file is {what}, which has no place for remarks.",
            path=path,
            hint="XLIFF and PO have; others can become tables, with convert FILE --to tsv.",
        )
    given = list(remarks)
    written = annotated(file_bytes(path), given, shown_name(path), found.name)
    with atomic_writer(output) as stream:
        stream.write(written)
    return len(given)


def annotated(data: bytes, remarks: Sequence[Remark], path: str, form: str) -> bytes:
    """The bytes of a localisation file, ``xliff`` or ``po``, with the remarks put in."""
    by_unit: dict[str, list[Remark]] = {}
    for remark in remarks:
        by_unit.setdefault(remark.unit, []).append(remark)
    inserted = _WRITTEN[form](data, by_unit, path)
    parts: list[bytes] = []
    start = 0
    for offset, piece in sorted(inserted, key=lambda one: one[0]):
        parts += [data[start:offset], piece]
        start = offset
    return b"".join([*parts, data[start:]])


def _into_xliff(
    data: bytes, by_unit: Mapping[str, list[Remark]], path: str
) -> list[tuple[int, bytes]]:
    """What to put where, in the file's own encoding."""
    version, _, placed = placed_xliff(data, path)
    events = XmlEvents(data, path)
    next(events)  # its declaration comes first
    _check_known(by_unit, placed, path)
    write = _notes if version == 1 else _QualityIssues(data, events)
    return [
        (offset, text.encode(events.encoding, "xmlcharrefreplace"))
        for one in placed
        if one.unit.id in by_unit
        for offset, text in write(one, by_unit[one.unit.id])
    ]


def _into_po(
    data: bytes, by_unit: Mapping[str, list[Remark]], path: str
) -> list[tuple[int, bytes]]:
    encoding = catalogue_encoding(data, path)
    _, placed = placed_po(data, path)
    _check_known(by_unit, placed, path)
    return [
        (one.beside, text.encode(encoding, "replace"))
        for one in placed
        if one.unit.id in by_unit
        for text in _comments(one, by_unit[one.unit.id])
    ]


_WRITTEN = {"xliff": _into_xliff, "po": _into_po}


def _check_known(
    by_unit: Mapping[str, list[Remark]], placed: Sequence[PlacedUnit], path: str
) -> None:
    unknown = by_unit.keys() - {one.unit.id for one in placed}
    if unknown:
        raise InputError(
            "MP881",
            f"The file has no unit {excerpt(min(unknown))}"
            + (f", nor {len(unknown) - 1} others" if len(unknown) > 1 else "")
            + ", which there is something to say about.",
            path=path,
            hint="Give the file that was scored or checked.",
        )


def _comments(place: PlacedUnit, remarks: Sequence[Remark]) -> Iterator[str]:
    plural = "" if place.unit.plural is None else f" msgstr[{place.unit.plural}]"
    for one in remarks:
        yield f"#. metaphrase{plural}: {' '.join(str(one).split())}{place.indent}"


def _notes(place: PlacedUnit, remarks: Sequence[Remark]) -> Iterator[tuple[int, str]]:
    # A segment that shares its trans-unit with others says which one it is.
    segment = place.segment and f"segment {place.segment}: "
    for one in remarks:
        priority = _SEVERITIES.get(one.severity, (50, 5))[1]
        text = _escaped(segment + str(one))
        yield (
            place.beside,
            f'{place.indent}<note from="metaphrase" priority="{priority}" annotates="target">'
            f"{text}</note>",
        )


class _QualityIssues:
    """Numbers what it writes after whatever an earlier run has written into the file."""

    def __init__(self, data: bytes, events: XmlEvents) -> None:
        text = data.decode(events.encoding, "ignore")
        self._number = max((int(found) for found in _OURS.findall(text)), default=0)
        # The prefix that elements without a namespace of their own have here.
        root = re.search(r"<(?:([\w.-]+):)?xliff[\s>]", text)
        self._prefix = f"{root[1]}:" if root and root[1] else ""

    def __call__(self, place: PlacedUnit, remarks: Sequence[Remark]) -> Iterator[tuple[int, str]]:
        self._number += 1
        name = f"metaphrase-{self._number}"
        issues = "".join(map(issue_element, remarks))
        yield (
            place.beside,
            f'{place.indent}<its:locQualityIssues xmlns:its="{ITS}" xml:id="{name}">{issues}'
            "</its:locQualityIssues>",
        )
        if place.content is None:
            return
        start, end = place.content
        mark = f"{self._prefix}mrk"
        yield (
            start,
            f'<{mark} id="{name}" xmlns:its="{ITS}" its:locQualityIssuesRef="#its={name}">',
        )
        yield end, f"</{mark}>"


def issue_element(remark: Remark) -> str:
    """One issue of ``its:locQualityIssues``."""
    severity = _SEVERITIES.get(remark.severity, (50, 5))[0]
    return (
        f'<its:locQualityIssue locQualityIssueType="{_escaped(remark.issue)}" '
        f'locQualityIssueComment="{_escaped(str(remark))}" '
        f'locQualityIssueSeverity="{severity}"/>'
    )


def _escaped(text: str) -> str:
    return written(" ".join(text.split()))


def written(text: str) -> str:
    """A text as XML has it; what it cannot hold becomes U+FFFD, so that places stay."""
    return _IMPOSSIBLE.sub("\ufffd", text).translate(_ESCAPES)
