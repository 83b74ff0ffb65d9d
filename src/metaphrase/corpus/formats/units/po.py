"""PO and POT, the catalogues of gettext.

A message is a unit, called by its ``msgid``, or ``CONTEXT|MSGID`` if it has a context; each plural form is a
unit of its own, ``CONTEXT|MSGID|NUMBER``. Bars and backslashes inside are written with a backslash before.
The header and obsolete messages (``#~``) are no units. A message marked ``fuzzy`` has that for a state.

https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.formats.units.placed_unit import PlacedUnit
from metaphrase.corpus.formats.units.po_strings import concatenated
from metaphrase.corpus.formats.units.unit_ids import check_ids
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.units import TaggedText, Unit, UnitFile
from metaphrase.errors import InputError, excerpt

_KEYWORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[([0-9]{1,3})\])?)\s*(?=["]|$)')
_CHARSET = re.compile(rb"charset=([A-Za-z0-9._:-]+)", re.I)
_FIELD = re.compile(r"^([A-Za-z-]+):[ \t]*(.*)$", re.M)
_PLURALS = re.compile(r"nplurals\s*=\s*([0-9]{1,3})")
_MSGID = re.compile(r'msgid\s*"')
#: How much of a file is looked at for its header.
_HEADER_BYTES = 1 << 16


@dataclass(slots=True)
class _Message:
    """The lines of one message."""

    line: int = 0
    beside: int = -1  # byte offset of the first line after remarks of translators and programmers
    notes: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    strings: dict[str, str] = field(default_factory=dict)
    open: str = ""  # the keyword whose string may go on in the next line

    @property
    def is_complete(self) -> bool:
        """Whether a comment or a new ``msgid`` would begin the next message."""
        return any(name.startswith("msgstr") for name in self.strings)


def read_po(path: FilePath) -> UnitFile:
    """All messages of a catalogue but obsolete ones; errors name the line."""
    name = shown_name(path)
    header, placed = placed_po(file_bytes(path), name)
    return UnitFile(
        name, "po", header.get("x-source-language", ""), header.get("language", ""),
        tuple(one.unit for one in placed),
    )  # fmt: skip


def placed_po(data: bytes, path: str) -> tuple[dict[str, str], list[PlacedUnit]]:
    """The fields of the header, in lower case, and the units with their places."""
    encoding = catalogue_encoding(data, path)
    header: dict[str, str] = {}
    plurals: int | None = None
    newline = "\r\n" if b"\r\n" in data[:_HEADER_BYTES] else "\n"
    placed: list[PlacedUnit] = []
    for message in _messages(data, encoding, path):
        if message.strings["msgid"] == "" and "msgctxt" not in message.strings:
            if header or placed:
                line = message.line
                raise _fault("There is a second header, or an empty msgid", path, line)
            text = message.strings.get("msgstr", "")
            header = {name.lower(): value for name, value in _FIELD.findall(text)}
            found = _PLURALS.search(header.get("plural-forms", ""))
            plurals = int(found[1]) if found else None
            continue
        placed += [
            PlacedUnit(unit, message.beside, newline) for unit in _units(message, plurals, path)
        ]
    if not placed:
        raise InputError("MP870", "The file has no unit.", path=path, hint="Name one that has.")
    check_ids((one.unit for one in placed), path)
    return header, placed


def catalogue_encoding(data: bytes, path: str) -> str:
    """What the header declares; UTF-8 if there is none, or a template that leaves it open."""
    found = _CHARSET.search(data[:_HEADER_BYTES])
    said = found[1].decode() if found else "utf-8"
    if said.upper() in ("CHARSET", "UTF8") or data.startswith(codecs.BOM_UTF8):
        return "utf-8"
    try:
        if "msgid".encode(said) != b"msgid":
            raise LookupError
        codecs.lookup(said)
    except (LookupError, UnicodeError):
        line = data.count(b"\n", 0, found.start()) + 1 if found else 1
        raise InputError(
            "MP862",
            f"The header declares the encoding {said!r}, which no catalogue can be in.",
            path=path,
            line=line,
            hint="Convert the file to UTF-8, header and all.",
        ) from None
    return said


def unit_id(context: str | None, msgid: str, plural: int | None = None) -> str:
    r"""What a message is called.

    >>> unit_id(None, "Save"), unit_id("menu", "Save"), unit_id(None, "%d files", 1)
    ('Save', 'menu|Save', '|%d files|1')
    """

    def part(text: str) -> str:
        return text.replace("\\", "\\\\").replace("|", "\\|")

    if context is None and plural is None:
        return part(msgid)
    # An empty context is another one than none.
    shown = "" if context is None else part(context) or "\\e"
    return f"{shown}|{part(msgid)}" + ("" if plural is None else f"|{plural}")


def _units(message: _Message, plurals: int | None, path: str) -> Iterator[Unit]:
    strings = message.strings
    context, msgid = strings.get("msgctxt"), strings["msgid"]
    forms = _forms(message, path)
    fuzzy = "fuzzy" in message.flags
    flags = tuple(flag for flag in message.flags if flag != "fuzzy")
    for plural, text in forms.items():
        # Where there is one form, it is that for all numbers.
        is_first = plural == 0 and (plurals or len(forms)) > 1
        source = msgid if plural is None or is_first else strings["msgid_plural"]
        yield Unit(
            id=unit_id(context, msgid, plural),
            source=TaggedText(source),
            target=TaggedText(text) if text else None,
            state="fuzzy" if fuzzy else "",
            notes=tuple(message.notes),
            context=context or "",
            plural=plural,
            line=message.line,
            flags=flags,
        )


def _forms(message: _Message, path: str) -> Mapping[int | None, str]:
    """The translations by their plural forms, which begin with 0."""
    strings = message.strings
    if "msgid_plural" not in strings:
        if "msgstr" not in strings:
            raise _fault("A message without msgid_plural has msgstr[0]", path, message.line)
        return {None: strings["msgstr"]}
    numbers = [int(name[7:-1]) for name in strings if name.startswith("msgstr[")]
    if "msgstr" in strings or numbers != list(range(len(numbers))):
        raise _fault("Plural forms are not msgstr[0], msgstr[1] … in order", path, message.line)
    return {number: strings[f"msgstr[{number}]"] for number in numbers}


def _messages(data: bytes, encoding: str, path: str) -> Iterator[_Message]:
    """Each message that is not obsolete, with its header for the first."""
    message = _Message()
    offset = 0
    for number, raw in enumerate(data.split(b"\n"), 1):
        start, offset = offset, offset + len(raw) + 1
        if number == 1:
            raw = raw.removeprefix(codecs.BOM_UTF8)
        try:
            line = raw.decode(encoding).strip()
        except UnicodeDecodeError as error:
            raise InputError(
                "MP862",
                f"The byte 0x{raw[error.start]:02X} is not {encoding}, which the file declares or "
                "must be in.",
                path=path,
                line=number,
                hint="Mend the charset of the header, or convert the file to UTF-8.",
            ) from None
        if not line:
            continue
        if line.startswith("#"):
            if message.is_complete:
                yield message
                message = _Message()
            if not line.startswith("#~"):
                _comment(message, line, start)
            continue
        if line.startswith('"'):
            if not message.open:
                raise _fault("A string stands where a keyword belongs", path, number)
            message.strings[message.open] += concatenated(line, path, number)
            continue
        found = _KEYWORD.match(line)
        if found is None:
            raise _fault(f"{excerpt(line, 40)} is no line of a catalogue", path, number)
        keyword = found[1]
        if message.is_complete and keyword in ("msgctxt", "msgid"):
            yield message
            message = _Message()
        _check_order(message, keyword, path, number)
        if not message.line:
            message.line = number
        if message.beside < 0:
            message.beside = start
        message.strings[keyword] = concatenated(line[found.end() :], path, number)
        message.open = keyword
    if message.strings:
        if not message.is_complete:
            raise _fault("The file ends inside a message", path, message.line)
        yield message


def _comment(message: _Message, line: str, start: int) -> None:
    if message.beside < 0 and line[1:2] in (":", ",", "|", "="):
        message.beside = start
    if line.startswith("#,"):
        message.flags += [flag.strip() for flag in line[2:].split(",") if flag.strip()]
    elif (line.startswith("#.") or line[1:2] in (" ", "\t")) and (text := line[2:].strip()):
        message.notes.append(text)


#: What must come before a keyword in the same message.
_BEFORE: Mapping[str, Sequence[str]] = {
    "msgctxt": (),
    "msgid": ("msgctxt",),
    "msgid_plural": ("msgid",),
    "msgstr": ("msgid", "msgid_plural"),
}


def _check_order(message: _Message, keyword: str, path: str, number: int) -> None:
    if keyword in message.strings:
        raise _fault(f"{keyword} comes twice in one message", path, number)
    kind = keyword.partition("[")[0]
    if message.open and message.open.partition("[")[0] not in (*_BEFORE[kind], "msgstr"):
        raise _fault(f"{keyword} comes after {message.open}", path, number)
    if kind in ("msgid_plural", "msgstr") and "msgid" not in message.strings:
        raise _fault(f"{keyword} comes before msgid", path, number)


def _fault(what: str, path: str, line: int) -> InputError:
    hint = "`msgfmt --check` says what else gettext finds."
    return InputError("MP866", f"{what}.", path=path, line=line, hint=hint)


def _recognises(head: Head) -> bool:
    """Both keywords at the beginning of lines, and the first of them followed by a string."""
    lines = [line.lstrip() for line in head.lines]
    return any(map(_MSGID.match, lines)) and any(line.startswith("msgstr") for line in lines)


FORMATS = (
    Format(
        name="po",
        holds="units",
        description="PO, a catalogue of gettext",
        recognises=_recognises,
        read=read_po,
        open_units=read_po,
        endings=(".po", ".pot"),
    ),
)
