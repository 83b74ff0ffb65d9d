"""Bootstrap intervals of sums that are made in many places.

Nicholas Chamandy, Omkar Muralidharan, Amir Najmi, Siddartha Naidu: Estimating Uncertainty for Massive Data
Streams. Google, 2012. In each resample every row is drawn Poisson(1) times, independently of all others. How
often depends on the seed and on the number of the row alone, so that sums of resamples are the same wherever
and in whatever order the rows are added.
"""

from __future__ import annotations

from functools import cache
from math import exp, factorial

import numpy as np
import numpy.typing as npt

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.statistics.exact_sum import ExactSum, cut

#: Rows whose draws are made together, from one place in the stream of random numbers.
_BLOCK = 1024


class PoissonSums:
    """Sums of rows of statistics in each of ``resamples``, and how many rows each has drawn."""

    def __init__(self, resamples: int, seed: int) -> None:
        self.resamples = resamples
        self.seed = seed
        self.rows: Int64Array = np.zeros(resamples, dtype=np.int64)
        self.sums = ExactSum()

    def add(self, statistics: FloatArray, first: int) -> None:
        """Add an array of shape (rows, k), whose first row has the number ``first``."""
        for block in range(first // _BLOCK, -(-(first + len(statistics)) // _BLOCK)):
            begin = max(block * _BLOCK, first)
            some = statistics[begin - first : (block + 1) * _BLOCK - first]
            place = begin - block * _BLOCK
            drawn = _drawn(self.resamples, self.seed, block)[:, place : place + len(some)]
            self.rows += drawn.sum(axis=1, dtype=np.int64)
            # Limbs have 30 bits, draws and rows few: all products and their sums are exact doubles.
            limbs = [drawn @ limb for limb in cut(some)]
            self.sums.add_limbs(np.rint(limbs).astype(np.int64))

    def merge(self, other: PoissonSums) -> None:
        """Add the sums of other rows."""
        self.rows = self.rows + other.rows
        self.sums.merge(other.sums)

    def value(self) -> FloatArray:
        """The sums of the resamples that have any row; shape (resamples, k)."""
        return self.sums.value()[self.rows > 0]


def _drawn(resamples: int, seed: int, block: int) -> FloatArray:
    """How often each row of a block is drawn; shape (resamples, rows)."""
    # Streams of 2¹²⁸ numbers apart. The raw ones are the same in every version of NumPy.
    stream = np.random.Philox(key=seed, counter=np.array([0, 0, block, 0], dtype=np.uint64))
    raw = np.asarray(stream.random_raw(resamples * _BLOCK // 4)).astype("<u8")
    return _COUNTS()[raw.view("<u2")].reshape(resamples, _BLOCK)


@cache
def _COUNTS() -> npt.NDArray[np.float64]:
    """Poisson(1) by 16 random bits."""
    chances = np.cumsum([exp(-1) / factorial(count) for count in range(9)])
    return np.searchsorted(chances, (np.arange(1 << 16) + 0.5) / (1 << 16)).astype(np.float64)
