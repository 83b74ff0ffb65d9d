"""Which language of the Latin script a text is in, by the frequencies of its letters and their neighbours.

The model is naive Bayes over letters and sequences of up to four of them, where a blank stands for all that
is no letter: a table of log-probabilities, one row for each hash of a sequence and one column for each
language, centred and rounded to 8 bits. Languages are compared by the means over the sequences of a segment.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metaphrase.analysis.languages.scripts import LATIN, script_numbers
from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import ResourceError
from metaphrase.shipped import shipped_file

_MODEL = shipped_file("language-characters.npz")
LONGEST = 4
_BLANK = ord(" ")
#: The first and the last mark that stands above or below the letter before it.
_MARKS = 0x300, 0x36F
#: FNV-1a, with letters for bytes.
_BASIS, _PRIME, _BITS = (np.uint64(number) for number in (0x811C9DC5, 0x01000193, 0xFFFFFFFF))


@dataclass(frozen=True, slots=True, eq=False)
class CharacterStatistics:
    """``weights`` is (hashes, languages); times ``scale`` they are log-probabilities, but for a constant."""

    languages: tuple[str, ...]
    weights: NDArray[np.int8]
    scale: float

    def fit(self, texts: Sequence[str]) -> FloatArray:
        """How well each language fits each text, in log-probability a letter; (texts, languages)."""
        hashes, rows = letter_sequences(texts, len(self.weights))
        letters = np.maximum(np.bincount(rows, minlength=len(texts)), 1) / LONGEST
        sums = [np.bincount(rows, column[hashes], len(texts)) for column in self.weights.T]
        return self.scale * np.stack(sums, axis=1) / letters[:, None]


def letter_sequences(texts: Sequence[str], size: int) -> tuple[Int64Array, Int64Array]:
    """Sequences of one to four letters as hashes below ``size``, and the row of the text that each is in."""
    letters, rows = _latin_letters(texts)
    hashed: NDArray[np.uint64] = np.full(len(letters), _BASIS, dtype=np.uint64)
    found, places = [], []
    for length in range(LONGEST):
        last = letters[length:]
        hashed = (hashed[: len(last)] ^ last) * _PRIME & _BITS
        within = rows[: len(last)] == rows[length:]
        found.append(((hashed ^ hashed >> np.uint64(15)) % np.uint64(size))[within])
        places.append(rows[length:][within])
    return np.concatenate(found).astype(np.int64), np.concatenate(places)


def _latin_letters(texts: Sequence[str]) -> tuple[NDArray[np.uint64], Int64Array]:
    """Small letters of the Latin script, with one blank for all that is between them, and their rows."""
    # A line feed on either side of each text.
    joined = "\n\n".join(text.replace("\n", " ") for text in texts)
    folded = unicodedata.normalize("NFC", f"\n{joined}\n".lower())
    points = np.frombuffer(folded.encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
    points = points[(points < _MARKS[0]) | (points > _MARKS[1])]
    rows = (np.cumsum(points == ord("\n")) - 1) // 2
    letters = np.where(script_numbers(points) == LATIN, points, _BLANK)
    again = (letters[1:] == _BLANK) & (letters[:-1] == _BLANK) & (rows[1:] == rows[:-1])
    kept = np.concatenate([[True], ~again])
    return letters[kept].astype(np.uint64), rows[kept]


def open_statistics(path: FilePath) -> CharacterStatistics:
    """The model in a file that ``training.language_check.train`` wrote."""
    try:
        with np.load(BytesIO(Path(path).read_bytes()), allow_pickle=False) as content:
            languages = tuple(content["languages"].tolist())
            weights, scale = content["weights"], float(content["scale"])
        if weights.dtype != np.int8 or weights.ndim != 2 or weights.shape[1] != len(languages):
            raise ValueError("its arrays do not fit together")
    except Exception as error:  # zip and numpy's header, which is Python, can fail in any way
        raise ResourceError(
            "MP240",
            "The character statistics of languages are missing or damaged.",
            path=path,
            hint="Install metaphrase again, or go on with --no-language-check.",
        ) from error
    return CharacterStatistics(languages, weights, scale)


@cache
def shipped() -> CharacterStatistics:
    """The model that comes with the package."""
    return open_statistics(_MODEL)
