"""Strings of PO catalogues: between quotation marks, with the escapes of C."""

from __future__ import annotations

import re

from metaphrase.errors import InputError, excerpt

_STRING = re.compile(r'\s*"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.))")
_NAMED = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
    '"': '"', "\\": "\\", "'": "'", "?": "?",
}  # fmt: skip


def concatenated(text: str, path: str, line: int) -> str:
    """The string that the strings of a line make together."""
    parts: list[str] = []
    position = 0
    while position < len(text):
        found = _STRING.match(text, position)
        if found is None:
            raise InputError(
                "MP866",
                f"{excerpt(text[position:].strip(), 40)} is no string that ends in this line.",
                path=path,
                line=line,
                hint='Write it between quotation marks, with \\" for one inside.',
            )
        parts.append(_unescaped(found[1], path, line))
        position = found.end()
    return "".join(parts)


def _unescaped(text: str, path: str, line: int) -> str:
    if "\\" not in text:
        return text

    def replaced(match: re.Match[str]) -> str:
        octal, hexadecimal, letter = match.groups()
        if octal or hexadecimal:
            return chr(int(octal, 8) if octal else int(hexadecimal, 16))
        if letter not in _NAMED:
            raise InputError(
                "MP866",
                f"\\{letter} is no escape.",
                path=path,
                line=line,
                hint="Write \\\\ for a backslash.",
            )
        return _NAMED[letter]

    return _ESCAPE.sub(replaced, text)
