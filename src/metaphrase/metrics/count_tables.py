"""Tables of texts for metrics that are made of counts of n-grams: BLEU, chrF and NIST.

n-grams are counted once in each text, and pairs are compared by rows of bits
(:mod:`metaphrase.matching.ngram_items`). The statistics of a candidate with many references are the sum of
those with each; they, too, are computed without looking at pairs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.matching.ngram_items import NgramItems
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics.text_table import TextTable

#: Pairs whose statistics are there at once.
_PAIRS = 1 << 15


@dataclass(frozen=True, slots=True)
class Side:
    """Texts, or sums of texts times their weights: how many there are, and what they have."""

    texts: Any
    #: Symbols.
    length: FloatArray
    #: By order, n-grams, and texts that have one.
    ngrams: FloatArray
    having: FloatArray

    @classmethod
    def of(cls, rows: SymbolRows, orders: int) -> Side:
        """Each text by itself."""
        length = rows.lengths.astype(np.float64)
        ngrams = np.maximum(length[:, None] - np.arange(orders), 0.0)
        return cls(1.0, length, ngrams, (ngrams > 0).astype(np.float64))

    def __getitem__(self, index: Any) -> Side:
        return Side(self.texts, self.length[index], self.ngrams[index], self.having[index])

    def summed(self, weights: FloatArray) -> Side:
        """The sum of all texts."""
        sums = (weights @ column for column in (self.length, self.ngrams, self.having))
        return Side(weights.sum(), *sums)


class CountTable(TextTable):
    """A table of texts whose statistics are columns of counts; sub-classes say of what."""

    @abstractmethod
    def kinds(self, texts: Sequence[str]) -> Sequence[tuple[SymbolRows, int]]:
        """The texts as symbols, of each kind that is counted, and the longest n-grams of it."""

    @abstractmethod
    def columns(self, own: Side, other: Side, matches: FloatArray) -> Sequence[FloatArray]:
        """Statistics of candidates with references, and their n-grams in common: (…, columns) each."""

    def values(self, rows: SymbolRows, references: Int32Array, orders: int) -> FloatArray | None:
        """What a match of each n-gram counts for, if not 1; see :meth:`NgramItems.expected`."""
        return None

    def matrices(self, sides: Sequence[tuple[Int32Array, Int32Array]]) -> Iterator[FloatArray]:
        """Of each pair of candidates and references, by rows, the scores of each with each."""
        for candidates, references in sides:
            kinds, own, other = self._chosen(candidates, references)
            counted = [(NgramItems(rows, orders=n), Side.of(rows, n)) for rows, n in kinds]
            block = max(_PAIRS // max(len(other), 1), 1)
            found = [np.empty((0, len(other)))]
            for start in range(0, len(own), block):
                some = own[start : start + block]
                columns: list[FloatArray] = []
                for items, side in counted:
                    matches = items.matches(some, other, threads=self.threads).astype(np.float64)
                    columns += self.columns(side[some][:, None], side[other][None], matches)
                found.append(self.metric.segment_score(_joined(columns, matches.shape[:2])))
            yield np.concatenate(found)

    def summed(
        self, candidates: Int32Array, references: Int32Array, weights: FloatArray
    ) -> FloatArray:
        """The statistics of each candidate with every reference, times its weight, added up."""
        kinds, own, other = self._chosen(candidates, references)
        columns: list[FloatArray] = []
        for rows, orders in kinds:
            items, side = NgramItems(rows, orders=orders), Side.of(rows, orders)
            values = self.values(rows, other, orders)
            matches = items.expected(own, other, weights, values=values)
            columns += self.columns(side[own], side[other].summed(weights), matches)
        return _joined(columns, (len(own),))

    def _chosen(
        self, candidates: Int32Array, references: Int32Array
    ) -> tuple[Sequence[tuple[SymbolRows, int]], Int32Array, Int32Array]:
        """These texts alone, since those of other sentences would only be in the way."""
        rows, places = np.unique(np.concatenate([candidates, references]), return_inverse=True)
        own, other = np.split(places.astype(np.int32), [len(candidates)])
        return self.kinds([self.texts[row] for row in rows.tolist()]), own, other


class WordCountTable(CountTable):
    """BLEU's columns: lengths of both sides, matches and n-grams of the candidate, by order."""

    def columns(self, own: Side, other: Side, matches: FloatArray) -> Sequence[FloatArray]:
        """One after the other."""
        lengths = own.length * other.texts, other.length
        return [*(length[..., None] for length in lengths), matches, own.ngrams * other.texts]


class CharacterCountTable(CountTable):
    """chrF's columns: by order n-grams of both sides and matches."""

    def columns(self, own: Side, other: Side, matches: FloatArray) -> Sequence[FloatArray]:
        """The candidate's count for nothing where the reference has none."""
        counts = np.broadcast_arrays(own.ngrams * other.having, other.ngrams, matches)
        return [np.stack(counts, axis=-1).reshape(*matches.shape[:-1], 3 * matches.shape[-1])]


def _joined(columns: Sequence[FloatArray], shape: tuple[int, ...]) -> FloatArray:
    """Columns side by side, each of them as often as the others need it."""
    if len(columns) == 1:
        return columns[0]
    whole = [np.broadcast_to(column, (*shape, column.shape[-1])) for column in columns]
    return np.concatenate(whole, axis=-1)
