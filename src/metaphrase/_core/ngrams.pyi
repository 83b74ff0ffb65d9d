"""Counts of n-grams; see src/core/counts/bind_ngrams.cpp."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def matches(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], orders: int, threads: int
) -> NDArray[np.float64]:
    """BLEU's statistics of texts whose words stand between single spaces, (segments, 2 + 2 orders)."""

def overlaps(
    hypotheses: NDArray[np.int32],
    hypothesis_offsets: NDArray[np.int64],
    references: NDArray[np.int32],
    reference_offsets: NDArray[np.int64],
    orders: int,
    threads: int,
) -> NDArray[np.int64]:
    """chrF's statistics of rows of symbols: by order n-grams of the hypothesis, of the reference, common."""

class Information:
    """What n-grams of references tell, in bits."""

    def matched(
        self, hypotheses: NDArray[np.int32], offsets: NDArray[np.int64], threads: int
    ) -> NDArray[np.float64]:
        """NIST's statistics of rows of symbols: by order the bits that match, (segments, orders)."""

    def told(self, symbols: NDArray[np.int32]) -> NDArray[np.float64]:
        """What the n-grams that begin at each symbol tell; NaN if no reference has them."""

def information(
    references: NDArray[np.int32], offsets: NDArray[np.int64], segments: int, orders: int
) -> Information:
    """Counts n-grams of references; the r-th one of segment i is row r * segments + i."""

def separate(text: bytes) -> bytes:
    """UTF-8 with spaces around what mteval-v13a makes a word of its own, line by line."""
