"""Systems that say nearly the same, which minimum Bayes risk would count as often as there are of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray, one_line
from metaphrase.errors import InputError, OptionError
from metaphrase.selection.candidates import Candidates
from metaphrase.selection.matrices import pairwise

#: Sentences that are looked at, and the mean chrF from which two systems are near copies of each other.
#: Different systems of WMT are some 50 to 75 apart, checkpoints of one training 90 and more.
MOST = 1000
LIMIT = 90.0


@dataclass(frozen=True, slots=True, eq=False)
class NearCopies:
    """Groups of systems, by their numbers from 0; most are alone in theirs.

    ``similarity`` is the mean chrF of the sentences of two systems, of both directions.
    """

    groups: tuple[tuple[int, ...], ...]
    similarity: FloatArray
    sentences: int

    __repr__ = one_line

    @property
    def weights(self) -> FloatArray:
        """How much each system counts: those of a group have one vote together."""
        weights = np.empty(len(self.similarity))
        for group in self.groups:
            weights[list(group)] = 1.0 / len(group)
        return weights

    @property
    def votes(self) -> FloatArray:
        """How much each system (column) says about each other one (row): a group nothing about its own."""
        group_of = np.empty(len(self.similarity), dtype=np.int64)
        for number, group in enumerate(self.groups):
            group_of[list(group)] = number
        return np.where(group_of[:, None] == group_of[None, :], 0.0, self.weights)

    def merged(self, sentences: Iterable[Candidates]) -> Iterator[Candidates]:
        """The sentences with these weights."""
        for sentence in sentences:
            if sentence.weights is not None or sentence.samples is not None or sentence.references:
                raise OptionError(
                    "MP849",
                    "near copies share a vote among candidates that have no weights, samples or references.",
                )
            yield replace(sentence, weights=self.weights)


def near_copies(
    sentences: Iterable[Candidates], *, limit: float = LIMIT, most: int = MOST
) -> NearCopies:
    """Which systems are near copies, by the first sentences; candidate i is always that of system i.

    Two systems are in one group if their mean chrF is ``limit`` or more, or if others between them are.

    >>> sentences = [Candidates(texts=["the cat sat", "the cat sat.", "a dog barked"])]
    >>> near_copies(sentences).groups
    ((0, 1), (2,))
    """
    if not 0 < limit <= 100:
        raise OptionError("MP847", f"near copies have a chrF above 0 and up to 100, not {limit}.")
    looked_at = list(islice(sentences, most))
    if not looked_at:
        raise InputError("MP850", "there is no sentence to find near copies by.")
    count = len(looked_at[0])
    for sentence in looked_at:
        if len(sentence) != count:
            raise InputError(
                "MP854", f"{sentence.owner} has {len(sentence)} candidates, the first one {count}."
            )
    total = np.sum(pairwise("chrf", [list(sentence.texts) for sentence in looked_at]), axis=0)
    similarity = (total + total.T) / (2 * len(looked_at))
    return NearCopies(_groups(similarity >= limit), similarity, len(looked_at))


def _groups(near: BoolArray) -> tuple[tuple[int, ...], ...]:
    """Connected systems, each group in order and by its first system."""
    left = set(range(len(near)))
    found = []
    while left:
        waiting = [min(left)]
        group = set(waiting)
        while waiting:
            more = set(np.flatnonzero(near[waiting.pop()]).tolist()) - group
            group |= more
            waiting += more
        found.append(tuple(sorted(group)))
        left -= group
    return tuple(found)
