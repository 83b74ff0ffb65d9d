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

def map_phrases(
    similarity: WordSimilarity,
    sentences: NDArray[np.int64],
    phrases: NDArray[np.int64],
    words: NDArray[np.int32],
    hypotheses: NDArray[np.int32],
    references: NDArray[np.int32],
    hypothesis_weights: NDArray[np.float64],
    reference_weights: NDArray[np.float64],
    hypothesis_topics: NDArray[np.float64],
    reference_topics: NDArray[np.float64],
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
