"""Numbers of a text, with all that each of them may mean.

``1,234`` is a thousand and more in English and a little more than one in German, and nobody always knows who
wrote it: a number has several readings, and two numbers agree if they have one in common.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from decimal import Decimal
from zlib import crc32

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.numbers.scales import scale_after, scales_combine

_GAPS = " \u00a0\u2009\u202f"
_NUMBER = re.compile(
    rf"(?<!\d)(?P<spaced>\d{{1,3}}(?:[{_GAPS}]\d{{3}})+(?!\d)(?:[.,]\d+)?)"
    r"|(?P<century>\d{1,2})\s?世[纪紀]\s?(?P<decade>\d0)\s?年代"
    r"|\d+(?:[.,'’٫٬]\d+)*"
    r"|[½¼¾⅓⅔⅛⅜⅝⅞]"
)
_ANY_DIGIT = re.compile(r"[\d½¼¾⅓⅔⅛⅜⅝⅞]")
_SEPARATOR = re.compile(rf"[.,'’٫٬{_GAPS}]")
_DIGITS = re.compile(r"\d+")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
#: Languages that write a decimal point; most others write a comma.
_POINT = frozenset(
    "en zh ja ko th he hi bn ta te mr gu kn ml pa ne si ur ms tl fil ga cy mt sw yo ig ha am my km".split()
)
#: Languages in which both are usual, by country or by habit.
_EITHER = frozenset("es pt af sq ar fa".split())
#: Longer ones are serial numbers, not quantities; of these, only shorter ones are multiplied.
_LONGEST, _LONGEST_SCALED = 25, 12
_AND_A_HALF = re.compile(
    r"[\s-](?:\w+[\s-])?(?:and a half|a půl|y medi[ao]|et demie?|einhalb|und ein\w* halb\w*|e mezz[ao]|"
    r"e mei[ao]|с половиной)",
    re.IGNORECASE,
)
_AFTERNOON = re.compile(
    r"(?:[:.]\d\d)?\s?(?:Uhr |h |heures |hodin )?(?:p\.\s?m\b|pm\b|tonight|in the (?:afternoon|evening)|"
    r"de la (?:tarde|noche)|du soir|de l['’]après-midi|abends|nachmittags|am (?:Abend|Nachmittag)|"
    r"odpoledne|večer|вечера|дня)",
    re.IGNORECASE,
)
_AFTERNOON_BEFORE = re.compile(r"(?:下午|晚上|傍晚|中午|午后|夜里|深夜|晚间|晚)\s?$")


@dataclass(frozen=True, slots=True)
class Number:
    """What stands in the text, where, and the values that it may have.

    ``parts`` are the whole numbers that it is made of, for what is not a quantity: 15.30, 2.0.1.
    """

    text: str
    start: int
    end: int
    values: frozenset[Decimal]
    parts: tuple[frozenset[Decimal], ...] = field(default=())

    @property
    def place(self) -> tuple[int, int]:
        """From where to where."""
        return self.start, self.end


def numbers_in(text: str) -> list[Number]:
    """All numbers in digits of any script; spelt ones are not among them."""
    if not has_digits(text):
        return []
    plain = with_ascii_digits(text)
    return _combined([_number(plain, match) for match in _NUMBER.finditer(plain)], plain)


def has_digits(text: str) -> bool:
    """Whether there is anything to read, in any script."""
    return _ANY_DIGIT.search(text) is not None


def with_ascii_digits(text: str) -> str:
    """The same text with the same places, all digits from 0 to 9."""
    if _FOREIGN_DIGIT.search(text) is None:
        return text
    return _FOREIGN_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)


def _number(text: str, match: re.Match[str]) -> Number:
    written = match[0]
    if not written[0].isdecimal():
        value = Decimal(str(unicodedata.numeric(written))).quantize(Decimal("0.001"))
        return Number(written, match.start(), match.end(), frozenset({value.normalize()}))
    if match["century"]:
        year = 100 * int(match["century"]) - 100 + int(match["decade"])
        meant = frozenset({Decimal(year), Decimal(match["decade"])})
        return Number(written, match.start(), match.end(), meant)
    groups = _DIGITS.findall(written)
    if len(written) > _LONGEST:
        # Nothing to compute with, but to be found again: no other number is negative.
        digits = Decimal(-1 - crc32("".join(groups).encode()))
        return Number(written, match.start(), match.end(), frozenset({digits}))
    values = set(readings(written))
    parts = tuple(frozenset({Decimal(group)}) for group in groups) if len(groups) > 1 else ()
    hour = int(groups[0]) if len(groups) <= 2 and len(groups[0]) <= 2 else 12
    if hour < 12 and (
        _AFTERNOON.match(text, match.end())
        or _AFTERNOON_BEFORE.search(text, max(0, match.start() - 4), match.start())
    ):
        values.add(Decimal(".".join([str(hour + 12), *groups[1:]])))
        parts = (parts[0] | {Decimal(hour + 12)}, *parts[1:]) if parts else ()
    if text[max(0, match.start() - 2) : match.start()] in (".", " .", "(."):
        values.add(Decimal(f"0.{groups[0]}"))  # .22
    if _AND_A_HALF.match(text, match.end()):
        values |= {value + Decimal("0.5") for value in values}
    end = match.end()
    scaled = scale_after(text, end)
    if scaled is not None and len(written) <= _LONGEST_SCALED:
        factors, behind = scaled
        # In Chinese the word is part of the number, and the next one may be added to it.
        end = behind if scales_combine(text, behind) else end
        values |= {value * factor for value in tuple(values) for factor in factors}
    return Number(text[match.start() : end], match.start(), end, frozenset(values), parts)


def readings(written: str) -> frozenset[Decimal]:
    """The values that a number in digits and separators may have."""
    groups = _DIGITS.findall(written)
    marks = _SEPARATOR.findall(written)
    joined = Decimal("".join(groups))
    if not marks:
        return frozenset({joined})
    if len(set(marks)) == 1:
        mark = marks[0]
        if mark in _GAPS or len(marks) > 1:
            return frozenset({joined})
        decimal = Decimal(".".join(groups))
        if len(groups[1]) != 3 or len(groups[0]) > 3 or groups[0] == "0":
            return frozenset({decimal})
        return frozenset({joined} if mark in "'’" else {joined, decimal})
    if marks.count(marks[-1]) == 1:
        return frozenset({Decimal("".join(groups[:-1]) + "." + groups[-1])})
    return frozenset({joined})


def reading_in(written: str, language: str) -> Decimal | None:
    """The one value that readers of a language would take it for; None if that cannot be said."""
    marks = _SEPARATOR.findall(written)
    found = readings(written)
    if decimal_mark(language) is None or not marks:
        return None
    if len(set(marks)) > 1:
        return next(iter(found)) if marks[-1] == decimal_mark(language) else None
    if len(found) == 2:
        return min(found) if marks[0] == decimal_mark(language) else max(found)
    return next(iter(found))


def decimal_mark(language: str) -> str | None:
    """The mark before decimals; None where either is usual or the language is not known."""
    base = base_language(language)
    if not base or base in _EITHER:
        return None
    return "." if base in _POINT or language.lower().endswith(("-ch", "_ch")) else ","


def _combined(found: list[Number], text: str) -> list[Number]:
    """``2亿3000万`` is one number."""
    joined: list[Number] = []
    for number in found:
        if joined and joined[-1].end == number.start and scales_combine(text, joined[-1].end):
            first = joined.pop()
            total = max(first.values) + max(number.values)
            number = Number(first.text + number.text, first.start, number.end, frozenset({total}))
        joined.append(number)
    return joined
