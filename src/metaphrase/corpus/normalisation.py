"""One form of a text, however it was typed: what metrics compare, while the text is shown as it is.

The form is NFC without invisible characters, with quotes, apostrophes, dashes, ellipses and spaces as ASCII
has them. An ASCII text is its own form, so that English costs nothing and ``--`` stays as it is.
docs/languages.md says what is folded and what is not, and why.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

#: What signatures call the form; another number if it ever changes.
NORMALISATION = "nfc+typography.v1"

# Characters are written as escapes where they cannot be seen.
_DOUBLE_QUOTES = "“”„‟«»″״＂〝〞〟"
_SINGLE_QUOTES = "‘’‚‛‹›′׳ʻʼ´＇"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2043\u2212\ufe58\ufe63\uff0d"
_SPACES = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u2800\u3000"
)
#: Soft hyphen, joiners, marks of direction, of byte order and of annotations, fillers, and what chooses
#: between shapes of a character, such as text and emoji.
_INVISIBLE = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0100-\U000e01ef"
)
_FOLDS = str.maketrans(
    dict.fromkeys(_DOUBLE_QUOTES, '"')
    | dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_HYPHENS, "-")
    | dict.fromkeys(_SPACES, " ")
)
_RUNS = "—―…⋯‥"

_REMOVED = re.compile(f"[{_INVISIBLE}]+")
#: A character that the form does not have.
VARIANT = re.compile(f"[{''.join(map(chr, _FOLDS))}{_INVISIBLE}{_RUNS}]")
_SPACE = re.compile(f"[{_SPACES}]")
#: What is folded by more than one character. A run of spaces is looked at once, from its beginning.
_CONTEXT = re.compile(
    # French quotes with their inner spaces; »German ones« have none inside.
    r"(?:(?<=[\s(\[])|^)[«‹] +"
    r"|(?<! ) +[»›](?=[\s.,;:!?…)\]]|\Z)"
    # A range of years in Russian has the dash that is elsewhere between clauses.
    r"|(?<=\d)[—―](?=\d)"
    # Between clauses a dash has spaces in London and none in New York; Chinese writes two.
    r"|(?:(?<! ) +)?[—―][—― ]*"
    # Chinese writes two of these, too.
    r"|[…⋯]+|‥"
)
_IN_CONTEXT = re.compile(f"[{_RUNS}«»‹›]")


def normalise(text: str) -> str:
    """The text as metrics compare it.

    >>> normalise("“I can’t”")
    '"I can\\'t"'
    """
    if text.isascii():
        return text
    if not VARIANT.search(text) and unicodedata.is_normalized("NFC", text):
        return text
    text = unicodedata.normalize("NFC", _REMOVED.sub("", text))
    if _IN_CONTEXT.search(text):
        text = _SPACE.sub(" ", text)
        text = _CONTEXT.sub(_folded, text)
    return text.translate(_FOLDS)


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: no characters, spaces, or invisible ones."""
    return not text.strip() or (not text.isascii() and not normalise(text).strip())


def _folded(match: re.Match[str]) -> str:
    found = match[0]
    if "«" in found or "»" in found:
        return '"'
    if "‹" in found or "›" in found:
        return "'"
    if found == "‥":
        return ".."
    if "…" in found or "⋯" in found:
        return "..."
    text, start, end = match.string, match.start(), match.end()
    if len(found) == 1 and text[start - 1 : start].isdecimal() and text[end : end + 1].isdecimal():
        return "-"
    return f"{' ' if start else ''}-{' ' if end < len(text) else ''}"


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """The form of a text, and from where to where in ``original`` each of its characters comes."""

    original: str
    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def as_is(cls, original: str) -> NormalisedText:
        """The text unchanged, for metrics that compare bytes."""
        return cls(original, original, range(len(original)), range(1, len(original) + 1))

    @classmethod
    def of(cls, original: str) -> NormalisedText:
        """Where each character comes from: from one, from several that it is composed of or stands for.

        >>> NormalisedText.of("co\xadop…").ends
        [1, 2, 4, 5, 6, 6, 6]
        """
        found = cls.as_is(original)
        if normalise(original) == original:
            return found
        found = found._replaced(_matches(_REMOVED, original, lambda match: ""))
        found = found._replaced(_compositions(found.text))
        found = found._replaced(_matches(_SPACE, found.text, lambda match: " "))
        found = found._replaced(_matches(_CONTEXT, found.text, _folded))
        return cls(original, found.text.translate(_FOLDS), found.starts, found.ends)

    def in_original(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters from ``start`` to ``end`` come from."""
        if start >= end:
            place = self.starts[start] if start < len(self.starts) else len(self.original)
            return place, place
        return self.starts[start], self.ends[end - 1]

    def from_original(self, start: int, end: int) -> tuple[int, int]:
        """Which characters come from those of the original from ``start`` to ``end``."""
        first = bisect_right(self.ends, start)
        return first, max(first, bisect_left(self.starts, end))

    def _replaced(self, changes: Iterator[tuple[int, int, str]]) -> NormalisedText:
        """With other characters in the place of some; spaces that surround a dash are not part of it."""
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for first, last, new in changes:
            parts += [self.text[at:first], new]
            starts += self.starts[at:first]
            ends += self.ends[at:first]
            at = last
            core = self.text[first:last]
            if core.strip(" "):
                first += len(core) - len(core.lstrip(" "))
                last -= len(core) - len(core.rstrip(" "))
            for place, character in enumerate(new):
                if character != " " or not core.strip(" "):
                    starts.append(self.starts[first])
                    ends.append(self.ends[last - 1])
                else:
                    edge = self.ends[last - 1] if place else self.starts[first]
                    starts.append(edge)
                    ends.append(edge)
        parts.append(self.text[at:])
        starts += self.starts[at:]
        ends += self.ends[at:]
        return NormalisedText(self.original, "".join(parts), starts, ends)


def _matches(
    pattern: re.Pattern[str], text: str, replacement: Callable[[re.Match[str]], str]
) -> Iterator[tuple[int, int, str]]:
    return ((*match.span(), replacement(match)) for match in pattern.finditer(text))


def _compositions(text: str) -> Iterator[tuple[int, int, str]]:
    """The stretches that composition changes, each as short as it can be."""

    def composed(stretch: str) -> str:
        return unicodedata.normalize("NFC", stretch)

    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and (
            unicodedata.combining(text[end])
            or composed(text[start : end + 1]) != composed(text[start:end]) + composed(text[end])
        ):
            end += 1
        old, new = text[start:end], composed(text[start:end])
        if old != new:
            same = 0
            while old[same : same + 1] == new[same : same + 1]:
                same += 1
            yield start + same, end, new[same:]
        start = end
