"""Similarities of phrases and the best one-to-one maps between them.

See src/core/phrase_maps/bind_phrase_maps.cpp. Call them through metaphrase.matching.phrase_maps.
"""

import numpy as np
from numpy.typing import NDArray

class WordSimilarity:
    """Words of a vocabulary by their numbers."""

    def __init__(
        self,
        lemmas: NDArray[np.int32],
        stems: NDArray[np.int32],
        offsets: NDArray[np.int64],
        subsumers: NDArray[np.int32],
        least: NDArray[np.float64],
        contents: NDArray[np.float64],
    ) -> None: ...
    def __len__(self) -> int: ...
    def matrix(
        self, words: NDArray[np.int32], others: NDArray[np.int32]
    ) -> NDArray[np.float64]: ...

def lexicographic_maps(stack: NDArray[np.float64]) -> NDArray[np.int32]:
    """The column of each row, or -1, for each matrix of a stack."""

class Sentences:
    """Words of phrases of sentences; :func:`map_phrases` checks them."""

    def __init__(
        self,
        offsets: NDArray[np.int64],
        phrases: NDArray[np.int64],
        words: NDArray[np.int32],
    ) -> None: ...

class Side:
    """One side of all pairs: rows, and weights and cosines phrase by phrase."""

    def __init__(
        self,
        rows: NDArray[np.int32],
        weights: NDArray[np.float64],
        topics: NDArray[np.float64],
    ) -> None: ...

def map_phrases(
    similarity: WordSimilarity,
    sentences: Sentences,
    hypotheses: Side,
    references: Side,
    theta: float,
    threads: int,
    maps: bool,
) -> tuple[
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
]:
    """Sums (pairs, 4) and counts (pairs, 2), then the maps: offsets, references, hypotheses, similarities."""
