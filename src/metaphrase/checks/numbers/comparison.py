"""The checks of numbers and dates: whether both texts say the same ones, in the manner of their languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from metaphrase.checks.check import Check, by_pair
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.numbers.dates import Date, dates_in, months_named
from metaphrase.checks.numbers.reading import (
    Number,
    decimal_mark,
    has_digits,
    numbers_in,
    reading_in,
)
from metaphrase.checks.numbers.units import converted, measured
from metaphrase.checks.numbers.words import centuries_of, is_spelt
from metaphrase.checks.pair import MASK, Pair

MISSING = Kind("numbers/missing", "major", "a number of the source is missing")
ADDED = Kind("numbers/added", "major", "a number that the source does not have")
CHANGED = Kind("numbers/changed", "critical", "one number of the source has become another")
FORMAT = Kind(
    "numbers/format",
    "minor",
    "a number in a format that reads as another in the language of the target",
)
DATE = Kind("dates/changed", "critical", "one date of the source has become another")

#: Characters of a number that a message shows at either end; those of a name that are looked at.
_SHOWN, _LONGEST_NAME = 40, 100
#: Where more numbers differ, the texts do not belong together, and no number has become another.
_MOST_CHANGED = 2
#: A word with a capital and a hyphen: what follows is part of its name.
_NAME_BEFORE = re.compile(r"(?<![^\W\d_])(?=\w*[A-ZÄÖÜА-Я])[^\W\d_]{2,}[-‑]$")


def _find_dates(pair: Pair) -> Iterator[Finding]:
    missing, added, _, _ = _compared_dates(pair)
    for wanted, found in zip(missing, added, strict=False):
        yield DATE.finding(
            "target",
            found.place,
            f"{wanted.text.strip()} has become {found.text.strip()}.",
            expected=wanted.text.strip(),
            found=found.text.strip(),
        )


def _compared_dates(pair: Pair) -> tuple[list[Date], list[Date], list[Date], list[Date]]:
    """Dates of either side that the other lacks, and all that need no look at their numbers.

    Where only one side has dates left, the other may say them in a form that is not known here.
    """
    source = dates_in(pair.source_words, pair.source_language)
    target = dates_in(pair.target_words, pair.target_language)
    missing = [date for date in source if not any(map(date.agrees, target))]
    added = [date for date in target if not any(map(date.agrees, source))]
    if missing and added:
        # From 10 to 12 September, 7/8 June: whose numbers are all there is no other date.
        said = _said(pair.source_words, pair.source_language)
        said_target = _said(pair.target_words, pair.target_language)
        lost = [date for date in missing if not _is_said(date, said_target)]
        new = [date for date in added if not _is_said(date, said)]
        missing, added = (lost or missing, new or added) if lost or new else ([], [])
    settled = min(len(missing), len(added))
    left_source, left_target = missing[settled:], added[settled:]
    return (
        missing[:settled],
        added[:settled],
        [date for date in source if date not in left_source],
        [date for date in target if date not in left_target],
    )


def _said(text: str, language: str) -> frozenset[Decimal]:
    """All numbers of a text, months by name, too."""
    return _implied(text, language).union(*(number.values for number in numbers_in(text)))


def _is_said(date: Date, numbers: frozenset[Decimal]) -> bool:
    return any(
        all(Decimal(part) in numbers for part in reading if part is not None)
        for reading in date.readings
    )


def _find_numbers(pair: Pair) -> Iterator[Finding]:
    if not (has_digits(pair.source) or has_digits(pair.target)):
        return
    _, _, source_dates, target_dates = _compared_dates(pair)
    source = numbers_in(_without_dates(pair.source_words, source_dates))
    target = numbers_in(_without_dates(pair.target_words, target_dates))
    implied = _implied(pair.source_words, pair.source_language)
    implied_target = _implied(pair.target_words, pair.target_language)
    missing = _unsaid(source, _values(target), implied_target)
    added = _unsaid(target, _values(source), implied)
    missing, added = _split(missing, added, source, target, implied, implied_target)
    # Where both sides have a number left over, one has become the other: nothing is assumed.
    for assumed in (False, True):
        missing = _not_spelt(missing, pair.target_words, pair.target_language, assumed)
        added = _not_spelt(added, pair.source_words, pair.source_language, assumed)
        if missing and added:
            break
    missing, added = _without_converted(missing, added, pair)
    yield from _differing(*_without_names(missing, added, pair))
    yield from _formats(pair, source, target)


def _implied(text: str, language: str) -> frozenset[Decimal]:
    """What all dates of a text say, months with names, too."""
    return months_named(text, language).union(*(date.numbers for date in dates_in(text, language)))


def _without_dates(text: str, dates: Sequence[Date]) -> str:
    for date in dates:
        text = text[: date.start] + MASK * (date.end - date.start) + text[date.end :]
    return text


def _values(numbers: Iterable[Number]) -> frozenset[Decimal]:
    return frozenset().union(*(number.values for number in numbers))


def _unsaid(
    numbers: Sequence[Number], others: frozenset[Decimal], implied: frozenset[Decimal]
) -> list[Number]:
    """The numbers that are not among the values of the other side, nor short for one of them."""
    said = others | implied | _short_years(others)
    return [
        number
        for number in numbers
        if said.isdisjoint(number.values) and others.isdisjoint(_short_years(number.values))
    ]


def _short_years(values: frozenset[Decimal]) -> frozenset[Decimal]:
    """What years are called for short: ’68 for 1968, the 80s for the 1880s."""
    return frozenset(
        year % 100
        for year in values
        if 1900 <= year < 2100 or (1100 <= year < 1900 and year % 10 == 0)
    )


def _split(
    missing: list[Number],
    added: list[Number],
    source: Sequence[Number],
    target: Sequence[Number],
    implied: frozenset[Decimal],
    implied_target: frozenset[Decimal],
) -> tuple[list[Number], list[Number]]:
    """Take numbers for several where that explains them: 15.30 for 15:30, 5 200 for 5 and 200.

    One side at a time, so that 1.5 does not become 5.1 by way of 1 and 5.
    """
    in_source = implied | _values(source)
    in_target = implied_target | _values(target)
    split_added = {number for number in added if _is_made_of(number, in_source)}
    parts = _parts(split_added)
    split_missing = {number for number in missing if _is_made_of(number, in_target)}
    other_parts = _parts(split_missing)
    return (
        [n for n in missing if n not in split_missing and not n.values & parts],
        [n for n in added if n not in split_added and not n.values & other_parts],
    )


def _is_made_of(number: Number, values: frozenset[Decimal]) -> bool:
    return bool(number.parts) and all(part & values for part in number.parts)


def _parts(numbers: Iterable[Number]) -> frozenset[Decimal]:
    return frozenset().union(*(part for number in numbers for part in number.parts))


def _not_spelt(numbers: Sequence[Number], text: str, language: str, assumed: bool) -> list[Number]:
    return [
        number
        for number in numbers
        if not any(is_spelt(value, text, language, assumed=assumed) for value in number.values)
        and not number.values & centuries_of(text)
    ]


def _without_converted(
    missing: list[Number], added: list[Number], pair: Pair
) -> tuple[list[Number], list[Number]]:
    """Leave out numbers that were converted to other measures; the target may say both."""
    source, target = (
        {number: measured(number, text) for number in numbers_in(text)}
        for text in (pair.source_words, pair.target_words)
    )
    gone = converted([source[n] for n in missing if n in source], target.values())
    come = converted([target[n] for n in added if n in target], source.values())
    return (
        [n for n in missing if source.get(n) not in gone],
        [n for n in added if target.get(n) not in come],
    )


def _without_names(
    missing: list[Number], added: list[Number], pair: Pair
) -> tuple[list[Number], list[Number]]:
    """Leave out numbers of names (CO2, m2, COVID-19) where only one side has any.

    A language may have a word for that; A4 that has become A5 is still a mistake.
    """
    names = {n for n in missing if _is_part_of_name(n, pair.source)}
    others = {n for n in added if _is_part_of_name(n, pair.target)}
    if names and others:
        return missing, added
    return [n for n in missing if n not in names], [n for n in added if n not in others]


def _is_part_of_name(number: Number, text: str) -> bool:
    before = text[max(0, number.start - _LONGEST_NAME) : number.start]
    if before[-1:].isalpha():
        return number.end - number.start == 1
    return _NAME_BEFORE.search(before) is not None


def _differing(missing: Sequence[Number], added: Sequence[Number]) -> Iterator[Finding]:
    if len(missing) == len(added) <= _MOST_CHANGED:
        for wanted, found in zip(missing, added, strict=True):
            yield CHANGED.finding(
                "target",
                found.place,
                f"{_shown(wanted)} has become {_shown(found)}.",
                expected=wanted.text,
                found=found.text,
            )
        return
    for number in missing:
        yield MISSING.finding(
            "source",
            number.place,
            f"{_shown(number)} is missing in the target.",
            expected=number.text,
        )
    for number in added:
        yield ADDED.finding(
            "target", number.place, f"{_shown(number)} is not in the source.", found=number.text
        )


def _shown(number: Number) -> str:
    """The number as a message has room for it: both ends of one of thousands of digits."""
    if len(number.text) <= 2 * _SHOWN:
        return number.text
    return f"{number.text[:_SHOWN]}…{number.text[-_SHOWN:]}"


def _formats(pair: Pair, source: Sequence[Number], target: Sequence[Number]) -> Iterator[Finding]:
    """Numbers that were copied with the separators of another language."""
    marks = decimal_mark(pair.source_language), decimal_mark(pair.target_language)
    if None in marks or marks[0] == marks[1]:
        return
    for number in target:
        same = [other for other in source if other.text == number.text]
        if not same or not number.parts:
            continue
        if not _reads_as_less(number.text, pair):
            continue
        swapped = number.text.translate(str.maketrans(".,", ",."))
        yield FORMAT.finding(
            "target",
            number.place,
            f"{_shown(number)} is in the format of the source.",
            expected=swapped,
            found=number.text,
            suggestion=swapped,
        )


def _reads_as_less(written: str, pair: Pair) -> bool:
    """Whether thousands would be read as decimals.

    The reverse is not asked: whoever writes 400.000 in English meant thousands, too.
    """
    meant = reading_in(written, pair.source_language)
    read = reading_in(written, pair.target_language)
    if meant is None or meant == read:
        return False
    return read is None or read < meant


NUMBERS = Check(
    "numbers",
    "numbers",
    "numbers in digits, whatever their format",
    (MISSING, ADDED, CHANGED, FORMAT),
    by_pair(_find_numbers),
)
DATES = Check(
    "dates", "numbers", "dates in digits or with a month's name", (DATE,), by_pair(_find_dates)
)
