"""JSON with the lines that things stand in, which the reader of the standard library does not tell."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NamedTuple

from metaphrase.errors import InputError

_DEEPEST = 100
_WHITE = re.compile(r"[ \t\n\r]*")
_OTHER = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class Member(NamedTuple):
    """A member of an object: its value is a text, the members of an object or an array, or ``None``."""

    name: str
    value: str | list[Member] | None
    line: int


class JsonReader:
    """Reads one document."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def table(self) -> list[Member]:
        """The members of the object that the document is."""
        value, end = self._value(self._skip(0), 0)
        if self._text[:1].strip() == "[" or not isinstance(value, list):
            raise self._fault(0, "it is not an object")
        if end < len(self._text):
            raise self._fault(end, "something follows its end")
        return value

    def _value(self, at: int, depth: int) -> tuple[str | list[Member] | None, int]:
        """A value and where what follows it begins."""
        first = self._text[at : at + 1]
        if first == '"':
            text, end = self._string(at)
            return text, self._skip(end)
        if first and first in "{[":
            if depth >= _DEEPEST:
                raise self._fault(at, f"it is nested deeper than {_DEEPEST}")
            return self._members(at, depth, is_object=first == "{")
        found = _OTHER.match(self._text, at)
        if found is None:
            raise self._fault(at, "there is no value" if first else "it ends too early")
        return None, self._skip(found.end())

    def _members(self, at: int, depth: int, *, is_object: bool) -> tuple[list[Member], int]:
        closing = "}" if is_object else "]"
        members: list[Member] = []
        position = self._skip(at + 1)
        if self._text[position : position + 1] == closing:
            return members, self._skip(position + 1)
        while True:
            line = self._line(position)
            name = str(len(members))
            if is_object:
                if self._text[position : position + 1] != '"':
                    raise self._fault(position, "there is no name between quotation marks")
                name, end = self._string(position)
                position = self._skip(end)
                if self._text[position : position + 1] != ":":
                    raise self._fault(position, "there is no colon after a name")
                position = self._skip(position + 1)
            value, position = self._value(position, depth + 1)
            members.append(Member(name, value, line))
            following = self._text[position : position + 1]
            if following == closing:
                return members, self._skip(position + 1)
            if following != ",":
                raise self._fault(position, f"there is no comma and no {closing}")
            position = self._skip(position + 1)

    def _string(self, at: int) -> tuple[str, int]:
        try:
            text, end = scanstring(self._text, at + 1, True)
        except json.JSONDecodeError as error:
            raise self._fault(error.pos, error.msg) from None
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise self._fault(at, "a string has half a surrogate pair")
        return text, end

    def _skip(self, at: int) -> int:
        found = _WHITE.match(self._text, at)
        return at if found is None else found.end()

    def _line(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) + 1

    def _fault(self, at: int, what: str) -> InputError:
        return InputError(
            "MP879",
            f"This is no JSON table of strings: {what}.",
            path=self._path,
            line=self._line(at),
            hint="A table is one object with strings, or with objects of strings.",
        )
