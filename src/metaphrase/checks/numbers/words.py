"""Numbers in words, as far as a text may say in words what the other says in digits.

A table has stems: whatever begins or ends another word (``dreijährig``, ``čtvrtý``, ``twenty-five``) counts.
That lets some wrong numbers pass and keeps prose quiet, which is what the check is for.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, lru_cache

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.numbers.number_stems import NUMBERS, STEMS
from metaphrase.checks.numbers.scales import scale_words

_HALF = re.compile(
    r"half|halb|halv|demi|medi|mezz|mei[ao]|půl|pół|пол|puol|pool|jumăt|yarı|半", re.I
)
#: A stem of so few letters or fewer must begin the word.
_BEGINNING = 3
#: Below this any language may spell a number that no table here knows.
_SMALL = 13
_HAN = re.compile("[零〇一二两兩三四五六七八九十百千万亿萬億半双]+")
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
    "双": 2,
}
_ENGLISH = dict(
    zip(
        "half one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
        "hundred thousand million billion trillion".split(),
        map(Decimal, ("0.5", *range(1, 21), *range(30, 101, 10), *(10**n for n in (3, 6, 9, 12)))),
        strict=True,
    )
)
_ENGLISH_WORD = re.compile(rf"\b(?:{'|'.join(_ENGLISH)})\b")
#: A number in English words; few are longer than *nine hundred and ninety-nine thousand nine hundred …*.
_ENGLISH_RUN = re.compile(
    rf"{_ENGLISH_WORD.pattern}(?:[\s,-]+(?:and\s+)?(?:an?\s+)?{_ENGLISH_WORD.pattern}){{0,20}}"
)
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_HAN_SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_YEAR = re.compile(r"(?<![\d.,])1[0-9]\d0(?=s|['’]s|\D|$)(?![.,]\d)")
_ROMAN = re.compile(
    r"(?<![^\W\d_])(M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
    r"(?=(?:er?|ème|th|st|nd|rd|è|º|ª)?(?![^\W\d_]))"
)
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def is_spelt(value: Decimal, text: str, language: str, *, assumed: bool = True) -> bool:
    """Whether ``text`` may say the number in words, or in Roman numerals.

    What no table knows may be ``assumed``: 0 and 1, which hide in articles and negations, and small numbers
    in languages without a table.
    """
    if value in (0, 1):
        return assumed
    if value < 0:
        return False  # nobody spells a serial number
    base = base_language(language)
    if base == "en" and value in english_numbers(text):
        return True
    if value != value.to_integral_value():
        half = Decimal("0.5")
        return (
            value % 1 == half
            and _HALF.search(text) is not None
            and is_spelt(value - half, text, language, assumed=assumed)
        )
    number = int(value)
    if number in roman_numbers(text):
        return True
    decade = number % 100 if number % 10 == 0 and 1900 <= number < 2100 else 0
    if decade and is_spelt(Decimal(decade), text, language, assumed=False):
        return True  # the thirties
    if base in ("zh", "ja", "yue"):
        return number in han_numbers(text)
    if base not in STEMS:
        return assumed and number < _SMALL
    return _in_words(number, text.lower(), base)


def _in_words(number: int, text: str, language: str) -> bool:
    if number <= 1:
        return True
    patterns, said = _patterns(language), _stems_in(text, language)
    if number in said:
        return True
    if number < 100:
        ten, unit = number - number % 10, number % 10
        if language == "fr" and ten in (70, 90):
            ten, unit = ten - 10, unit + 10
        return ten in said and _in_words(unit, text, language)
    for scale in (*scale_words(text), 1000, 100):  # a thousand may be part of a word: zweitausend
        if number % scale == 0 and number // scale < 1000:
            known = scale not in patterns or scale in said
            if known and _in_words(number // scale, text, language):
                return True
    if number < 10_000 and number % 100:
        # Two hundred and fifty, and years: nineteen eighty-four.
        return _in_words(number - number % 100, text, language) and _in_words(
            number % 100, text, language
        )
    return False


@lru_cache(maxsize=256)
def _stems_in(text: str, language: str) -> frozenset[int]:
    """The numbers with a stem of their own that the text has."""
    return frozenset(n for n, pattern in _patterns(language).items() if pattern.search(text))


@cache
def _patterns(language: str) -> dict[int, re.Pattern[str]]:
    """For each number with a stem of its own a pattern; long stems count inside a word, too."""
    found = {}
    for number, stems in zip(NUMBERS, STEMS[language].split(), strict=True):
        found[number] = re.compile("|".join(map(_stem_pattern, stems.split("|"))))
    return found


def _stem_pattern(stem: str) -> str:
    text = re.escape(stem.rstrip("!")).replace(r"\.", " ")
    if stem.endswith("!"):
        return rf"(?<![^\W\d_]){text}(?![^\W\d_])"
    return text if len(stem) > _BEGINNING else rf"(?<![^\W\d_]){text}"


@lru_cache(maxsize=256)
def roman_numbers(text: str) -> frozenset[int]:
    """The numbers that the text may say in Roman numerals: XX, XIXe."""
    return frozenset(_roman(match[1]) for match in _ROMAN.finditer(text) if match[1])


def _roman(numeral: str) -> int:
    digits = [_ROMAN_DIGITS[letter] for letter in numeral]
    return sum(
        -digit if digit < following else digit
        for digit, following in zip(digits, [*digits[1:], 0], strict=True)
    )


@lru_cache(maxsize=256)
def centuries_of(text: str) -> frozenset[Decimal]:
    """The centuries of the years in a text: who writes 1880s may mean the 80s of the 19th century."""
    return frozenset(Decimal(int(year) // 100 + 1) for year in _YEAR.findall(text))


@lru_cache(maxsize=256)
def english_numbers(text: str) -> frozenset[Decimal]:
    """The numbers in English words, above 1: two thousand five hundred, one and a half million."""
    found = (_english(match[0]) for match in _ENGLISH_RUN.finditer(text.lower()))
    return frozenset(number for number in found if number > 1)  # no "second half", no "one"


def _english(run: str) -> Decimal:
    total = section = Decimal(0)
    for word in _ENGLISH_WORD.findall(run):
        value = _ENGLISH[word]
        if value < 100:
            section += value
        elif value == 100:
            section = (section or 1) * value
        else:
            total += (section or 1) * value
            section = Decimal(0)
    return total + section


@lru_cache(maxsize=256)
def han_numbers(text: str) -> frozenset[int]:
    """The numbers in Chinese characters, as digits (二〇二一) and as words (二十一)."""
    found: set[int] = set()
    for match in _HAN.finditer(text):
        run = match[0].replace("半", "")
        if all(c in _HAN_DIGITS for c in run):
            digits = [_HAN_DIGITS[c] for c in run]
            found |= {int("".join(map(str, digits)))} if digits else set()
            found.update(digits)
        else:
            found.add(_han(run))
        if match.string[match.end() : match.end() + 1] == "成" and len(run) == 1:
            found.add(10 * _HAN_DIGITS.get(run, 1))  # tenths, for per cent
    return frozenset(found)


def _han(run: str) -> int:
    total = section = digit = 0
    for character in run:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
        elif character in _HAN_UNITS:
            section += max(digit, 1) * _HAN_UNITS[character]
            digit = 0
        else:
            total = (total + max(section + digit, 1)) * _HAN_SCALES[character]
            section = digit = 0
    return total + section + digit
