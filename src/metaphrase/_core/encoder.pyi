"""Vectors of words in context; see src/core/encoder/bind_encoder.cpp.

Call these through metaphrase.trained.encoder and metaphrase.learning.encoder_file.
"""

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, Int32Array, Int64Array

class Encoder:
    """A memory-mapped file; an unusable one is an ``OSError`` or a ``ValueError``."""

    def __init__(self, path: bytes) -> None: ...
    @property
    def shape(self) -> tuple[int, int, int, int, int, int, int]:
        """Width, layers, heads, inner width, distance, size and dimension."""
    @property
    def fingerprint(self) -> int: ...
    @property
    def vectors(self) -> str:
        """The fingerprint of the word vectors that it was trained with."""
    @property
    def licence(self) -> str: ...
    @property
    def about(self) -> str: ...
    def encode(
        self,
        *,
        words: list[str],
        vectors: NDArray[np.float32],
        cases: NDArray[np.uint8],
        offsets: Int64Array,
        types: Int32Array,
        threads: int,
        registers: int = 512,
    ) -> tuple[NDArray[np.float32], FloatArray, FloatArray]:
        """A vector, an importance and an oddness for each word of the sentences.

        ``words`` are different ones in lower case. ``registers`` are bits, of which no more are used: with
        128 those that every processor has. No result depends on it.
        """

def file(content: bytes) -> bytes:
    """The content of an encoder with the head of its file."""

def possible(
    *, width: int, layers: int, heads: int, inner: int, distance: int, size: int, dimension: int
) -> bool:
    """Whether the kernels can compute with these sizes."""
