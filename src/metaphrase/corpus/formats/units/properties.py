r"""Java's ``.properties``: a key and a text in each line, in one language.

The text is the translation; the sources are in another file, with the same keys. The file is UTF-8, or ISO
8859-1 if it cannot be, as Java since version 9 has it; ``\u00e9`` is a character in either. Java would take
the last of two equal keys; here they are refused, because one of the two is a mistake.

https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.formats.units.unit_ids import check_ids
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.units import TaggedText, Unit, UnitFile
from metaphrase.errors import InputError

_LINE_END = re.compile(r"\r\n|\r|\n")
_WHITE = " \t\f"
_SEPARATOR = re.compile(r"((?:[^\\:= \t\f]|\\.)*)[ \t\f]*(?:[:=][ \t\f]*)?", re.S)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.S)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
_ENTRY = re.compile(r"\s*[^\s#!=:][^=:]*[=:]")


def read_properties(path: FilePath) -> UnitFile:
    """The texts of a file by their keys; an empty one is none."""
    name = shown_name(path)
    text = _decoded(file_bytes(path))
    units = []
    comments: list[str] = []
    for line, logical in _logical_lines(text):
        if logical.startswith(("#", "!")):
            comments.append(logical[1:].strip())
            continue
        found = _SEPARATOR.match(logical)
        assert found is not None
        key = _unescaped(found[1], name, line)
        value = _unescaped(logical[found.end() :], name, line)
        units.append(
            Unit(
                id=key,
                source=TaggedText(""),
                target=TaggedText(value) if value else None,
                notes=tuple(filter(None, comments)),
                line=line,
            )
        )
        comments = []
    if not units:
        raise InputError("MP870", "The file has no unit.", path=name, hint="Name one that has.")
    check_ids(units, name)
    return UnitFile(name, "properties", "", "", tuple(units))


def _decoded(data: bytes) -> str:
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each entry or comment with its line; a backslash at the end joins the next line to it."""
    pending: list[str] = []
    first = 1
    for number, line in enumerate(_LINE_END.split(text), 1):
        stripped = line.lstrip(_WHITE)
        if not pending:
            first = number
            if not stripped:
                continue
            if stripped[0] in "#!":
                yield number, stripped
                continue
        if (len(stripped) - len(stripped.rstrip("\\"))) % 2:
            pending.append(stripped[:-1])
            continue
        yield first, "".join([*pending, stripped])
        pending = []
    if pending:
        yield first, "".join(pending)


def _unescaped(text: str, path: str, line: int) -> str:
    if "\\" not in text:
        return text

    def replaced(match: re.Match[str]) -> str:
        said = match[1]
        if said[0] == "u":
            if len(said) == 1:
                raise InputError(
                    "MP878",
                    "\\u is not followed by four hexadecimal digits.",
                    path=path,
                    line=line,
                    hint="Write \\\\u for a backslash and a letter.",
                )
            return chr(int(said[1:], 16))
        return _NAMED.get(said, said)

    found = _ESCAPE.sub(replaced, text)
    try:
        # Two halves of a character are one.
        return found.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise InputError(
            "MP878",
            "The text has half a surrogate pair.",
            path=path,
            line=line,
            hint="Write both halves, or the character itself.",
        ) from None


def _recognises(head: Head) -> bool:
    if not head.name.lower().removesuffix(".gz").endswith(".properties"):
        return False
    return any(map(_ENTRY.match, head.lines))


FORMATS = (
    Format(
        name="properties",
        holds="units",
        description="Java properties, texts by key",
        recognises=_recognises,
        read=read_properties,
        open_units=read_properties,
        endings=(".properties",),
    ),
)
