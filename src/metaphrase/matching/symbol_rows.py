"""Texts as kernels compare them: rows of numbers that stand for words or characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from metaphrase._core.ngrams import TokenisedTexts, WordNumbers
from metaphrase.arrays import Int32Array, Int64Array
from metaphrase.errors import InputError
from metaphrase.matching.checked_array import vector


@dataclass(frozen=True, slots=True, eq=False)
class SymbolRows:
    """Row i is ``symbols[offsets[i]:offsets[i + 1]]``."""

    symbols: Int32Array
    offsets: Int64Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", vector(self.symbols, np.int32, "symbols"))
        object.__setattr__(self, "offsets", vector(self.offsets, np.int64, "offsets"))

    @classmethod
    def of_words(cls, rows: Iterable[Sequence[str]], numbers: dict[str, int]) -> SymbolRows:
        """Number the words of ``rows``; a word that ``numbers`` lacks gets the next one."""
        ends = [0]
        words: list[int] = []
        for row in rows:
            words += [numbers.setdefault(word, len(numbers)) for word in row]
            ends.append(len(words))
        return cls(np.array(words, dtype=np.int32), np.array(ends, dtype=np.int64))

    @classmethod
    def of_tokenised(cls, texts: TokenisedTexts, numbers: WordNumbers) -> SymbolRows:
        """Number the words of ``texts``; one that ``numbers`` lacks gets the next number."""
        return cls(*numbers.rows(texts))

    @classmethod
    def of_characters(cls, texts: Sequence[str]) -> SymbolRows:
        """The characters of ``texts``, by their numbers in Unicode."""
        encoded = "".join(texts).encode("utf-32-le", "surrogatepass")
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        return cls(np.frombuffer(encoded, dtype="<i4"), ends)

    @property
    def lengths(self) -> Int64Array:
        """How many symbols each row has."""
        return np.diff(self.offsets)

    def take(self, rows: Int32Array) -> SymbolRows:
        """These rows, each as often as it is named."""
        ends = np.concatenate([[0], np.cumsum(self.lengths[rows])])
        # Rows are short and come often, so that joining them is cheaper than a place for each symbol.
        stored, starts = self.symbols.tobytes(), (self.offsets * self.symbols.itemsize).tolist()
        pieces = [stored[start:end] for start, end in pairwise(starts)]
        joined = b"".join(map(pieces.__getitem__, rows.tolist()))
        return SymbolRows(np.frombuffer(joined, dtype=np.int32), ends)

    def __len__(self) -> int:
        return max(len(self.offsets) - 1, 0)


def paired(
    hypotheses: SymbolRows, references: SymbolRows
) -> tuple[Int32Array, Int64Array, Int32Array, Int64Array]:
    """The arrays of both sides, which must have equally many rows, as kernels take them."""
    if len(hypotheses) != len(references):
        raise InputError(
            "MP406",
            f"{len(hypotheses)} hypotheses cannot be paired with {len(references)} references.",
        )
    return hypotheses.symbols, hypotheses.offsets, references.symbols, references.offsets
