"""The ``console`` blocks of a page: what they run, what they show, and the same with what is shown today."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

#: A line that stands for any number of lines.
ELISION = "…"
#: How much two lines resemble each other at least if they say the same, be it with other numbers.
ALIKE = 0.5
#: What it costs to leave a line out or to let one in.
CHANGE = 0.25
#: How much lines resemble each other, and for each elision from where to where it goes.
Choice = tuple[float, tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class Exchange:
    """A command with the lines it is said to show, and where these are in the text of its block."""

    command: str
    expected: list[str]
    start: int
    end: int


def exchanges(block: str) -> Iterator[Exchange]:
    """The commands of a ``console`` block; blank lines around what they show do not count."""
    for found in re.finditer(
        r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", block, re.M
    ):
        shown = found["output"].strip("\n")
        start = found.start("output") + found["output"].index(shown)
        command = re.sub(r"\\\n(?:> )?", "", found["command"])
        yield Exchange(command, shown.splitlines(), start, start + len(shown) + bool(shown))


def fits(expected: Sequence[str], found: Sequence[str]) -> bool:
    """Whether the lines are the same, elisions standing for any number of them."""
    if not expected:
        return not found
    if expected[0] == ELISION:
        return any(fits(expected[1:], found[i:]) for i in range(len(found) + 1))
    return bool(found) and expected[0] == found[0] and fits(expected[1:], found[1:])


def refreshed(expected: Sequence[str], found: Sequence[str]) -> list[str] | None:
    """What was found, with the elisions of what was expected; None if it is not clear where they belong."""
    if fits(expected, found):
        return list(expected)
    first, last = (elided(expected, found, late=late) for late in (False, True))
    if first != last:
        return None
    lines, end = list[str](), 0
    for place, (start, stop) in zip(
        (i for i, line in enumerate(expected) if line == ELISION), first, strict=True
    ):
        before, after = expected[:place][-1:], expected[place + 1 :][:1]
        if not (alike(before, found[:start][-1:]) and alike(after, found[stop:][:1])):
            return None
        lines += [*found[end:start], ELISION]
        end = stop
    return [*lines, *found[end:]]


def elided(
    expected: Sequence[str], found: Sequence[str], *, late: bool
) -> tuple[tuple[int, int], ...]:
    """The lines that each elision stands for if all others are to resemble most what was expected.

    Where several choices are equally good, it is the first of them, or the last.
    """
    best: dict[tuple[int, int], Choice] = {}
    for i in range(len(expected), -1, -1):
        for j in range(len(found), -1, -1):
            choices = list[Choice]()
            if i == len(expected):
                choices.append((-CHANGE * (len(found) - j), ()))
            elif expected[i] == ELISION:
                for stop in range(j, len(found) + 1):
                    value, cuts = best[i + 1, stop]
                    choices.append((value, ((j, stop), *cuts)))
            else:
                value, cuts = best[i + 1, j]
                choices.append((value - CHANGE, cuts))
                if j < len(found):
                    value, cuts = best[i, j + 1]
                    choices.append((value - CHANGE, cuts))
                    value, cuts = best[i + 1, j + 1]
                    choices.append((value + resemblance(expected[i], found[j]), cuts))
            top = max(value for value, _ in choices)
            equal = [choice for choice in choices if choice[0] > top - 1e-9]
            best[i, j] = (max if late else min)(equal, key=lambda choice: choice[1])
    return best[0, 0][1]


def alike(expected: Sequence[str], found: Sequence[str]) -> bool:
    """Whether the lines on one side of an elision say the same of something, or there is none."""
    return len(expected) == len(found) and all(
        resemblance(*lines) >= ALIKE for lines in zip(expected, found, strict=True)
    )


@cache
def resemblance(a: str, b: str) -> float:
    """The share of words in common, between that with their numbers and that without."""
    return (shared(a, b) + shared(re.sub(r"\d+", "0", a), re.sub(r"\d+", "0", b))) / 2


def shared(a: str, b: str) -> float:
    return SequenceMatcher(None, a.split(), b.split(), autojunk=False).ratio()
