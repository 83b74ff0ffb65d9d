"""Another number of the same shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from metaphrase.analysis.sentence import Sentence
from metaphrase.checks.numbers.reading import numbers_in
from metaphrase.probing.kinds.kind import Change, ErrorMaker, Stock

_DIGIT = re.compile("[0-9]")
_YEAR = re.compile("(?:1[5-9]|20)[0-9]{2}")
#: Longer ones are serial numbers, and nobody reads them.
_LONGEST = 12


def changes(sentence: Sentence, stock: Stock, random: Random) -> Sequence[Change]:
    """For each number in digits one with as many digits and the same marks between them."""
    found = []
    for number in numbers_in(sentence.text):
        written = sentence.text[number.start : number.end]
        if not _DIGIT.search(written) or len(written) > _LONGEST:
            continue
        new = _another(written, random)
        (read,) = numbers_in(new)[:1] or [number]
        if not read.values & number.values:
            found.append(Change(((number.start, number.end, new),)))
    return found


def _another(written: str, random: Random) -> str:
    """Years keep their century, and prices of three digits or more their size; the last digit changes."""
    places = [found.start() for found in _DIGIT.finditer(written)]
    digits = list(written)
    kept = 2 if _YEAR.fullmatch(written) else 1 if len(places) > 2 else 0
    for place in places[kept:]:
        last = place == places[-1]
        others = [
            digit
            for digit in "0123456789"
            if not (last and digit == written[place]) and not (place == places[0] and digit in "01")
        ]
        digits[place] = others[int(random.random() * len(others))]
    return "".join(digits)


NUMBERS = ErrorMaker(
    name="numbers",
    severity="critical",
    description="a number becomes another one with as many digits",
    changes=changes,
)
