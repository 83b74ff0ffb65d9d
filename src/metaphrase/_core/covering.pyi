"""The covering program; see src/core/covering/bind_covering.cpp. Call it through metaphrase.matching."""

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, Int32Array, Int64Array

class SpanLexicon:
    """Sets of words."""

    @property
    def layers(self) -> list[float]:
        """What each layer counts for; layer 0 has the similarity 1."""

def make_lexicon(
    characters: NDArray[np.uint32],
    offsets: Int64Array,
    set_offsets: Int64Array,
    sets: Int32Array,
    similarities: FloatArray,
) -> SpanLexicon:
    """Sets of words, the most similar first."""

class Sentences:
    """Sentences whose every number has been checked."""

    def __init__(
        self,
        offsets: Int64Array,
        tokens: Int32Array,
        characters: NDArray[np.uint32],
        character_offsets: Int64Array,
        token_weights: FloatArray,
    ) -> None: ...

def cover(
    lexicon: SpanLexicon,
    sentences: Sentences,
    hypothesis_rows: Int32Array,
    reference_rows: Int32Array,
    order: int,
    released: bool,
    threads: int,
) -> FloatArray:
    """Covered and total weights of pairs, (pairs, 5)."""

def trace(
    lexicon: SpanLexicon,
    sentences: Sentences,
    hypothesis_rows: Int32Array,
    reference_rows: Int32Array,
    order: int,
    released: bool,
    layer: int,
) -> tuple[Int32Array, FloatArray, FloatArray]:
    """Matching spans of one pair, and how much the spans of either side are matched and covered."""
