"""The covering program; see src/core/covering/bind_covering.cpp. Call it through metaphrase.matching."""

import numpy as np
from numpy.typing import NDArray

class SpanLexicon:
    """Sets of words."""

    @property
    def layers(self) -> list[float]:
        """What each layer counts for; layer 0 has the similarity 1."""

def make_lexicon(
    characters: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    set_offsets: NDArray[np.int64],
    sets: NDArray[np.int32],
    similarities: NDArray[np.float64],
) -> SpanLexicon:
    """Sets of words, the most similar first."""

class Sentences:
    """Sentences whose every number has been checked."""

    def __init__(
        self,
        offsets: NDArray[np.int64],
        tokens: NDArray[np.int32],
        characters: NDArray[np.uint32],
        character_offsets: NDArray[np.int64],
        token_weights: NDArray[np.float64],
    ) -> None: ...

def cover(
    lexicon: SpanLexicon,
    sentences: Sentences,
    hypothesis_rows: NDArray[np.int32],
    reference_rows: NDArray[np.int32],
    order: int,
    released: bool,
    threads: int,
) -> NDArray[np.float64]:
    """Covered and total weights of pairs, (pairs, 5)."""

def trace(
    lexicon: SpanLexicon,
    sentences: Sentences,
    hypothesis_rows: NDArray[np.int32],
    reference_rows: NDArray[np.int32],
    order: int,
    released: bool,
    layer: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """Matching spans of one pair, and how much the spans of either side are matched and covered."""
