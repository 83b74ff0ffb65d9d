"""Names and numbers in sentences."""

from __future__ import annotations

from collections.abc import Sequence

#: Names that a sentence holds; it counts the others.
MOST_NAMES = 5


def joined(names: Sequence[str], others: str = "others") -> str:
    """*a, b and c*; of many names only the first, and the number of the others.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) > MOST_NAMES + 1:
        names = [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} {others}"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def spanned(numbers: Sequence[int]) -> str:
    """From the smallest number to the greatest.

    >>> spanned([4, 10, 3]), spanned([7, 7])
    ('3 to 10', '7')
    """
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
