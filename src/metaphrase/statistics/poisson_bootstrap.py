"""Bootstrap intervals of sums that are made in many places.

Nicholas Chamandy, Omkar Muralidharan, Amir Najmi, Siddartha Naidu: Estimating Uncertainty for Massive Data
Streams. Google, 2012. In each resample every row is drawn Poisson(1) times, independently of all others. How
often depends on the seed and on the number of the row alone, so that sums of resamples are the same wherever
and in whatever order the rows are added.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import exp, factorial
from typing import ClassVar

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.statistics.exact_sum import ExactSum, cut

#: Seeds are keys of a cipher with so many bits.
MOST_SEED = 2**128 - 1
#: Rows whose draws are made together, from one place in the stream of random numbers, and the resamples of
#: which they are held at a time.
_ROWS, _RESAMPLES = 1024, 1024


class PoissonSums:
    """Sums of rows of statistics in each of ``resamples``, and how many rows each has drawn."""

    _CHANCES: ClassVar[tuple[float, ...]] = tuple(exp(-1) / factorial(count) for count in range(9))
    #: Of streams of random numbers that have nothing in common.
    _STREAM: ClassVar[int] = 0

    def __init__(self, resamples: int, seed: int) -> None:
        self.resamples = resamples
        self.seed = seed
        self.rows: Int64Array = np.zeros(resamples, dtype=np.int64)
        self.sums = ExactSum()

    def add(self, statistics: FloatArray, first: int) -> None:
        """Add an array of shape (rows, k), whose first row has the number ``first``."""
        for block in range(first // _ROWS, -(-(first + len(statistics)) // _ROWS)):
            begin = max(block * _ROWS, first)
            some = statistics[begin - first : (block + 1) * _ROWS - first]
            place = begin - block * _ROWS
            limbs = np.stack(cut(some), axis=1)
            # Counts have whole parts only: what is 0 need not be multiplied.
            used = limbs.any(axis=0)
            sums = np.zeros((self.resamples, *used.shape))
            for begin, draws in self._draws(block):
                drawn = draws[:, place : place + len(some)]
                end = begin + len(drawn)
                self.rows[begin:end] += drawn.sum(axis=1).astype(np.int64)
                # Limbs have 32 bits, draws and rows few: products and their sums are exact doubles.
                sums[begin:end, used] = drawn @ limbs[:, used]
            self.sums.add_limbs(sums.astype(np.int64).swapaxes(0, 1))

    def merge(self, other: PoissonSums) -> None:
        """Add the sums of other rows."""
        self.rows = self.rows + other.rows
        self.sums.merge(other.sums)

    def value(self) -> FloatArray:
        """The sums of the resamples that have any row; shape (resamples, k)."""
        return self.sums.value()[self.rows > 0]

    def _draws(self, block: int) -> Iterator[tuple[int, FloatArray]]:
        """How often each row of a block is drawn, for some resamples from one on; (resamples, rows)."""
        # Streams of 2¹²⁸ numbers apart. The raw ones are the same in every version of NumPy.
        place = np.array([0, 0, block, self._STREAM], dtype=np.uint64)
        stream = np.random.Philox(key=self.seed, counter=place)
        for begin in range(0, self.resamples, _RESAMPLES):
            some = min(_RESAMPLES, self.resamples - begin)
            raw = np.asarray(stream.random_raw(some * _ROWS // 4)).astype("<u8")
            yield begin, _counts(self._CHANCES).take(raw.view("<u2")).reshape(some, _ROWS)


class ExchangedSums(PoissonSums):
    """Sums of the rows that each of ``resamples`` exchanges, each with probability 1/2.

    With rows of differences of two systems, a resample's difference is that of all rows, less twice its sum:
    a randomisation test (:func:`metaphrase.statistics.resampling.approximate_randomisation`) of rows that are
    added up in many places.
    """

    _CHANCES = (0.5, 0.5)
    _STREAM = 1


@cache
def _counts(chances: tuple[float, ...]) -> FloatArray:
    """How often 16 random bits draw a row."""
    reached = np.cumsum(chances)
    return np.searchsorted(reached, (np.arange(1 << 16) + 0.5) / (1 << 16)).astype(np.float64)
