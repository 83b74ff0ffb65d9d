"""What several doubts read of the texts: a piece of the corpus with its words, split once."""

from __future__ import annotations

from functools import cached_property

from metaphrase.corpus import Corpus
from metaphrase.corpus.reading_words import words_of

#: Words of a phrase: fewer are shared by chance, more break at every change.
PHRASE = 3
Words = list[list[str]]


class Texts:
    """A piece of the corpus; ``first`` is the number of its first segment, from 0."""

    def __init__(self, corpus: Corpus, first: int) -> None:
        self.corpus = corpus
        self.first = first

    @cached_property
    def references(self) -> list[Words]:
        """The words of each reference, none where a segment has fewer."""
        return [[words_of(text) for text in column] for column in self.corpus.written_references]

    @cached_property
    def systems(self) -> dict[str, Words]:
        """The words of each system's hypotheses."""
        return {
            name: [words_of(text) for text in column]
            for name, column in self.corpus.systems.items()
        }


def phrases(words: list[str]) -> list[tuple[str, ...]]:
    """All runs of three words, as often as they are said.

    >>> phrases(["a", "cat", "sat", "down"])
    [('a', 'cat', 'sat'), ('cat', 'sat', 'down')]
    """
    return list(zip(*(words[n:] for n in range(PHRASE)), strict=False))
