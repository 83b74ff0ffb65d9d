"""What a metric asks of any lexicon that knows synonyms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from metaphrase.arrays import Int32Array, Int64Array

SynonymGraph: TypeAlias = tuple[Int64Array, Int32Array]
"""Offsets (one more than there are words) and neighbours: the synonyms of word ``i`` are the words
numbered ``neighbours[offsets[i]:offsets[i + 1]]``, ascending and without ``i`` itself."""


#: In place of a part of speech: the word belongs to none that a lexicon of concepts would list.
NO_PART = "-"


class LexicalSource(Protocol):
    """Says which content it answers from."""

    @property
    def name(self) -> str:
        """What signatures call it."""
        ...

    @property
    def fingerprint(self) -> str:
        """Short hash of the content, for the signature of a score."""
        ...


class SynonymSource(LexicalSource, Protocol):
    """Answers for all words of a batch at once."""

    def synonym_graph(
        self, words: Sequence[str], *, parts: Sequence[str] | None = None
    ) -> SynonymGraph:
        """For each word, which of the other words are its synonyms.

        ``parts`` optionally restricts each word to its senses in one part of speech (``n v a r``; empty:
        no restriction; ``NO_PART``: it has no senses, if the lexicon tells parts of speech apart).
        """
        ...


class ParaphraseSource(LexicalSource, Protocol):
    """Knows which words, and which phrases, can stand for each other."""

    def paraphrase_graph(self, words: Sequence[str]) -> SynonymGraph:
        """For each word (or phrase, its words between single spaces), which of the others paraphrase it."""
        ...


class VectorSource(LexicalSource, Protocol):
    """Knows the place of words in a space where similar words are near each other."""

    def vectors(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        """A row for each word; all zeros if the word is unknown."""
        ...

    def ranks(self, words: Sequence[str]) -> Int64Array:
        """How many words come before each by frequency; −1 if the word is unknown."""
        ...
