"""Tags and characters of markup: what must be escaped, and which references to characters are understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, excerpt

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_REFERENCE = re.compile(r"&(#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]*);")
_BEGINNING = re.compile(r"\s*<(!--|!DOCTYPE\b|\?xml\b|[a-z]+(?=[\s>]))", re.I)
#: What XML 1.0 cannot hold, escaped or not.
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def escape(text: str, path: FilePath, owner: str) -> str:
    """The text of a segment, fit to stand between tags; refused if markup cannot hold it."""
    found = _IMPOSSIBLE.search(text)
    if found or "\r" in text:
        character = found.group() if found else "\r"
        raise InputError(
            "MP131",
            f"{owner} has the character U+{ord(character):04X}, which markup cannot hold.",
            path=path,
            hint="Write JSONL instead.",
        )
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_attribute(text: str, path: FilePath, owner: str) -> str:
    """The value of an attribute, without its quotation marks."""
    if "\n" in text or "\t" in text:
        raise InputError(
            "MP131",
            f"{owner} has a tab or a line feed.",
            path=path,
            hint="Give it another name.",
        )
    return escape(text, path, owner).replace('"', "&quot;")


def opening_tag(tag: str, attributes: Mapping[str, str], path: FilePath) -> str:
    """A tag with its attributes in their order."""
    written = (
        f' {name}="{escape_attribute(value, path, f"The attribute {name}")}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{''.join(written)}>"


def write_markup(lines: Iterable[str], path: FilePath) -> None:
    """Write lines of markup whole or, if one of them is refused, not at all."""
    with atomic_writer(path) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())


def segment_element(name: str, text: str, document: str, path: FilePath) -> str:
    """The element of one segment, on one line."""
    owner = f"Segment {name!r} of document {document!r}"
    if "\n" in text:
        raise InputError(
            "MP131", f"{owner} has a line feed.", path=path, hint="Write JSONL instead."
        )
    return f"{opening_tag('seg', {'id': name}, path)}{escape(text, path, owner)}</seg>"


def one_line(text: str) -> str:
    """A segment over several lines is one text, as NIST's own program has it; others stay as they are."""
    return " ".join(filter(None, map(str.strip, text.split("\n")))) if "\n" in text else text


def beginning_of(text: str) -> str:
    """The beginning of a text, for messages."""
    return excerpt(" ".join(text[:200].split()), 40)


def first_tag(text: str, *, passed_over: tuple[str, ...] = ()) -> str:
    """The name of the element that markup begins with, in lower case; empty if the text is none.

    Declarations, comments and tags that are to be ``passed_over`` come before it. Every character is looked
    at once, for nobody knows what the text is.
    """
    position = 0
    while found := _BEGINNING.match(text, position):
        name = found[1].lower()
        if name[0] not in "!?" and name not in passed_over:
            return name
        closing = "-->" if name == "!--" else ">"
        end = text.find(closing, found.end(1))
        if end < 0:
            return ""
        position = end + len(closing)
    return ""


def unescape(text: str, path: str, line: int) -> str:
    """The text with its references replaced; an ampersand that begins none is text, as in many old files."""
    if "&" not in text:
        return text

    def replaced(match: re.Match[str]) -> str:
        name = match[1]
        if not name.startswith("#"):
            if name in _NAMED:
                return _NAMED[name]
            raise _unknown(match[0])
        number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF or _IMPOSSIBLE.match(chr(number)):
            raise _unknown(match[0])
        return chr(number)

    def _unknown(reference: str) -> InputError:
        return InputError(
            "MP195",
            f"{reference} stands for no character.",
            path=path,
            line=line,
            hint="Known are &amp; &lt; &gt; &quot; &apos; and numbers; write &amp; for an ampersand.",
        )

    return _REFERENCE.sub(replaced, text)
