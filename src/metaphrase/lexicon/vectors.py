"""Word vectors: rows of a memory-mapped table, found by word.

Words are looked up as they are written and, if that fails, in lower case: most collections are in
lower case, and those that are not keep both forms. Of a word that a file has twice the first vector
counts, since files are sorted by frequency.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from importlib import import_module
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from metaphrase.arrays import Int64Array
from metaphrase.errors import ResourceError
from metaphrase.extras import not_installed
from metaphrase.lexicon.compilation import compiled
from metaphrase.lexicon.vector_files import read_vectors
from metaphrase.lexicon.vector_table import VectorTable, write_table
from metaphrase.shipped import shipped_file

Matrix = npt.NDArray[np.float32]

SHIPPED = shipped_file("glove-en.bin")
#: To be raised whenever a reader or the compiled form changes, so that caches are not used again.
_VERSION = 2


class WordVectors:
    """Words and their vectors; any number of threads may share them."""

    def __init__(self, table: VectorTable, *, name: str, origin: tuple[object, ...]) -> None:
        """``origin`` is a function, and its arguments, that opens the same vectors elsewhere."""
        self.name = name
        self._table = table
        self._origin = origin

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> WordVectors:
        """From a file that :func:`~metaphrase.lexicon.vector_table.write_table` wrote."""
        source = Path(path)
        table = VectorTable.open(source)
        return cls(table, name=source.stem, origin=(WordVectors.open, (str(source),)))

    @staticmethod
    @cache
    def default() -> WordVectors:
        """The English vectors that ship with the package, opened once per process."""
        return WordVectors.open(SHIPPED)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> WordVectors:
        """From word2vec's text or binary form, or ``.npy`` with words in ``.txt``; compiled on first use."""
        source = Path(path)
        table = compiled(
            source,
            form=f"vectors-{_VERSION}{_words_digest(source)}",
            compile_to=lambda stream: write_table(*read_vectors(source), stream),
            opened=lambda target: VectorTable.open(target, whole=True),
        )
        return cls(table, name=source.name, origin=(WordVectors.read, (str(source),)))

    @classmethod
    def from_spacy(cls, pipeline: str) -> WordVectors:
        """The vectors of an installed spaCy pipeline."""
        try:
            nlp = import_module("spacy").load(pipeline)
        except ImportError:
            raise not_installed("spaCy is not installed.", "vectors") from None
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else "unknown reason"
            raise ResourceError(
                "MP264",
                f"The spaCy pipeline {pipeline!r} cannot be loaded: {reason}",
                hint="Install it, or check its name.",
            ) from error
        vectors = nlp.vocab.vectors
        # Several words may share a row, and spaCy has no order among them.
        rows = sorted(
            (row, nlp.vocab.strings[key]) for key, row in vectors.key2row.items() if row >= 0
        )
        if not rows or not vectors.data.size:
            raise ResourceError(
                "MP365",
                f"The spaCy pipeline {pipeline!r} has no vectors.",
                hint="Choose a larger one: those in _sm have none.",
            )
        matrix = np.asarray(vectors.data, dtype=np.float32)[[row for row, _ in rows]]
        content = BytesIO()
        write_table([word for _, word in rows], matrix, content)
        return cls(
            VectorTable(content.getvalue()),
            name=pipeline,
            origin=(WordVectors.from_spacy, (pipeline,)),
        )

    def __reduce__(self) -> tuple[object, ...]:
        return self._origin

    def __repr__(self) -> str:
        return f"<WordVectors {self.name}: {len(self)} words, {self.dimension} dimensions>"

    def __len__(self) -> int:
        return len(self._table)

    def __contains__(self, word: str) -> bool:
        return bool(self.ranks([word])[0] >= 0)

    @property
    def fingerprint(self) -> str:
        """The first 12 hexadecimal digits of the content's digest."""
        return self._table.digest.hex()[:12]

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._table.dimension

    def ranks(self, words: Sequence[str]) -> Int64Array:
        """The place of each word in the collection, 0 for the first (most frequent), −1 if it is unknown."""
        found = self._table.find(words)
        again = np.flatnonzero(found < 0)
        found[again] = self._table.find([words[i].lower() for i in again.tolist()])
        return found

    def vectors(self, words: Sequence[str]) -> Matrix:
        """A row for each word; all zeros if the word is unknown."""
        ranks = self.ranks(words)
        found = np.zeros((len(words), self.dimension), dtype=np.float32)
        known = ranks >= 0
        found[known] = self._table.rows(ranks[known])
        return found


class NoVectors:
    """No word has a vector: rows without a cell, all products of which are 0."""

    name = "none"
    fingerprint = "0" * 12

    def vectors(self, words: Sequence[str]) -> Matrix:
        """A row of no numbers for each word."""
        return np.zeros((len(words), 0), dtype=np.float32)

    def ranks(self, words: Sequence[str]) -> Int64Array:
        """All are unknown."""
        return np.full(len(words), -1, dtype=np.int64)


def _words_digest(path: Path) -> str:
    """Of the word list beside a matrix, which is as much its content as the matrix."""
    if path.suffix != ".npy":
        return ""
    try:
        words = path.with_suffix(".txt").read_bytes()
    except OSError:
        return ""  # reading it will say what is wrong
    return f"-{blake2b(words, digest_size=8).hexdigest()}"
