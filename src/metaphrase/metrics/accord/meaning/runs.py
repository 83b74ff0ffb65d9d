"""Runs of content words without a counterpart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.arrays import BoolArray
from metaphrase.checks.numbers.reading import numbers_in
from metaphrase.checks.numbers.words import english_numbers
from metaphrase.metrics.accord.meaning.pairs import Pairs, Shift, shift_of
from metaphrase.metrics.accord.meaning.words import MeaningWords

#: So many content words without a counterpart in a row are nothing unusual.
_USUAL_RUN = 2


def runs(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    """The longest run of content words without a counterpart, of either side."""
    for side, kind in ((1, "omitted"), (0, "added")):
        slots = np.flatnonzero(words.content[pairs.token[side]])
        if not len(slots):
            continue
        pair = pairs.pair[side][slots]
        lonely = ((pairs.partner[side] < 0) & ~_said_in_digits(pairs, words, side))[slots]
        # A run ends with an aligned word or with the text.
        begins = lonely & ~(np.r_[False, lonely[:-1]] & np.r_[False, pair[1:] == pair[:-1]])
        run = np.cumsum(begins)[lonely]
        if not len(run):
            continue
        lengths = np.bincount(run)
        firsts = np.flatnonzero(begins)
        of_pair = pair[firsts]
        longest = np.zeros(len(pairs.first[side]), dtype=np.int64)
        np.maximum.at(longest, of_pair, lengths[1:])
        content = np.bincount(pair, minlength=len(longest))
        shown: dict[int, int] = {}
        for number in np.flatnonzero(lengths[1:] > _USUAL_RUN).tolist():
            where = int(of_pair[number])
            if lengths[1 + number] == longest[where]:
                shown.setdefault(where, number)
        for where, number in shown.items():
            first = int(firsts[number])
            tokens = pairs.token[side][slots[first : first + longest[where]]].tolist()
            amount = float((longest[where] - _USUAL_RUN) / max(content[where], 1))
            yield shift_of(pairs, where, kind, amount, ([], tokens) if side else (tokens, []))


def _said_in_digits(pairs: Pairs, words: MeaningWords, side: int) -> BoolArray:
    """Number words without a counterpart whose number the other text has in digits: *two hundred*, 200."""
    numbers = [words.counts[pairs.token[at]] & (pairs.partner[at] < 0) for at in (0, 1)]
    said = np.zeros(len(numbers[side]), dtype=np.bool_)
    counts = [pairs.sums(at, numbers[at]) for at in (0, 1)]
    for pair in np.flatnonzero((counts[side] > 0) & (counts[1 - side] > 0)).tolist():
        here = pairs.here(side, pair)
        own, other = (
            " ".join(map(words.form, pairs.token[at][pairs.here(at, pair)].tolist()))
            for at in (side, 1 - side)
        )
        values = {value for number in numbers_in(other) for value in number.values}
        if not values.isdisjoint(english_numbers(own)):
            said[here] = numbers[side][here]
    return said
