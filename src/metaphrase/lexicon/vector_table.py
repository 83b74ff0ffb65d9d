"""The file in which vectors are kept: opened in milliseconds, and read only where words are looked up.

A word is found by its hash (64 bits of BLAKE2b, sorted), which gives its row. Rows are 32-bit floats,
or 8-bit integers that stand for the vector of length 1 in their direction. Opening checks everything
but the rows, which are checked by blocks, each when it is first read; the digest that opening checks
covers the checksums of the blocks, and is thus one of the whole content.

In order, little-endian: magic, digest of all up to the rows, the numbers of words and dimensions and
the size of a cell, the hashes, their rows, the checksums (CRC-32), zeros up to a multiple of 64, rows.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from metaphrase.arrays import Int64Array
from metaphrase.errors import ResourceError

Matrix = npt.NDArray[np.float32]

_MAGIC = b"MPVEC\r\n\x01"
_DIGEST = 16
_SIZES = struct.Struct("<QQQ")
_HEAD = len(_MAGIC) + _DIGEST + _SIZES.size
_ALIGNMENT = 64
_ROWS_PER_BLOCK = 256
_CELLS: dict[int, np.dtype[Any]] = {1: np.dtype("<i1"), 4: np.dtype("<f4")}
_LARGEST = 127
_HINT = "Reinstall metaphrase, or write the file again."


class VectorTable:
    """Rows of numbers by word; raises ``ResourceError`` where they are not as they were written."""

    def __init__(self, content: bytes | mmap.mmap, path: Path | None = None) -> None:
        """``content`` is a file's, usually memory-mapped; ``path`` is for messages."""
        self._path = path
        view = memoryview(content)
        if len(view) < _HEAD or view[: len(_MAGIC)] != _MAGIC:
            raise self._damage("it is something else, or of another version")
        count, dimension, cell = _SIZES.unpack_from(view, _HEAD - _SIZES.size)
        blocks = -(-count // _ROWS_PER_BLOCK)
        ends = list(accumulate((8 * count, 4 * count, 4 * blocks), initial=_HEAD))
        first = _aligned(ends[-1])
        if (
            not count
            or not dimension
            or cell not in _CELLS
            or first + count * dimension * cell != len(view)
        ):
            raise self._damage("it does not have the size that it states")
        self.digest = bytes(view[len(_MAGIC) : len(_MAGIC) + _DIGEST])
        if _digest(view[len(_MAGIC) + _DIGEST : first]) != self.digest:
            raise self._damage("it does not have the digest that it states")
        self.dimension: int = dimension
        hashes, places, checksums = (view[start:end] for start, end in pairwise(ends))
        self._hashes: npt.NDArray[Any] = np.frombuffer(hashes, "<u8")
        self._places: npt.NDArray[Any] = np.frombuffer(places, "<u4")
        self._checksums: npt.NDArray[Any] = np.frombuffer(checksums, "<u4")
        self._rows = np.frombuffer(view[first:], _CELLS[cell]).reshape(count, dimension)
        self._sound = np.zeros(blocks, dtype=np.bool_)
        if self._places.max() >= count:
            raise self._damage("it has words without a vector")

    @classmethod
    def open(cls, path: Path, *, whole: bool = False) -> VectorTable:
        """Map a file into memory, where it stays when it is unlinked; ``whole`` checks every row now."""
        # Asked first because opening a pipe would wait for its writer.
        if not path.is_file():
            raise ResourceError("MP366", "There are no compiled vectors.", path=path, hint=_HINT)
        try:
            with path.open("rb") as stream:
                content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:  # an empty file cannot be mapped
            raise ResourceError(
                "MP366", f"Compiled vectors cannot be read: {error}.", path=path, hint=_HINT
            ) from error
        table = cls(content, path)
        if whole:
            table._check(np.arange(len(table._sound)))
        return table

    def __len__(self) -> int:
        return len(self._hashes)

    def find(self, words: Sequence[str]) -> Int64Array:
        """The row of each word, −1 if there is none."""
        wanted = _hashes(words)
        # Beyond the last one there is no hash to compare with.
        at = np.minimum(np.searchsorted(self._hashes, wanted), len(self) - 1)
        return np.where(self._hashes[at] == wanted, self._places[at].astype(np.int64), -1)

    def rows(self, numbers: Int64Array) -> Matrix:
        """The vectors of these rows."""
        self._check(np.unique(numbers // _ROWS_PER_BLOCK))
        rows = self._rows[numbers]
        found = np.asarray(rows, np.float32)
        if rows.dtype == np.int8:
            # Squares of integers have an exact sum: the same numbers on every machine.
            squares = np.einsum("ij,ij->i", found, found, dtype=np.float64)
            found /= np.sqrt(np.maximum(squares, 1.0)).astype(np.float32)[:, None]
        return found

    def _check(self, blocks: Int64Array) -> None:
        for block in blocks[~self._sound[blocks]].tolist():
            if _checksum(self._rows, block) != self._checksums[block]:
                raise self._damage("vectors do not have the checksum that was written with them")
            self._sound[block] = True

    def _damage(self, what: str) -> ResourceError:
        return ResourceError(
            "MP366", f"Compiled vectors are damaged: {what}.", path=self._path, hint=_HINT
        )


def write_table(
    words: Sequence[str], matrix: Matrix | npt.NDArray[np.int8], stream: BinaryIO
) -> None:
    """A table of floating-point or :func:`quantised` rows; of a word that comes twice the first row stays."""
    firsts: dict[str, int] = {}
    for row, word in enumerate(words):
        firsts.setdefault(word, row)
    kept = matrix if len(firsts) == len(words) else matrix[list(firsts.values())]
    rows = np.ascontiguousarray(kept, _CELLS[matrix.dtype.itemsize])
    hashes = _hashes(list(firsts))
    order = np.argsort(hashes)
    if (np.diff(hashes[order]) == 0).any():
        raise ValueError("two words have the same hash")
    blocks = range(-(-len(rows) // _ROWS_PER_BLOCK))
    head = b"".join(
        [
            _SIZES.pack(*rows.shape, rows.itemsize),
            hashes[order].tobytes(),
            order.astype("<u4").tobytes(),
            np.array([_checksum(rows, block) for block in blocks], "<u4").tobytes(),
        ]
    )
    size = len(_MAGIC) + _DIGEST + len(head)
    head += bytes(_aligned(size) - size)
    for part in (_MAGIC, _digest(head), head, rows.data):
        stream.write(part)


def quantised(matrix: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.int8]:
    """Rows as 8-bit integers of the same direction, the largest of each 127."""
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    return np.rint(matrix * (_LARGEST / np.where(largest > 0, largest, 1.0))).astype(np.int8)


def _hashes(words: Sequence[str]) -> npt.NDArray[Any]:
    # Text that was decoded with errors may hold lone surrogates.
    digests = (
        blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words
    )
    return np.frombuffer(b"".join(digests), "<u8")


def _checksum(rows: npt.NDArray[Any], block: int) -> int:
    return zlib.crc32(rows[block * _ROWS_PER_BLOCK : (block + 1) * _ROWS_PER_BLOCK].data)


def _digest(content: bytes | memoryview) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
