"""Candidates that are others put together.

Minimum Bayes risk likes them: what is in two candidates is in their concatenation, so that each finds itself
there, and a metric that asks for recall hardly minds the rest. Nobody wants the text twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.corpus.normalisation import normalise

_WORD = re.compile(r"\w+")


def concatenations(texts: Sequence[str], lang: str) -> set[int]:
    """The numbers of texts that are two or more others, or another one twice, one after the other.

    Case, punctuation and spaces make no difference. The shortest text is never among them.

    >>> sorted(concatenations(["It rains.", "It is raining.", "It rains, it is raining!"], "en"))
    [2]
    """
    unspaced = base_language(lang) in UNSPACED
    words = [_words(text, unspaced) for text in texts]
    lengths = sorted({len(own) for own in words if own})
    if not lengths:
        return set()
    known = set(words)
    return {
        number
        for number, own in enumerate(words)
        # All translations of a sentence are about as long: few are looked at more closely.
        if len(own) >= 2 * lengths[0] and _is_put_together(own, known, lengths)
    }


def _words(text: str, unspaced: bool) -> tuple[str, ...]:
    found = _WORD.findall(normalise(text).casefold())
    return tuple("".join(found)) if unspaced else tuple(found)


def _is_put_together(
    words: tuple[str, ...], known: set[tuple[str, ...]], lengths: Sequence[int]
) -> bool:
    """Whether the words are those of shorter texts one after the other."""
    reached = [True] + [False] * len(words)
    for end in range(1, len(words) + 1):
        reached[end] = any(
            reached[end - length] and words[end - length : end] in known
            for length in lengths
            if length <= end and length < len(words)
        )
    return reached[-1]
