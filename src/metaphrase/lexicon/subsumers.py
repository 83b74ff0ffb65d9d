"""What the similarity of words in a taxonomy rests on: the concepts above their senses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.lexicon.relation import LexicalSource


@dataclass(frozen=True, slots=True, eq=False)
class WordSubsumers:
    """The concepts that subsume each of some words, with their information content IC.

    Those of word ``i`` are ``subsumers[offsets[i]:offsets[i + 1]]``, ascending; they are numbered over all
    words by descending IC, which ``contents`` has by number. ``least`` is the smallest IC of the word's
    senses below each of them. A sense without a usable IC subsumes only itself; its content is infinite.
    """

    offsets: Int64Array
    subsumers: Int32Array
    least: FloatArray
    contents: FloatArray


class SubsumerSource(LexicalSource, Protocol):
    """A taxonomy that answers for all words of a batch at once."""

    def subsumers(
        self, words: Sequence[str], *, parts: Sequence[str] | None = None
    ) -> WordSubsumers:
        """The concepts above each word; ``parts`` restricts senses as it does for synonyms."""
        ...
