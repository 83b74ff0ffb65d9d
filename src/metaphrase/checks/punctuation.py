"""The check of punctuation: the mark at the end, and what a language asks of its marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.check import Check, by_pair
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import Pair
from metaphrase.corpus.normalisation import is_blank

END = Kind("punctuation/end", "minor", "the target ends with another mark than the source")
OPENING = Kind("punctuation/opening", "minor", "a Spanish question or exclamation without ¿ or ¡")
FRENCH = Kind("punctuation/french-space", "minor", "French puts a blank before ? ! ; and :")
BEFORE = Kind(
    "punctuation/space-before", "minor", "a blank before a mark that has none in this language"
)

#: Marks by what they mean; the first one of each is said in messages.
_MARKS = {
    "full stop": ".。．｡।॥۔።։",
    "question mark": "?？؟;՞፧",
    "exclamation mark": "!！՜",
    "colon": ":：፡",
    "ellipsis": "…⋯",
    "comma": ",，、،",
    "semicolon": ";；؛",
}
_CLOSERS = "\"'”’“„‘‚»«›‹）)]】}』」》〉*_` \u00a0\u202f\u200b\u200e\u200f"
#: Marks that mean something else in one language; in Hindi and its neighbours a bar is typed for the danda.
_OWN_MARKS = {
    "el": {";": "question mark", "\u037e": "question mark"},
    "hy": {":": "full stop"},
    **{code: {"|": "full stop"} for code in ("bn", "hi", "mr", "ne", "or", "pa")},
}
#: Languages without a full stop.
_UNSTOPPED = frozenset({"th", "lo", "km", "my"})
_SPANISH = (("?", "¿"), ("!", "¡"))
_FRENCH_TIGHT = re.compile(r"(?<=[^\W\d_])[?!;](?=\s|$)")
_SPACED = re.compile(r"(?<=\w)[ \u00a0\u202f]+(?=[,.;:?!](?:\s|$))")
_SPACED_ANYWHERE = re.compile(r"\w[ \u00a0\u202f]+[,.;:?!](?:\s|$)")


def _find(pair: Pair) -> Iterator[Finding]:
    yield from _ends(pair)
    language = base_language(pair.target_language)
    if language == "es":
        yield from _spanish(pair)
    if language == "fr":
        yield from _french(pair)
    # Where the source has such blanks, too, somebody has split it into tokens.
    elif (
        not _SPACED_ANYWHERE.search(pair.source_words)
        or base_language(pair.source_language) == "fr"
    ):
        yield from _spaced(pair)


def _ends(pair: Pair) -> Iterator[Finding]:
    if is_blank(pair.source):
        return
    wanted, _ = _last_mark(pair.source_words, pair.source_language)
    found, place = _last_mark(pair.target_words, pair.target_language)
    if wanted == found or {wanted, found} <= {"full stop", "ellipsis"}:
        return
    # Where a quotation ends the sentence, both have marks, in an order that languages choose.
    ends = (
        _end_marks(pair.source_words, pair.source_language),
        _end_marks(pair.target_words, pair.target_language),
    )
    if ends[0] & ends[1]:
        return
    if {wanted, found} == {"full stop", None} and any(
        map(_is_abbreviated, (pair.source, pair.target))
    ):
        return
    if base_language(pair.target_language) in _UNSTOPPED and found is None:
        return
    yield END.finding(
        "target",
        place,
        f"The target ends with {_in_words(found)}, the source with {_in_words(wanted)}.",
        expected=wanted or "",
        found=found or "",
    )


def _last_mark(text: str, language: str) -> tuple[str | None, tuple[int, int]]:
    """What the last mark means, and its place; quotation marks and brackets behind it do not count."""
    end = len(text.rstrip())
    while end and text[end - 1] in _CLOSERS:
        end -= 1
    if text[:end].endswith(("...", "。。", "..")):
        return "ellipsis", (end - 2, end)
    if not end:
        return None, (len(text), len(text))
    last = text[end - 1]
    meant = _OWN_MARKS.get(base_language(language), {}).get(last)
    if meant is not None:
        return meant, (end - 1, end)
    for meaning, marks in _MARKS.items():
        if last in marks and not (last == ";" and meaning == "question mark"):
            return meaning, (end - 1, end)
    return None, (end, end)


def _is_abbreviated(text: str) -> bool:
    """Whether the last full stop belongs to a word: Oct., 6 a.m., the U.S."""
    begun = text.rstrip(_CLOSERS)
    return begun.endswith(".") and (
        len(begun.split()) == 1 or re.search(r"\w\.\w+\.$", begun) is not None
    )


def _end_marks(text: str, language: str) -> set[str]:
    """What all marks at the end mean, up to the last letter or digit."""
    found: set[str] = set()
    while True:
        meaning, (start, end) = _last_mark(text, language)
        if meaning is None or start == end:
            return found
        found.add(meaning)
        text = text[:start]


def _in_words(meaning: str | None) -> str:
    if meaning is None:
        return "no mark"
    return f"an {meaning}" if meaning[0] in "aeiou" else f"a {meaning}"


def _spanish(pair: Pair) -> Iterator[Finding]:
    for closing, opening in _SPANISH:
        place = pair.target_words.find(closing)
        # A closing mark of a name (Yahoo!) or in brackets (?) is none of a sentence.
        if place < 1 or opening in pair.target or not pair.target_words[place - 1].isalpha():
            continue
        if pair.target_words.rstrip(_CLOSERS + ".…!?").endswith(pair.target_words[:place].rstrip()):
            yield OPENING.finding(
                "target",
                (place, place + 1),
                f"{opening} is missing before the sentence.",
                expected=opening,
                suggestion=opening,
            )


def _french(pair: Pair) -> Iterator[Finding]:
    if pair.target_language.replace("_", "-").lower() in ("fr-ca", "fr-ch"):
        return
    for match in _FRENCH_TIGHT.finditer(pair.target_words):
        # Names such as Yahoo! keep their mark.
        word = re.split(r"\s", pair.target_words[: match.end()])[-1]
        if word in pair.source:
            continue
        yield FRENCH.finding(
            "target",
            match.span(),
            f"A no-break space is missing before {match[0]}.",
            found=match[0],
            suggestion=f"\u202f{match[0]}",
        )


def _spaced(pair: Pair) -> Iterator[Finding]:
    for match in _SPACED.finditer(pair.target_words):
        mark = pair.target[match.end()]
        # An ellipsis may stand apart.
        if pair.target[match.end() : match.end() + 2] == "..":
            continue
        yield BEFORE.finding(
            "target",
            match.span(),
            f"A blank stands before “{mark}”.",
            found=match[0],
            suggestion="",
        )


PUNCTUATION = Check(
    "punctuation",
    "typographical",
    "the mark at the end, and marks that a language asks for",
    (END, OPENING, FRENCH, BEFORE),
    by_pair(_find),
)
