"""Dates of a text, with all that each of them may mean: 05/06/2024 is in May or in June."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.numbers.reading import with_ascii_digits

#: Names of the months, January first: stems where a language inflects them, divided by a bar.
_MONTHS = {
    "en": "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep "
    "october|oct november|nov december|dec",
    "de": "januar|jänner|jan februar|feber|feb märz|mrz april|apr mai juni|jun juli|jul august|aug "
    "september|sept|sep oktober|okt november|nov dezember|dez",
    "fr": "janvier|janv février|févr|fév mars avril|avr mai juin juillet|juil août septembre|sept octobre|oct "
    "novembre|nov décembre|déc",
    "es": "enero|ene febrero|feb marzo|mar abril|abr mayo junio|jun julio|jul agosto|ago septiembre|setiembre|sept "
    "octubre|oct noviembre|nov diciembre|dic",
    "it": "gennaio|gen febbraio|feb marzo|mar aprile|apr maggio giugno|giu luglio|lug agosto|ago settembre|sett "
    "ottobre|ott novembre|nov dicembre|dic",
    "pt": "janeiro|jan fevereiro|fev março|mar abril|abr maio junho|jun julho|jul agosto|ago setembro|set "
    "outubro|out novembro|nov dezembro|dez",
    "nl": "januari|jan februari|feb maart|mrt april|apr mei juni|jun juli|jul augustus|aug september|sept "
    "oktober|okt november|nov december|dec",
    "cs": "ledn(?:a|u) únor(?:a|u) březn(?:a|u) dubn(?:a|u) květn(?:a|u) června|červnu července|červenci srpn(?:a|u) "
    "září říjn(?:a|u) listopadu? prosin(?:ce|ci|ec)",
    "pl": "stycz(?:nia|niu|eń) lut(?:ego|ym|y) mar(?:ca|cu|zec) kwie(?:tnia|tniu|cień) maja|maju|maj czerw(?:ca|cu|iec) "
    "lip(?:ca|cu|iec) sierp(?:nia|niu|ień) wrze(?:śnia|śniu|sień) październik\\w* listopad\\w* grud(?:nia|niu|zień)",
    "ru": "январ[яеь] феврал[яеь] марта?|марте апрел[яеь] ма[яей] июн[яеь] июл[яеь] августа?|августе сентябр[яеь] "
    "октябр[яеь] ноябр[яеь] декабр[яеь]",
    "ro": "ianuarie|ian februarie|feb martie|mar aprilie|apr mai iunie|iun iulie|iul august|aug septembrie|sept "
    "octombrie|oct noiembrie|nov decembrie|dec",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "fi": "tammikuu\\w* helmikuu\\w* maaliskuu\\w* huhtikuu\\w* toukokuu\\w* kesäkuu\\w* heinäkuu\\w* elokuu\\w* "
    "syyskuu\\w* lokakuu\\w* marraskuu\\w* joulukuu\\w*",
    "et": "jaanuar\\w* veebruar\\w* märts\\w* aprill\\w* mai\\w* juuni\\w* juuli\\w* august\\w* septemb\\w* "
    "oktoob\\w* novemb\\w* detsemb\\w*",
}
_ISO = re.compile(r"(?<![\d/.-])(?P<year>[12]\d{3})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?![\d/-])")
_NUMERIC = re.compile(
    r"(?<![\d/.-])(?P<first>\d{1,2})(?P<mark>[-/.])[ \u00a0]?(?P<second>\d{1,2})(?P=mark)[ \u00a0]?"
    r"(?P<year>\d{4}|\d{2})(?![\d/]|[.-]\d)"
)
_ASIAN = re.compile(
    r"(?:(?P<year>\d{4}|\d{2})\s?[年년]\s?)?(?P<month>\d{1,2})\s?[月월]\s?(?:份)?(?:(?P<day>\d{1,2})\s?[日号號일])?"
)
_DAY = r"(?P<{}>[0-3]?\d)(?:st|nd|rd|th|er|º|°|[.)])?"
_YEAR = r"(?P<{}>[12]\d{{3}})(?!\d)"


@dataclass(frozen=True, slots=True)
class Date:
    """What stands in the text, where, and what it may mean: year, month and day, None where it is not said."""

    text: str
    start: int
    end: int
    readings: frozenset[tuple[int | None, int, int | None]]
    #: The month as a number, where a name says it.
    named_month: int | None = None

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
        return any(
            _agree(first, second) for first in self.readings for second in other.readings
        )


def _agree(
    first: tuple[int | None, int, int | None], second: tuple[int | None, int, int | None]
) -> bool:
    years = first[0], second[0]
    if None not in years and years[0] != years[1]:
        short = min(int(year or 0) for year in years)
        if short > 99 or short != max(int(year or 0) for year in years) % 100:
            return False
    return first[1] == second[1] and (None in (first[2], second[2]) or first[2] == second[2])


def dates_in(text: str, language: str) -> list[Date]:
    """The dates in the text: in digits, and with the names of months in its language and in English."""
    if not any(c.isdigit() for c in text):
        return []
    plain = with_ascii_digits(text)
    found: list[Date] = []
    taken: list[tuple[int, int]] = []
    for date in _all(plain, language):
        if not any(date.start < end and start < date.end for start, end in taken):
            found.append(date)
            taken.append(date.place)
    return sorted(found, key=lambda date: date.start)


def months_named(text: str, language: str) -> frozenset[Decimal]:
    """The months that a text names, with or without a day: where one writes October, another writes 10月."""
    base = base_language(language)
    found = set()
    for known in dict.fromkeys((base, "en")):
        if known in _MONTHS:
            for match in _pattern(known).finditer(text):
                month = next(n for n in range(1, 13) if match[f"m{n}"] is not None)
                if known != "en" or match[f"m{month}"][0].isupper():
                    found.add(Decimal(month))
    return frozenset(found)


def _all(text: str, language: str) -> Iterator[Date]:
    base = base_language(language)
    for match in _ISO.finditer(text):
        readings = {(int(match["year"]), int(match["month"]), int(match["day"]))}
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
        if known in _MONTHS:
            yield from _named(text, known)


def _date(match: re.Match[str], readings: set[tuple[int, int, int]] | set[tuple[int | None, int, int | None]],
          named: int | None = None) -> Iterator[Date]:
    possible = frozenset(
        (year, month, day)
        for year, month, day in readings
        if 1 <= month <= 12 and (day is None or 1 <= day <= 31)
    )
    if possible:
        yield Date(match[0], match.start(), match.end(), possible, named)


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
        yield from _date(match, {(_number(year), month, _number(day))}, month)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    names = "|".join(
        f"(?P<m{number}>{stems})" for number, stems in enumerate(_MONTHS[language].split(), 1)
    )
    day, year = _DAY.format("before"), _YEAR
    return re.compile(
        rf"(?<!\d)(?:{day}(?:\s|\u00a0)?(?:of |de |d['’]|di |del )?\s?(?:the )?)?(?<![^\W\d_])(?:{names})(?![^\W\d_])\.?"
        rf"(?:(?:,?\s|\sde\s|\sdel\s|\sde\sl['’]an\s|\s?de\s)(?:{year.format('year')}"
        rf"|(?P<behind>[0-3]?\d)(?:st|nd|rd|th)?(?![\d%])(?![.,:]\d)(?:,?\s{year.format('year2')})?))?"
        rf"(?:\s?,\s?{year.format('year3')})?",
        re.IGNORECASE,
    )
