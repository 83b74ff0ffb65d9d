"""Word alignments of parallel text, phrases and paraphrases; see src/core/phrases/bind_phrases.cpp.

Call these through metaphrase.learning and metaphrase.lexicon.
"""

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, Int32Array, Int64Array, Uint8Array

class WordAligner:
    """Trains both directions at once; a sentence pair of more than 2^24 word pairs is refused."""

    def __init__(
        self,
        *,
        source_offsets: Int64Array,
        source: Int32Array,
        target_offsets: Int64Array,
        target: Int32Array,
        null_probability: float,
        concentration: float,
        tension: float,
    ) -> None: ...
    def iterate(self, threads: int) -> None: ...
    def links(self) -> tuple[Int32Array, Int32Array]:
        """The target word of each source word and the source word of each target word, -1 for none."""

def symmetrise(
    *,
    source_offsets: Int64Array,
    target_of: Int32Array,
    target_offsets: Int64Array,
    source_of: Int32Array,
    method: str,
) -> tuple[Int64Array, Int32Array, Int32Array]:
    """Offsets of links by sentence pair, and their two ends."""

class PhraseCounter:
    """Counts consistent phrase pairs, at most ``limit`` different ones after each merge."""

    def __init__(self, *, most_source_words: int, most_target_words: int, limit: int) -> None: ...
    def add(
        self,
        *,
        source_offsets: Int64Array,
        source: Int32Array,
        target_offsets: Int64Array,
        target: Int32Array,
        link_offsets: Int64Array,
        link_sources: Int32Array,
        link_targets: Int32Array,
    ) -> None: ...
    def table(
        self, least_count: int
    ) -> tuple[
        Int32Array,
        Int32Array,
        Int64Array,
        tuple[Int64Array, Int32Array, Int64Array],
        tuple[Int64Array, Int32Array, Int64Array],
        int,
    ]:
        """Pairs and their counts; of each side offsets, words and totals of its phrases; what was lost."""

def pivot(
    *,
    pairs: tuple[Int32Array, Int32Array, Int64Array],
    phrase_totals: Int64Array,
    pivot_totals: Int64Array,
    wanted: Uint8Array,
    least_translation: float,
    least_paraphrase: float,
    threads: int,
) -> tuple[Int32Array, Int32Array, FloatArray, Int32Array]:
    """Phrase, paraphrase, probability and number of shared pivots, from phrases, pivots and counts."""

class ParaphraseTableWriter:
    """Collects directed pairs; the file is the same whatever their order."""

    def __init__(self) -> None: ...
    def add(
        self, phrases: list[str], paraphrases: list[str], probabilities: NDArray[np.float32]
    ) -> None: ...
    def file(self) -> bytes: ...

class ParaphraseTable:
    """A compiled table, memory-mapped; an unusable file is an ``OSError`` or a ``ValueError``."""

    def __init__(self, path: bytes) -> None: ...
    @property
    def phrase_count(self) -> int: ...
    @property
    def pair_count(self) -> int: ...
    @property
    def fingerprint(self) -> int: ...
    def phrase(self, index: int) -> str: ...
    def lookup(self, phrase: str) -> list[tuple[str, float]]: ...
    def graph(
        self, words: tuple[str, ...]
    ) -> tuple[Int64Array, Int32Array, NDArray[np.float32]]: ...
