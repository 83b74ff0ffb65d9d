"""Aligned pairs of texts side by side, and changes of meaning in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metaphrase.analysis import Batch
from metaphrase.arrays import BoolArray, FloatArray, Int32Array
from metaphrase.matching.word_alignment import KINDS, WordAlignments

#: How words may be aligned that still are opposites: by paraphrases and vectors, not by being the same.
_SURE = frozenset(KINDS.index(kind) for kind in ("identical", "contraction", "lemma", "stem"))


@dataclass(frozen=True, slots=True)
class Shift:
    """A change of meaning in one pair of texts: its kind, its weight, and tokens of both sides."""

    pair: int
    kind: str
    amount: float
    hypothesis: tuple[int, ...] = ()
    reference: tuple[int, ...] = ()


class Pairs:
    """Pairs of texts side by side: each token of each side with its place in the batch and its partner.

    ``partner`` has the place of the aligned token in the batch, or -1.
    """

    def __init__(self, found: WordAlignments, batch: Batch, rows: tuple[Int32Array, Int32Array]):
        count = len(rows[0])
        pair = np.repeat(np.arange(count), np.diff(found.pair_offsets))
        self.first = [batch.offsets[row] for row in rows]
        lengths = [
            batch.offsets[row + 1] - first for row, first in zip(rows, self.first, strict=True)
        ]
        self.start = [np.concatenate([[0], np.cumsum(length)]) for length in lengths]
        self.pair = [np.repeat(np.arange(count), length) for length in lengths]
        self.token = [
            np.arange(start[-1]) + np.repeat(first - start[:-1], length)
            for start, first, length in zip(self.start, self.first, lengths, strict=True)
        ]
        slots = [
            start[pair] + at
            for start, at in zip(self.start, (found.left, found.right), strict=True)
        ]
        self.partner = [np.full(start[-1], -1) for start in self.start]
        self.sure = [np.zeros(start[-1], dtype=np.bool_) for start in self.start]
        known = np.isin(found.kind, list(_SURE))
        for side in (0, 1):
            self.partner[side][slots[side]] = self.token[1 - side][slots[1 - side]]
            self.sure[side][slots[side]] = known

    def here(self, side: int, pair: int) -> slice:
        """The tokens of one text."""
        return slice(self.start[side][pair], self.start[side][pair + 1])

    def partner_of(self, side: int, pair: int, token: int) -> int:
        """The place in the batch of what a token of the batch is aligned with in this pair, or -1."""
        if token < 0:
            return -1
        return int(self.partner[side][self.start[side][pair] + token - self.first[side][pair]])

    def sums(self, side: int, amounts: FloatArray | BoolArray) -> FloatArray:
        """The sum over the tokens of each text."""
        return np.bincount(self.pair[side], amounts, len(self.first[side])).astype(np.float64)


def _local(pairs: Pairs, side: int, pair: int, tokens: list[int]) -> tuple[int, ...]:
    return tuple(token - int(pairs.first[side][pair]) for token in tokens)


def shift_of(
    pairs: Pairs, pair: int, kind: str, amount: float, sides: tuple[list[int], list[int]]
) -> Shift:
    """A change of meaning with the tokens of both sides."""
    return Shift(pair, kind, amount, *(_local(pairs, side, pair, sides[side]) for side in (0, 1)))
