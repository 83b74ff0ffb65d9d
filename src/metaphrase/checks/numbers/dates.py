"""Dates of a text, with all that each of them may mean: 05/06/2024 is in May or in June."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.numbers.month_names import MONTHS
from metaphrase.checks.numbers.reading import has_digits, with_ascii_digits

_ISO = re.compile(
    r"(?<![\d/.-])(?P<year>[12]\d{3})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?![\d/-])"
)
_NUMERIC = re.compile(
    r"(?<![\d/.-])(?P<first>\d{1,2})(?P<mark>[-/.])[ \u00a0]?(?P<second>\d{1,2})(?P=mark)[ \u00a0]?"
    r"(?P<year>\d{4}|\d{2})(?![\d/]|[.-]\d)"
)
_ASIAN = re.compile(
    r"(?:(?P<year>\d{4}|\d{2})\s?[年년]\s?)?(?P<month>\d{1,2})\s?[月월]\s?(?:份)?(?:(?P<day>\d{1,2})\s?[日号號일])?"
)
_DAY = r"(?P<{}>[0-3]?\d)(?:st|nd|rd|th|er|º|°|[.)])?"
_YEAR = r"(?P<{}>[12]\d{{3}})(?!\d)"

#: Year, month and day, None where it is not said.
Reading = tuple[int | None, int, int | None]


@dataclass(frozen=True, slots=True)
class Date:
    """What stands in the text, where, and what it may mean: year, month and day, None if it is not said."""

    text: str
    start: int
    end: int
    readings: frozenset[Reading]

    @property
    def place(self) -> tuple[int, int]:
        """From where to where."""
        return self.start, self.end

    @property
    def numbers(self) -> frozenset[Decimal]:
        """The numbers that the date says or implies, for a text that says it in another form."""
        return frozenset(
            Decimal(number) for reading in self.readings for number in reading if number is not None
        )

    def agrees(self, other: Date) -> bool:
        """Whether both may be the same day, as far as both say it."""
        return any(_agree(first, second) for first in self.readings for second in other.readings)


def _agree(first: Reading, second: Reading) -> bool:
    years = first[0], second[0]
    if None not in years and years[0] != years[1]:
        short = min(int(year or 0) for year in years)
        if short > 99 or short != max(int(year or 0) for year in years) % 100:
            return False
    return first[1] == second[1] and (None in (first[2], second[2]) or first[2] == second[2])


# Both checks ask for those of the same few texts, one pair after the other.
@lru_cache(maxsize=8)
def dates_in(text: str, language: str) -> tuple[Date, ...]:
    """The dates in the text: in digits, and with the names of months in its language and in English."""
    if not has_digits(text):
        return ()
    plain = with_ascii_digits(text)
    found: list[Date] = []
    taken: list[tuple[int, int]] = []
    for date in _all(plain, language):
        if not any(date.start < end and start < date.end for start, end in taken):
            found.append(date)
            taken.append(date.place)
    return tuple(sorted(found, key=lambda date: date.start))


@lru_cache(maxsize=8)
def months_named(text: str, language: str) -> frozenset[Decimal]:
    """The months that a text names, with or without a day: where one writes October, another writes 10月."""
    base = base_language(language)
    found = set()
    for known in dict.fromkeys((base, "en")):
        if known in MONTHS:
            for match in _pattern(known).finditer(text):
                month = next(n for n in range(1, 13) if match[f"m{n}"] is not None)
                found.add(Decimal(month))
    return frozenset(found)


_ABBREVIATES = frozenset({"en", "de", "fr", "es", "it", "pt", "nl"})


@lru_cache(maxsize=1 << 16)
def month_of(word: str, language: str) -> int | None:
    """The month that a word in lower case names in full; abbreviations are too often other words."""
    pattern = _full_names(base_language(language))
    found = pattern.fullmatch(word) if pattern else None
    return found.lastindex if found else None


@cache
def _full_names(language: str) -> re.Pattern[str] | None:
    # Romanian *mai* is mostly *more*.
    if language not in MONTHS or language == "ro":
        return None
    # What follows the name is an abbreviation in these, and elsewhere one of its forms.
    names = (
        stems.partition("|")[0] if language in _ABBREVIATES else stems
        for stems in MONTHS[language].split()
    )
    return re.compile("|".join(f"({stems})" for stems in names))


def _all(text: str, language: str) -> Iterator[Date]:
    base = base_language(language)
    for match in _ISO.finditer(text):
        readings: set[Reading] = {(int(match["year"]), int(match["month"]), int(match["day"]))}
        yield from _date(match, readings)
    for match in _NUMERIC.finditer(text):
        first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
        readings = {(year, second, first)}
        # Dots and most languages put the day first; English and those that nobody named may not.
        if match["mark"] != "." and base in ("", "en", "zh", "ja", "ko"):
            readings.add((year, first, second))
        yield from _date(match, readings)
    for match in _ASIAN.finditer(text):
        readings = {(_number(match["year"]), int(match["month"]), _number(match["day"]))}
        if match["year"] or match["day"]:
            yield from _date(match, readings)
    for known in dict.fromkeys((base, "en")):
        if known in MONTHS:
            yield from _named(text, known)


def _date(match: re.Match[str], readings: set[Reading]) -> Iterator[Date]:
    possible = frozenset(
        (year, month, day)
        for year, month, day in readings
        if 1 <= month <= 12 and (day is None or 1 <= day <= 31)
    )
    if possible:
        yield Date(match[0], match.start(), match.end(), possible)


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _named(text: str, language: str) -> Iterator[Date]:
    for match in _pattern(language).finditer(text):
        month = next(n for n in range(1, 13) if match[f"m{n}"] is not None)
        day = match["before"] or match["behind"]
        year = match["year"] or match["year2"] or match["year3"]
        if day is None and year is None:
            continue
        # English may is mostly a verb, and mar and sep are words elsewhere.
        if language == "en" and match[f"m{month}"].islower():
            continue
        yield from _date(match, {(_number(year), month, _number(day))})


@cache
def _pattern(language: str) -> re.Pattern[str]:
    names = "|".join(
        f"(?P<m{number}>{stems})" for number, stems in enumerate(MONTHS[language].split(), 1)
    )
    day, year = _DAY.format("before"), _YEAR
    return re.compile(
        rf"(?<!\d)(?:{day}(?:\s|\u00a0)?(?:of |de |d['’]|di |del )?\s?(?:the )?)?"
        rf"(?<![^\W\d_])(?:{names})(?![^\W\d_])\.?"
        rf"(?:(?:,?\s|\sde\s|\sdel\s|\sde\sl['’]an\s|\s?de\s)(?:{year.format('year')}"
        rf"|(?P<behind>[0-3]?\d)(?:st|nd|rd|th)?(?![\d%])(?![.,:]\d)(?:,?\s{year.format('year2')})?))?"
        rf"(?:\s?,\s?{year.format('year3')})?",
        re.IGNORECASE,
    )
