"""Measures that a translation may convert: 50 ft are 15 metres, and nobody has changed a number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from metaphrase.checks.numbers.reading import Number

#: Words for measures that readers elsewhere do not use, in English and as other languages take them over,
#: with what one of them is in the measures that may stand for it.
_MEASURES: dict[str, tuple[str, ...]] = {
    r"feet|foot|ft|Fuß|pieds?|pies|stop|футов": ("0.3048", "30.48"),
    r"inch(?:es)?|in|Zoll|pouces?|pulgadas?|palc\w*|дюйм\w*": ("2.54", "25.4", "0.0254"),
    r"yards?|yd": ("0.9144",),
    r"miles?|mi|mph|Meilen?|milles?|millas?|mil|миль|英里": ("1.609", "1609"),
    r"pounds?|lbs?|Pfund|livres?|libras?|liber|фунт\w*|磅": ("0.4536", "0.0004536"),
    r"ounces?|oz|Unzen?": ("28.35", "0.02835", "29.57", "0.02957"),
    r"stone": ("6.35",),
    r"gallons?|Gallonen?|galon\w*": ("3.785", "4.546"),
    r"acres?|Acres?|akr\w*": ("0.4047", "4047"),
    r"square[- ](?:feet|foot)|sq ?ft": ("0.0929",),
    r"square[- ]miles?": ("2.59",),
    r"里": ("0.5", "0.31"),
    r"斤": ("0.5", "1.1"),
    r"亩": ("0.0667", "667", "0.165"),
}
_BEHIND = {
    re.compile(
        rf"[\s\u00a0-]?[多余]?(?:(?:million|billion|thousand)s?[\s-])?(?:{words})(?![^\W\d_])", re.I
    ): tuple(map(Decimal, factors))
    for words, factors in _MEASURES.items()
}
#: Conversions are rounded: 50 ft to 15 m, 700 yards to 650 m.
_ROUNDED = Decimal("0.1")


class Measured(NamedTuple):
    """The values that a number may have, and by what they are multiplied in other measures."""

    values: frozenset[Decimal]
    factors: tuple[Decimal, ...]


def measured(number: Number, text: str) -> Measured:
    """The number with the measure that stands behind it in the text, if there is one."""
    for pattern, factors in _BEHIND.items():
        if pattern.match(text, number.end):
            return Measured(number.values, factors)
    return Measured(number.values, ())


def converted(numbers: Iterable[Measured], others: Iterable[Measured]) -> set[Measured]:
    """Those that are one of the others in another measure."""
    candidates = set(others)
    with_measures = [one for one in candidates if one.factors]
    return {
        number
        for number in set(numbers)
        if any(_converts(other, number) for other in with_measures)
        or (number.factors and any(_converts(number, other) for other in candidates))
    }


def _converts(number: Measured, other: Measured) -> bool:
    return any(
        abs(value * factor - result) <= _ROUNDED * result
        for value in number.values
        for factor in number.factors
        for result in other.values
    )
