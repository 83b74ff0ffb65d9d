"""Sums that do not depend on the order or the grouping of what is added."""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array

_LIMB_BITS = 30
_LIMBS = 3
_LIMIT = 2.0**32


class ExactSum:
    """Adds up rows of statistics exactly, so that batch size, threads and input order never show.

    Each number is cut into integers of 30 bits: its whole part and two limbs of its fraction. What lies
    below 2⁻⁶⁰ of a number is dropped from that number, not from the sum, so that integer addition, which
    is associative, does the rest. Whole parts must stay below 2³² and rows below 2³¹.
    """

    def __init__(self) -> None:
        self._limbs: Int64Array | None = None

    def add(self, statistics: FloatArray) -> None:
        """Add every row of an array of shape (rows, k)."""
        self.add_limbs(np.stack([limb.astype(np.int64).sum(axis=0) for limb in cut(statistics)]))

    def add_limbs(self, limbs: Int64Array) -> None:
        """Add what :attr:`limbs` of another sum gave."""
        self._limbs = limbs if self._limbs is None else self._limbs + limbs

    def merge(self, other: ExactSum) -> None:
        """Add another sum."""
        self.add_limbs(other.limbs)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return self._limbs is None

    @property
    def limbs(self) -> Int64Array:
        """The sum as integers, of which the whole is made again: (3, k)."""
        if self._limbs is None:
            raise ValueError("nothing was added")
        return self._limbs

    def value(self) -> FloatArray:
        """The sum so far, rounded once; shape (k,)."""
        shift = _LIMB_BITS * (_LIMBS - 1)
        columns = self.limbs.reshape(_LIMBS, -1).T.tolist()
        exact = (sum(n << (shift - _LIMB_BITS * i) for i, n in enumerate(c)) for c in columns)
        totals = np.array([total / (1 << shift) for total in exact], dtype=np.float64)
        return totals.reshape(self.limbs.shape[1:])


def cut(statistics: FloatArray) -> list[FloatArray]:
    """Each number as whole doubles: its whole part, and limbs of 30 bits."""
    if not np.all(np.abs(statistics) < _LIMIT):
        raise OverflowError("statistics must be finite and below 2**32")
    limbs = []
    rest = statistics
    for _ in range(_LIMBS):
        whole = np.trunc(rest)  # unlike floor, leaves an exact rest of negative numbers too
        limbs.append(whole)
        rest = (rest - whole) * 2.0**_LIMB_BITS
    return limbs
