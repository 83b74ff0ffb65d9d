"""Word vectors: rows of a memory-mapped matrix, found by word.

Words are looked up as they are written and, if that fails, in lower case: most collections are in
lower case, and those that are not keep both forms. Of a word that a file has twice the first vector
counts, since files are sorted by frequency.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from metaphrase.errors import ResourceError
from metaphrase.lexicon.compilation import compiled
from metaphrase.lexicon.vector_files import read_vectors

Matrix = npt.NDArray[np.float32]

#: To be raised whenever a reader or the compiled form changes, so that caches are not used again.
_VERSION = 1
#: Behind the matrix and the words: the size of the words in bytes, and a digest of both.
_SIZE, _DIGEST = 8, 16


class WordVectors:
    """Words and their vectors; any number of threads may share them."""

    def __init__(
        self, words: Sequence[str], matrix: Matrix, *, name: str, fingerprint: str
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._matrix = matrix
        self._rows: dict[str, int] = {}
        for row, word in enumerate(words):
            self._rows.setdefault(word, row)
        self._origin: tuple[Any, str] | None = None

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> WordVectors:
        """From word2vec's text or binary form, or ``.npy`` with words in ``.txt``; compiled on first use."""
        source = Path(path)
        vectors = compiled(
            source,
            form=f"vectors-{_VERSION}{_words_digest(source)}",
            compile_to=lambda stream: _write(*read_vectors(source), stream),
            opened=lambda target: _open(target, source.name),
        )
        vectors._origin = WordVectors.read, str(source)
        return vectors

    @classmethod
    def from_spacy(cls, pipeline: str) -> WordVectors:
        """The vectors of an installed spaCy pipeline."""
        try:
            nlp = import_module("spacy").load(pipeline)
        except ImportError:
            raise ResourceError(
                "MP365",
                "spaCy is not installed.",
                hint="Run pip install 'metaphrase[vectors]'.",
            ) from None
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else "unknown reason"
            raise ResourceError(
                "MP365",
                f"The spaCy pipeline {pipeline!r} cannot be loaded: {reason}",
                hint="Install it, or check its name.",
            ) from error
        table = nlp.vocab.vectors
        # Several words may share a row.
        words = sorted(
            (nlp.vocab.strings[key], row) for key, row in table.key2row.items() if row >= 0
        )
        matrix = np.ascontiguousarray(table.data, dtype=np.float32) if words else np.zeros((0, 0))
        if not matrix.size:
            raise ResourceError(
                "MP365",
                f"The spaCy pipeline {pipeline!r} has no vectors.",
                hint="Choose a larger one: those in _sm have none.",
            )
        rows = np.array([row for _, row in words])
        names = [word for word, _ in words]
        found = cls(
            names, matrix[rows], name=pipeline, fingerprint=_digest(names, matrix[rows]).hex()[:12]
        )
        found._origin = WordVectors.from_spacy, pipeline
        return found

    def __reduce__(self) -> tuple[object, ...]:
        if self._origin is None:
            raise TypeError("only vectors that were read from a file or from spaCy can be pickled")
        rebuild, argument = self._origin
        return rebuild, (argument,)

    def __repr__(self) -> str:
        return f"<WordVectors {self.name}: {len(self)} words, {self.dimension} dimensions>"

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, word: str) -> bool:
        return self._row(word) >= 0

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self._matrix.shape[1])

    def vectors(self, words: Sequence[str]) -> Matrix:
        """A row for each word; all zeros if the word is unknown."""
        rows = np.fromiter(map(self._row, words), np.int64, len(words))
        found = np.zeros((len(words), self.dimension), dtype=np.float32)
        known = rows >= 0
        found[known] = self._matrix[rows[known]]
        return found

    def _row(self, word: str) -> int:
        row = self._rows.get(word)
        return self._rows.get(word.lower(), -1) if row is None else row


class NoVectors:
    """No word has a vector: rows without a cell, all products of which are 0."""

    name = "none"
    fingerprint = "0" * 12

    def vectors(self, words: Sequence[str]) -> Matrix:
        """A row of no numbers for each word."""
        return np.zeros((len(words), 0), dtype=np.float32)


def _write(words: Sequence[str], matrix: Matrix, stream: BinaryIO) -> None:
    """The matrix as numpy writes it, then the words, one per line, their size, and a digest."""
    np.lib.format.write_array(stream, matrix, allow_pickle=False)
    listed = "\n".join(words).encode()
    stream.write(listed)
    stream.write(len(listed).to_bytes(_SIZE, "little"))
    stream.write(_digest(words, matrix))


def _open(path: Path, name: str) -> WordVectors:
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
        with path.open("rb") as stream:
            size = stream.seek(-_SIZE - _DIGEST, os.SEEK_END)
            trailer = stream.read()
            listed = int.from_bytes(trailer[:_SIZE], "little")
            stream.seek(size - listed)
            words = stream.read(listed).decode().split("\n")
        if matrix.ndim != 2 or matrix.dtype != np.float32 or len(words) != len(matrix):
            raise ValueError("words and matrix do not fit together")
        if _digest(words, matrix) != trailer[_SIZE:]:
            raise ValueError("the content does not have the digest that it states")
    except (OSError, ValueError, EOFError) as error:
        raise ResourceError(
            "MP366", f"Compiled vectors are damaged: {error}.", path=path
        ) from error
    return WordVectors(words, matrix, name=name, fingerprint=trailer[_SIZE:].hex()[:12])


def _digest(words: Sequence[str], matrix: Matrix) -> bytes:
    digest = blake2b(digest_size=_DIGEST)
    digest.update("\n".join(words).encode())
    digest.update(np.array(matrix.shape, dtype=np.int64).tobytes())
    for first in range(0, len(matrix), 1 << 16):  # a memory-mapped matrix is never whole in memory
        digest.update(matrix[first : first + (1 << 16)].tobytes())
    return digest.digest()


def _words_digest(path: Path) -> str:
    """Of the word list beside a matrix, which is as much its content as the matrix."""
    if path.suffix != ".npy":
        return ""
    try:
        words = path.with_suffix(".txt").read_bytes()
    except OSError:
        return ""  # reading it will say what is wrong
    return f"-{blake2b(words, digest_size=8).hexdigest()}"
