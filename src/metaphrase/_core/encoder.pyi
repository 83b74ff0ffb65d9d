"""Vectors of words in context; see src/core/encoder/bind_encoder.cpp and bind_pretrained.cpp.

Call these through metaphrase.trained.encoder and pretrained_encoder, and through the modules of
metaphrase.learning that write their files.
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

class PretrainedEncoder:
    """A memory-mapped file; an unusable one is an ``OSError`` or a ``ValueError``."""

    def __init__(self, path: bytes) -> None: ...
    @property
    def shape(self) -> tuple[int, int, int, int, int, int, int, int]:
        """Width, layers, heads, inner width, positions; the pieces unknown, begin and end."""
    @property
    def fingerprint(self) -> int: ...
    @property
    def licence(self) -> str: ...
    @property
    def about(self) -> str: ...
    def cut(
        self, *, texts: list[str], threads: int
    ) -> tuple[Int64Array, Int32Array, Int32Array, Int32Array]:
        """Offsets of texts, their pieces, and the characters from which to which each was read.

        A lone surrogate is a ``UnicodeEncodeError``.
        """
    def encode(
        self,
        *,
        offsets: Int64Array,
        pieces: Int32Array,
        layers: Int32Array,
        threads: int,
        registers: int = 512,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """A vector for each layer and piece, and one for each text.

        ``layers`` rise and count from 1. ``registers`` are bits, of which no more are used: with 128 those
        that every processor has. No result depends on it.
        """

def pretrained_file(content: bytes) -> bytes:
    """The content of a pretrained encoder with the head of its file."""

def computable(*, width: int, layers: int, heads: int, inner: int, positions: int) -> bool:
    """Whether the kernels can compute with these sizes of a pretrained encoder."""
