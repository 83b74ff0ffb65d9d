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

most_ties: int
"""So many maps that tie are counted."""

most_phrases: int
"""Of either side, up to which maps with the fewest blocks are sought and ties are counted."""

def maximum_maps(stack: FloatArray, fewest_blocks: bool) -> tuple[Int32Array, Int32Array]:
    """The column of each row, or -1, for each matrix of a stack; and about each map two numbers.

    They are 1 if the map surely has the fewest blocks, or need not; and how many maps tie, if it shall.
    """

class MapRule:
    """Which of the maps with the greatest sum, and whether to count them."""

    def __init__(self, fewest_blocks: bool, count_ties: bool) -> None: ...

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
    rule: MapRule,
) -> tuple[FloatArray, Int32Array, Int64Array, Int32Array, Int32Array, FloatArray]:
    """Sums (pairs, 4) and counts (pairs, 6), then the maps: offsets, references, hypotheses, similarities.

    The counts are pairs, blocks, and if the rule asks for them maps that tie, blocks of the first of these
    and of that with the fewest, and 1 if there surely are no fewer.
    """
