"""Words of two sentences that match by their vectors; see src/core/alignment/bind_soft_matches.cpp."""

import numpy as np
from numpy.typing import NDArray

class WeightedVectors:
    """Vectors and weights of words, by their numbers."""

    def __init__(self, *, vectors: NDArray[np.float32], rarity: NDArray[np.float64]) -> None: ...

def match(
    offsets: NDArray[np.int64],
    word: NDArray[np.int32],
    vectors: WeightedVectors,
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    threads: int,
) -> NDArray[np.float64]:
    """The columns of soft_matches.hpp for every pair of sentences, (pairs, 13)."""

def spelling_vectors(chars: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.float32]:
    """The vectors of spelling_vectors.hpp for every word, (words, 128)."""
