"""Vectors of word pieces in context; see src/core/encoder/bind_pretrained.cpp.

Call these through metaphrase.trained.pretrained_encoder, and through metaphrase.learning.pretrained_file,
which writes the file.
"""

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import Int32Array, Int64Array

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
