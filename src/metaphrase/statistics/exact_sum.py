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
        if not np.all(np.abs(statistics) < _LIMIT):
            raise OverflowError("statistics must be finite and below 2**32")
        limbs = np.zeros((_LIMBS, statistics.shape[1]), dtype=np.int64)
        rest = statistics
        for limb in limbs:
            whole = np.trunc(rest)  # unlike floor, leaves an exact rest of negative numbers too
            limb[:] = whole.astype(np.int64).sum(axis=0)
            rest = (rest - whole) * 2.0**_LIMB_BITS
        self._limbs = limbs if self._limbs is None else self._limbs + limbs

    def value(self) -> FloatArray:
        """The sum so far, rounded once; shape (k,)."""
        if self._limbs is None:
            raise ValueError("nothing was added")
        shift = _LIMB_BITS * (_LIMBS - 1)
        columns = self._limbs.T.tolist()
        exact = (sum(n << (shift - _LIMB_BITS * i) for i, n in enumerate(c)) for c in columns)
        return np.array([total / (1 << shift) for total in exact], dtype=np.float64)
