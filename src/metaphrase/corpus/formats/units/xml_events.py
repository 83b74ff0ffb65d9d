"""XML as events that know their bytes, so that a file can be written back exactly as it was.

Expat does the reading, under the rules of defusedxml: nothing is fetched, and a file that declares entities
is refused, because a few lines of them can stand for gigabytes. A document type that only names its DTD, as
those of many translation memories do, is passed over.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from metaphrase.errors import InputError

_BLOCK = 1 << 16
#: Deeper than any format nests its groups, and far from what a stack can bear.
_DEEPEST = 200
#: What stands between a namespace and a name, in names of elements and attributes.
SEPARATOR = " "
XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
LANGUAGE = f"{XML_NAMESPACE} lang"

START, END, TEXT, OTHER = range(4)
#: How UTF-16 begins, with its mark or without.
_UTF16 = {
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
_CODES = expat.errors.codes
_INVALID_TOKEN = _CODES[expat.errors.XML_ERROR_INVALID_TOKEN]
_ENCODING = {
    _CODES[expat.errors.XML_ERROR_UNKNOWN_ENCODING],
    _CODES[expat.errors.XML_ERROR_INCORRECT_ENCODING],
}
_NO_ATTRIBUTES: Mapping[str, str] = {}
#: An event whose end is where the next one begins: kind, value, attributes, first byte, line.
_Found = tuple[int, str, Mapping[str, str], int, int]


class Event(NamedTuple):
    """A start tag, an end tag, text or something else, from byte ``start`` to byte ``end``.

    ``value`` is the name or the text. The end tag of ``<x/>`` has no bytes.
    """

    kind: int
    value: str
    attributes: Mapping[str, str]
    start: int
    end: int
    line: int

    @property
    def local(self) -> str:
        """The name without its namespace."""
        return self.value.rpartition(SEPARATOR)[2]

    @property
    def namespace(self) -> str:
        """The namespace, empty if there is none."""
        return self.value.rpartition(SEPARATOR)[0]


class XmlEvents:
    """The events of one document, one after the other."""

    def __init__(self, data: bytes, path: str) -> None:
        self.data = data
        self.path = path
        self.encoding = next(
            (name for mark, name in _UTF16.items() if data.startswith(mark)), "utf-8"
        )
        self._said = self.encoding
        self.depth = 0
        self._found: list[_Found] = []
        self._events = self._walk()

    def __iter__(self) -> Iterator[Event]:
        return self._events

    def __next__(self) -> Event:
        return next(self._events)

    def children(self) -> Iterator[Event]:
        """The start tag of each child of the element whose start tag came last.

        Whatever a caller leaves of a child is passed over.
        """
        level = self.depth
        for event in self:
            if event.kind == START and self.depth == level + 1:
                yield event
                # The caller may have read the child to its end.
                while self.depth > level:
                    next(self)
            elif event.kind == END and self.depth < level:
                return

    def text(self) -> str:
        """All text inside the element whose start tag came last, which is read to its end."""
        level = self.depth
        parts: list[str] = []
        for event in self:
            if event.kind == TEXT:
                parts.append(event.value)
            elif event.kind == END and self.depth < level:
                break
        return "".join(parts)

    def raw(self, start: int, end: int) -> str:
        """Bytes of the file as they would be shown."""
        return self.data[start:end].decode(self.encoding, "replace")

    def error(self, code: str, message: str, line: int | None, hint: str = "") -> InputError:
        """An error at some line."""
        return InputError(code, f"{message}.", path=self.path, line=line, hint=hint or None)

    def _walk(self) -> Iterator[Event]:
        parser = self._parser()
        pending: _Found | None = None
        view = memoryview(self.data)
        try:
            for start in range(0, len(view) + 1, _BLOCK):
                block = view[start : start + _BLOCK]
                parser.Parse(bytes(block), False)
                if start + _BLOCK > len(view):
                    parser.Parse(b"", True)
                found, self._found = self._found, []
                for one in found:
                    if pending is not None:
                        yield self._counted(pending, one[3])
                    pending = one
        except expat.ExpatError as error:
            raise self._not_xml(parser, error) from None
        except (LookupError, ValueError) as error:
            # The codec that the declaration names: there is none, or expat cannot use it.
            raise self.error(
                "MP862",
                f"The encoding {self.encoding!r} that the file declares is not read: {error}",
                1,
                "Convert the file to UTF-8, declaration and all.",
            ) from None
        if pending is not None:
            yield self._counted(pending, len(self.data))

    def _counted(self, found: _Found, end: int) -> Event:
        """An event, of which it is known by now where it ends; how deep the next one is, is counted."""
        kind, value, attributes, begin, line = found
        if kind == START:
            self.depth += 1
            if self.depth > _DEEPEST:
                raise self.error("MP863", f"Elements are nested deeper than {_DEEPEST}", line)
        elif kind == END:
            self.depth -= 1
        return Event(kind, value, attributes, begin, end, line)

    def _parser(self) -> Any:
        parser = expat.ParserCreate(namespace_separator=SEPARATOR)
        # Of pieces that are put together, only the place of the last is known.
        parser.buffer_text = False

        def start(name: str, attributes: dict[str, str]) -> None:
            self._found.append(
                (START, name, attributes, parser.CurrentByteIndex, parser.CurrentLineNumber)
            )

        def at(kind: int) -> Any:
            def handle(value: str = "", *_: str) -> None:
                self._found.append(
                    (kind, value, _NO_ATTRIBUTES, parser.CurrentByteIndex, parser.CurrentLineNumber)
                )

            return handle

        parser.StartElementHandler = start
        parser.EndElementHandler = at(END)
        parser.CharacterDataHandler = at(TEXT)
        for other in (
            "CommentHandler",
            "ProcessingInstructionHandler",
            "StartCdataSectionHandler",
            "EndCdataSectionHandler",
        ):
            setattr(parser, other, at(OTHER))
        parser.XmlDeclHandler = self._declared
        parser.EntityDeclHandler = self._entity_of(parser)
        parser.SkippedEntityHandler = self._skipped_of(parser)
        return parser

    def _declared(self, version: str, encoding: str | None, standalone: int) -> None:
        self._said = encoding or self._said
        if encoding is not None and not self.encoding.startswith("utf-16"):
            self.encoding = encoding

    def _entity_of(self, parser: Any) -> Any:
        def handle(name: str, *_: object) -> NoReturn:
            raise self.error(
                "MP861",
                f"The file declares the entity {name[:40]!r}",
                parser.CurrentLineNumber,
                "Remove the declaration and write the text itself: entities are not expanded.",
            )

        return handle

    def _skipped_of(self, parser: Any) -> Any:
        def handle(name: str, is_parameter: int) -> None:
            if not is_parameter:
                raise self.error(
                    "MP861",
                    f"The entity &{name[:40]}; is declared elsewhere, and nothing is fetched",
                    parser.CurrentLineNumber,
                    "Write the character itself.",
                )

        return handle

    def _not_xml(self, parser: Any, error: expat.ExpatError) -> InputError:
        place = parser.ErrorByteIndex
        byte = self.data[place] if 0 <= place < len(self.data) else 0
        if error.code in _ENCODING:
            return self.error(
                "MP862",
                f"The file is not in {self._said!r}, which it declares",
                error.lineno,
                "Mend the declaration, or convert the file to UTF-8.",
            )
        if error.code == _INVALID_TOKEN and byte >= 0x80 and self._is_utf8():
            return self.error(
                "MP862",
                f"The byte 0x{byte:02X} is not UTF-8, which the file declares or must be in",
                error.lineno,
                "Declare the encoding that the file is in, or convert it to UTF-8.",
            )
        return self.error(
            "MP860",
            f"This is not XML: {expat.ErrorString(error.code)}",
            error.lineno,
            "Mend the markup; write &amp; and &lt; in text.",
        )

    def _is_utf8(self) -> bool:
        try:
            return codecs.lookup(self.encoding).name in ("utf-8", "ascii")
        except LookupError:
            return False
