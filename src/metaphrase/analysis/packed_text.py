"""Tokenised text as numbers: what language models and word aligners read, without any other column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from metaphrase.arrays import Int32Array, Int64Array, one_line
from metaphrase.corpus.validation import is_listed


@dataclass(frozen=True, slots=True, eq=False)
class PackedText:
    """Sentences of words; word ``t`` of sentence ``k`` is ``vocabulary[words[offsets[k] + t]]``."""

    offsets: Int64Array
    words: Int32Array
    vocabulary: Sequence[str]

    __repr__ = one_line

    @classmethod
    def pack(cls, sentences: Iterable[Sequence[str]]) -> PackedText:
        """Number the words in the order of their first appearance."""
        # Looking a new word up gives it the next number.
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        lengths = [0]

        def cells() -> Iterable[int]:
            for sentence in sentences:
                lengths.append(len(sentence))
                yield from map(numbers.__getitem__, sentence)

        words = np.fromiter(cells(), np.int32)
        return cls(np.cumsum(lengths, dtype=np.int64), words, list(numbers))

    @classmethod
    def checked(cls, sentences: object, refuse: Callable[[str], Exception]) -> PackedText:
        """Whatever a user gives as sentences; ``refuse`` makes an error of the reason why it cannot be."""
        if isinstance(sentences, PackedText):
            return sentences
        if not is_listed(sentences):
            raise refuse(f"{sentences!r} is no list of sentences")
        return cls.pack([checked_words(words, refuse) for words in sentences])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def sentence(self, k: int) -> list[str]:
        """The words of one sentence."""
        first, last = self.offsets[k], self.offsets[k + 1]
        return [self.vocabulary[word] for word in self.words[first:last].tolist()]


def checked_words(words: Any, refuse: Callable[[str], Exception]) -> list[str]:
    """The words of one sentence that a user gives; ``refuse`` as in :meth:`PackedText.checked`."""
    if isinstance(words, str):
        raise refuse("a sentence is a list of words, not a string")
    if isinstance(words, Iterable) and not is_listed(words):
        raise refuse(f"a sentence is a list of words, not of type {type(words).__name__}")
    found = list(words) if isinstance(words, Iterable) else [words]
    for word in found:
        if not isinstance(word, str):
            raise refuse(f"{word!r} stands where a word belongs")
    return found
