"""Pivot bags, slow and obvious: all cuts of a sentence, all readings of a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeVar

Unit = TypeVar("Unit", bound=Hashable)
Words = tuple[str, ...]
#: A slot's alternatives: units and their probability.
Slot = Sequence[tuple[Sequence[Unit], Fraction]]


def cuts(words: Words, most: int = 4) -> Iterator[list[Words]]:
    """All ways to cut the words into pieces of at most ``most``, longer first pieces first."""
    if not words:
        yield []
    for length in range(min(most, len(words)), 0, -1):
        for rest in cuts(words[length:], most):
            yield [words[:length], *rest]


def counted(phrases: Sequence[Words], counts: Mapping[Words, int]) -> list[Fraction] | None:
    """N of each phrase, a half for an unknown word; None if a longer phrase is unknown."""
    found = []
    for phrase in phrases:
        if phrase not in counts and len(phrase) > 1:
            return None
        found.append(Fraction(counts[phrase]) if phrase in counts else Fraction(1, 2))
    return found


def probable_cuts(
    words: Words, counts: Mapping[Words, int], total: int
) -> list[tuple[Fraction, list[Words]]]:
    """Every possible cut with its product of Pr(p)."""
    found = []
    for phrases in cuts(words):
        numbers = counted(phrases, counts)
        if numbers is not None:
            probability = Fraction(1)
            for number in numbers:
                probability *= number / total
            found.append((probability, phrases))
    return found


def readings(
    slots: Sequence[Slot[Unit]],
) -> Iterator[tuple[Fraction, list[tuple[int, Unit]]]]:
    """One alternative of each slot: the product of their probabilities, and units with their slots."""
    for choice in product(*slots):
        probability = Fraction(1)
        units: list[tuple[int, Unit]] = []
        for number, (alternative, p) in enumerate(choice):
            probability *= p
            units += [(number, unit) for unit in alternative]
        yield probability, units


def expected_ngrams(slots: Sequence[Slot[Unit]], n: int) -> dict[tuple[Unit, ...], Fraction]:
    """The definition: only the slots that an n-gram touches count, so read each window of slots by itself.

    A window is read in all ways; an n-gram belongs to it if it begins in its first slot and ends in its last.
    """
    found: Counter[tuple[Unit, ...]] = Counter()
    for first in range(len(slots)):
        for last in range(first, min(first + n, len(slots))):
            for probability, units in readings(slots[first : last + 1]):
                for start in range(len(units) - n + 1):
                    window = units[start : start + n]
                    if window[0][0] == 0 and window[-1][0] == last - first:
                        found[tuple(unit for _, unit in window)] += probability
    return dict(found)


def total_expectation(slots: Sequence[Slot[Unit]], n: int) -> dict[tuple[Unit, ...], Fraction]:
    """Where probabilities add up to 1 in every slot: how often n-grams occur in a reading, on average."""
    found: Counter[tuple[Unit, ...]] = Counter()
    for probability, units in readings(slots):
        for start in range(len(units) - n + 1):
            found[tuple(unit for _, unit in units[start : start + n])] += probability
    return dict(found)


def bag(
    ngrams: Mapping[tuple[Unit, ...], Fraction],
    classes: Mapping[Unit, Hashable],
    function: Iterable[Unit],
    divisor: int,
) -> dict[tuple[Hashable, ...], Fraction]:
    """Weights of n-grams of lemmas or tags."""
    discounted = frozenset(function)
    found: Counter[tuple[Hashable, ...]] = Counter()
    for units, weight in ngrams.items():
        words = sum(unit in discounted for unit in units)
        found[tuple(classes[unit] for unit in units)] += weight / divisor**words
    return dict(found)


def overlap(
    first: Mapping[tuple[Hashable, ...], Fraction], second: Mapping[tuple[Hashable, ...], Fraction]
) -> Fraction:
    """The closed form of the matching."""
    return sum((min(w, second[g]) for g, w in first.items() if g in second), Fraction(0))
