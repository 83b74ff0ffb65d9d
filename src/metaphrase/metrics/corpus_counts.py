"""Counts of a whole corpus that pieces of it are scored with.

What is counted has a key of two numbers below p = 2⁶¹ − 1. Those of a text are its BLAKE2b hash, those of a
sequence key(all but the last)·m + key(last) modulo p, with another m for each of the two. Take the hashes and
m for random numbers. The keys of two sequences of at most n texts differ by Σ c(text)·key(text), where each c
is a polynomial in m of a degree below n and some c is not 0 everywhere. It is 0 at m in at most n − 1 of p
cases, and if it is not, the sum is 0 in one of p. So two sequences have the same key in at most (n/p)² of all
cases, and among 10¹² n-grams of up to five words there is such a pair with a probability below 3·10⁻¹².
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import BoolArray, Int64Array, one_line

#: A row of two numbers for each key.
Keys = NDArray[np.uint64]
_PRIME = np.uint64((1 << 61) - 1)


class UncountedError(Exception):
    """Something is scored that was never counted: the texts are not the same."""


def keys_of(texts: Iterable[str]) -> Keys:
    """The key of each text."""
    digests = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts
    )
    numbers = np.frombuffer(digests, dtype="<u8").astype(np.uint64).reshape(-1, 2)
    return np.asarray(numbers % _PRIME)


def followed(keys: Keys, last: Keys) -> Keys:
    """The keys of sequences that have one more text."""
    return _reduced(_times(keys, _FACTORS) + last)


@dataclass(frozen=True, slots=True, eq=False)
class CorpusCounts:
    """How often a part of a corpus has something; counts of several parts can be added.

    ``groups`` are keys of what each belongs to, if it matters how many different keys a group has.
    """

    keys: Keys
    counts: Int64Array
    groups: Keys | None = None

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.counts)

    @classmethod
    def nothing(cls) -> CorpusCounts:
        """Those of no text at all."""
        return cls(np.zeros((0, 2), dtype=np.uint64), np.zeros(0, dtype=np.int64))

    @classmethod
    def joined(cls, several: Sequence[CorpusCounts]) -> CorpusCounts:
        """All of them in one; a key may be there more than once."""
        grouped = any(one.groups is not None for one in several)
        return cls(
            np.concatenate([one.keys for one in several]),
            np.concatenate([one.counts for one in several]),
            np.concatenate([one.all_groups for one in several]) if grouped else None,
        )

    @property
    def all_groups(self) -> Keys:
        """The groups; whatever has none is its own."""
        return self.keys if self.groups is None else self.groups

    def apart(self, name: str) -> CorpusCounts:
        """The same for whoever has that name, so that nobody else's keys meet them."""
        salt = keys_of([name])
        groups = None if self.groups is None else self.groups ^ salt
        return CorpusCounts(self.keys ^ salt, self.counts, groups)

    def summed(self) -> CorpusCounts:
        """In the order of keys, and each key once."""
        order, first = _sorted(self.keys)
        if not len(order):
            return self
        starts = np.flatnonzero(first)
        chosen = order[starts]
        return CorpusCounts(
            self.keys[chosen],
            np.add.reduceat(self.counts[order], starts),
            None if self.groups is None else self.groups[chosen],
        )

    def totals(self) -> CorpusTotals:
        """For each row what its key and its group come to in all rows."""
        numbers, starts = _numbered(self.keys)
        sums = np.zeros(len(starts), dtype=np.int64)
        np.add.at(sums, numbers, self.counts)
        kinds = None
        if self.groups is not None:
            of_groups, _ = _numbered(self.groups[starts])
            kinds = np.bincount(of_groups)[of_groups][numbers].astype(np.int64)
        return CorpusTotals(self.keys, sums[numbers], kinds)


@dataclass(frozen=True, eq=False)
class CorpusTotals:
    """What keys come to in the whole corpus.

    ``kinds`` has for each key how many different ones its group has.
    """

    keys: Keys
    counts: Int64Array
    kinds: Int64Array | None = None
    #: Whose keys are looked up; see :meth:`CorpusCounts.apart`.
    name: str | None = None

    __repr__ = one_line

    def counts_of(self, keys: Keys) -> Int64Array:
        """How often the corpus has each."""
        return self.counts[self._places(keys)]

    def kinds_of(self, keys: Keys) -> Int64Array:
        """How many different keys the group of each has."""
        assert self.kinds is not None
        return self.kinds[self._places(keys)]

    def of(self, name: str) -> CorpusTotals:
        """The same for whoever has that name."""
        found = CorpusTotals(self.keys, self.counts, self.kinds, name)
        vars(found)["_sorted"] = self._sorted  # large, and the same for all
        return found

    @cached_property
    def _sorted(self) -> tuple[Int64Array, Keys, Keys]:
        order, _ = _sorted(self.keys)
        return order, self.keys[order, 0], self.keys[order, 1]

    def _places(self, wanted: Keys) -> Int64Array:
        """The row of each key; an ``UncountedError`` if there is none."""
        order, high, low = self._sorted
        if self.name is not None:
            wanted = wanted ^ keys_of([self.name])
        ranks = np.argsort(wanted[:, 0])  # neighbours are found in the same place of the cache
        sought = wanted[ranks]
        at = np.searchsorted(high, sought[:, 0])
        while True:
            if (at >= len(high)).any() or (high[at] != sought[:, 0]).any():
                raise UncountedError
            wrong = low[at] != sought[:, 1]
            if not wrong.any():
                break
            at[wrong] += 1
        found = np.empty_like(at)
        found[ranks] = order[at]
        return found


def _sorted(keys: Keys) -> tuple[Int64Array, BoolArray]:
    """The order of keys, and for each place in it whether another key begins there."""
    order = np.argsort(keys[:, 0])
    first, second = (_changes(keys[:, column][order]) for column in (0, 1))
    if (second > first).any():  # two keys that begin alike
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        first, second = (_changes(keys[:, column][order]) for column in (0, 1))
    return order, first | second


def _changes(numbers: NDArray[np.uint64]) -> BoolArray:
    changes = np.ones(len(numbers), dtype=np.bool_)
    changes[1:] = numbers[1:] != numbers[:-1]
    return changes


def _numbered(keys: Keys) -> tuple[Int64Array, Int64Array]:
    """A number for each key, from 0, the same for the same key; and a row that has each number."""
    order, first = _sorted(keys)
    numbers = np.empty(len(keys), dtype=np.int64)
    numbers[order] = np.cumsum(first) - 1
    return numbers, order[first]


def _times(one: Keys, other: Keys) -> Keys:
    """Products modulo p, of numbers below p: in halves, for 2⁶¹ is 1."""
    half, below, quarter = np.uint64(31), np.uint64((1 << 31) - 1), np.uint64(30)
    high, low = one >> half, one & below
    other_high, other_low = other >> half, other & below
    middle = high * other_low + low * other_high
    upper, lower = middle >> quarter, middle & np.uint64((1 << 30) - 1)
    return _reduced(high * other_high * np.uint64(2) + upper + (lower << half) + low * other_low)


def _reduced(numbers: Keys) -> Keys:
    folded = (numbers & _PRIME) + (numbers >> np.uint64(61))
    return np.asarray(np.where(folded >= _PRIME, folded - _PRIME, folded))


_FACTORS = keys_of(["metaphrase"])
