"""Where the placeholders of a text are, whichever program will fill them in.

No file says which program that is. A percent sign in prose is the trap: after a number it is a percentage,
and a blank is no flag (``5 % der``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.placeholders.messages import Message, MessageError, parse_message

Style = Literal["printf", "named", "brace", "double brace", "nesting", "message"]

_PRINTF = (
    r"(?P<position>\d{1,2}\$)?[-+#']*0?(?:\*(?:\d{1,2}\$)?|\d{1,3})?(?:\.(?:\*|\d{1,3}))?"
    r"(?:hh|ll|[hljztLq])?(?P<conversion>[@diouxXeEfFgGaAcspn])"
)
_PLACEHOLDER = re.compile(
    r"(?P<literal>%%)"
    r"|(?P<nesting>\$t\([^()\s]{1,100}(?:\([^()]*\)|[^()])*\))"
    r"|(?P<double>\{\{-?\s*[\w.$\[\]-]{1,80}(?:\s*,[^{}]{0,80})?\s*\}\})"
    r"|(?P<dollar>\$\{[\w.$\[\]-]{1,80}\})"
    r"|(?P<ruby>%\{\w{1,80}\})"
    r"|(?P<python>%\(\w{1,80}\)[-+ #0]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa])"
    rf"|(?P<printf>(?<![\d%])%{_PRINTF}|%\d{{1,2}}\$[-+#0-9.']*[@diouxXeEfFgGaAcspn])"
    r"|(?P<qt>(?<![\d%])%L?[1-9](?![\d$]|[.,]\d))"
    r"|(?P<brace>\{\s*(?:[A-Za-z_][\w.\[\]-]{0,80}|\d{1,3}|)(?:![rsa])?\s*"
    r"(?::[^{}\s]{0,40}|,\s*(?:number|date|time|spellout|ordinal|duration)\s*(?:,[^{}]{0,80})?)?\s*\})",
)
#: Languages that write %5 where others write 5 %.
_PERCENT_FIRST = frozenset({"eu", "ku", "tr"})
#: What makes a text a message of ICU and not a sentence with braces.
_CHOICE = re.compile(r"\{\s*[\w.-]+\s*,\s*(?:plural|select|selectordinal)\s*,")
#: Conversions of printf that read the same kind of argument.
_SAME_CONVERSIONS = {"i": "d", "u": "d", "X": "x", "E": "e", "F": "f", "G": "g", "A": "a"}


@dataclass(frozen=True, slots=True)
class Placeholder:
    """``key`` is what has to agree: the name, or the number and kind of an argument."""

    style: Style
    key: str
    text: str
    start: int
    end: int
    #: The kind of argument of printf, and the number that a translator may give it.
    conversion: str = ""
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Placeholders:
    """The placeholders of a text, and the message of ICU that it is, if it is one.

    ``syntax`` are the stretches that are not for people to read.
    """

    found: tuple[Placeholder, ...]
    syntax: tuple[tuple[int, int], ...]
    message: Message | None = None
    fault: MessageError | None = None

    @property
    def chooses(self) -> bool:
        """Whether the text is a message with plurals or selections, maybe a broken one."""
        return self.message is not None or self.fault is not None


_NONE = Placeholders((), ())


def placeholders_in(
    text: str, language: str = "", *, like: Placeholders | None = None
) -> Placeholders:
    """All placeholders; the translation of a message is read as a message, too (``like`` its source)."""
    chooses = "{" in text and _CHOICE.search(text) is not None
    if not chooses and not (like is not None and like.chooses):
        return _simple(text, language)
    try:
        message = parse_message(text)
    except MessageError as fault:
        simple = _simple(text, language)
        return Placeholders(simple.found, simple.syntax, fault=fault)
    found = tuple(
        Placeholder(
            "message",
            f"{argument.name}, {argument.kind}" if argument.kind else argument.name,
            text[argument.start : argument.end],
            argument.start,
            argument.end,
        )
        for argument in message.walk()
    )
    return Placeholders(found, tuple(_between(text, sorted(message.readable()))), message)


def _simple(text: str, language: str) -> Placeholders:
    if "%" not in text and "{" not in text and "$t(" not in text:
        return _NONE
    found = [
        placeholder
        for match in _PLACEHOLDER.finditer(text)
        if (placeholder := _read(match)) is not None
        and not (match["qt"] and base_language(language) in _PERCENT_FIRST)
    ]
    return Placeholders(
        tuple(found), tuple((placeholder.start, placeholder.end) for placeholder in found)
    )


def _read(match: re.Match[str]) -> Placeholder | None:
    text, start, end = match[0], match.start(), match.end()
    style = match.lastgroup
    if match["literal"] is not None or _is_percentage(match):
        return None
    if match["printf"] is not None:
        number = match["position"] or (re.match(r"%(\d+)\$", text) or [None, None])[1]
        conversion = _SAME_CONVERSIONS.get(text[-1], text[-1])
        position = None if number is None else int(number.strip("$"))
        return Placeholder("printf", f"%{conversion}", text, start, end, conversion, position)
    if style == "python":
        name = text[2 : text.index(")")]
        conversion = _SAME_CONVERSIONS.get(text[-1], text[-1])
        return Placeholder("named", f"%({name}){conversion}", text, start, end)
    if style == "double":
        return Placeholder("double brace", re.sub(r"\s+", "", text), text, start, end)
    if style == "nesting":
        return Placeholder("nesting", text, text, start, end)
    if style in ("dollar", "ruby", "qt"):
        return Placeholder("named", text, text, start, end)
    return Placeholder("brace", re.sub(r"\s+", "", text), text, start, end)


def _is_percentage(match: re.Match[str]) -> bool:
    """Whether it is a percent sign behind a number, glued to the next word: ``5 %ige``."""
    before = match.string[max(0, match.start() - 8) : match.start()]
    after = match.string[match.end() : match.end() + 1]
    signs = match["printf"] is not None or match["qt"] is not None
    return signs and after.isalpha() and before.rstrip()[-1:].isdigit()


def _between(text: str, readable: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is left of a text beside the stretches that people read."""
    gaps = []
    begun = 0
    for start, end in readable:
        if start > begun:
            gaps.append((begun, start))
        begun = end
    if begun < len(text):
        gaps.append((begun, len(text)))
    return gaps
