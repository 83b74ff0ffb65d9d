"""Language models of n-grams, estimated from counts; see src/core/language_models/bind_language_models.cpp.

Call these through metaphrase.learning.
"""

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, Int32Array, Int64Array

class NgramModel:
    """All n-grams with their probabilities, in memory."""

    @staticmethod
    def estimate(
        *,
        offsets: Int64Array,
        words: Int32Array,
        vocabulary: list[str],
        order: int,
        cut_offs: list[int],
    ) -> NgramModel:
        """Modified Kneser-Ney; words of the text are indices into ``vocabulary``."""
    @property
    def counts(self) -> list[int]: ...
    @property
    def discounts(self) -> list[tuple[float, float, float, bool]]:
        """For each order those of counts 1, 2 and more, and whether they were estimated."""
    @property
    def unknown(self) -> int:
        """How many words of the text were read as unknown."""
    @property
    def vocabulary(self) -> list[str]: ...
    def level(
        self, order: int
    ) -> tuple[NDArray[np.uint32], FloatArray, FloatArray, NDArray[np.uint32]]:
        """Last words, logarithms of probabilities and back-offs, and where children start."""
    def arpa(self, order: int, first: int, count: int) -> bytes: ...
    def file(self, bits: int, about: str) -> bytes: ...

class ArpaReader:
    """Reads an ARPA file; a line that makes no sense is a ``ValueError``, and ``line`` its number."""

    def __init__(self) -> None: ...
    @property
    def line(self) -> int: ...
    def add(self, lines: list[str]) -> None: ...
    def take(self) -> NgramModel: ...

class LanguageModel:
    """A model to be asked, memory-mapped; an unusable file is an ``OSError`` or a ``ValueError``."""

    def __init__(self, path: bytes) -> None: ...
    @staticmethod
    def of(model: NgramModel, about: str) -> LanguageModel: ...
    @property
    def fingerprint(self) -> int: ...
    @property
    def about(self) -> bytes: ...
    @property
    def counts(self) -> list[int]: ...
    def numbers(self, words: list[str]) -> Int32Array:
        """The number of each word, 0 if it is unknown."""
    def score(self, *, offsets: Int64Array, words: Int32Array, threads: int) -> FloatArray: ...
    def word_scores(
        self, *, offsets: Int64Array, words: Int32Array, threads: int
    ) -> tuple[FloatArray, Int32Array]:
        """Of every word and, behind those of each sentence, its end: log10 and the order that has it."""
