"""Counts of word n-grams; see src/core/bind_ngrams.cpp."""

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
