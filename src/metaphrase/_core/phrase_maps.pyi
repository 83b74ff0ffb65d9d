"""Similarities of phrases and the best one-to-one maps between them.

See src/core/phrase_maps/bind_phrase_maps.cpp. Call them through metaphrase.matching.phrase_maps.
"""

from metaphrase.arrays import FloatArray, Int32Array, Int64Array

class WordSimilarity:
    """Words of a vocabulary by their numbers."""

    def __init__(
        self,
        lemmas: Int32Array,
        stems: Int32Array,
        offsets: Int64Array,
        subsumers: Int32Array,
        least: FloatArray,
        contents: FloatArray,
    ) -> None: ...
    def __len__(self) -> int: ...
    def matrix(self, words: Int32Array, others: Int32Array) -> FloatArray: ...

def lexicographic_maps(stack: FloatArray) -> Int32Array:
    """The column of each row, or -1, for each matrix of a stack."""

class Sentences:
    """Words of phrases of sentences; :func:`map_phrases` checks them."""

    def __init__(self, offsets: Int64Array, phrases: Int64Array, words: Int32Array) -> None: ...

class Side:
    """One side of all pairs: rows, and weights and cosines phrase by phrase."""

    def __init__(self, rows: Int32Array, weights: FloatArray, topics: FloatArray) -> None: ...

def map_phrases(
    similarity: WordSimilarity,
    sentences: Sentences,
    hypotheses: Side,
    references: Side,
    theta: float,
    threads: int,
    maps: bool,
) -> tuple[FloatArray, Int32Array, Int64Array, Int32Array, Int32Array, FloatArray]:
    """Sums (pairs, 4) and counts (pairs, 2), then the maps: offsets, references, hypotheses, similarities."""
