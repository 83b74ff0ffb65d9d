"""Where marked errors stand in a text: without overlaps, and without white space at their ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from metaphrase.corpus.ratings import MarkedError


def apart(text: str, errors: Iterable[MarkedError]) -> tuple[MarkedError, ...]:
    """The same errors without overlaps: of those that share characters, the one with most points has them.

    An error in the middle of another parts it. Those without a place come last.
    """
    given = list(errors)
    owner = np.full(len(text), -1)
    # Whatever is written later stays: the one with most points, of equal ones the first.
    order = sorted(range(len(given)), key=lambda number: (given[number].points or 0.0, -number))
    for number in order:
        if (span := given[number].span) is not None:
            owner[slice(*span)] = number
    borders = [0, *(np.flatnonzero(np.diff(owner)) + 1).tolist(), len(text)] if text else [0]
    placed = []
    for start, end in pairwise(borders):
        if owner[start] >= 0 and (span := without_margins(text, start, end)) is not None:
            placed.append(replace(given[owner[start]], span=span))
    return (*placed, *(one for one in given if one.span is None))


def without_margins(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The same place without white space around it, if anything else is there."""
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    end = start + len(inside.strip())
    return (start, end) if start < end else None
