"""The beginning of a file in an encoding that nobody knows yet, decoded well enough to recognise a format."""

from __future__ import annotations

import codecs

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    # Without a mark, as XML may be.
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}


def decoded_beginning(data: bytes) -> tuple[str, ...]:
    """The first lines; bytes that are no ASCII may come out wrong, but tags and keywords are ASCII."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            text = data.decode(encoding, "replace").removeprefix("\ufeff")
            break
    else:
        text = data.decode("latin-1")
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
