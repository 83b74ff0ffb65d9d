"""Segments that stand for many others: chosen one by one, each for what those before it do not cover.

The sum over all segments of their likeness to the most similar chosen one (facility location) is submodular,
so the greedy choice comes within 1 − 1/e of the best (Nemhauser, Wolsey and Fisher 1978). Likeness is the
cosine of words weighted by how few segments have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray
from metaphrase.corpus.reading_words import words_of

#: Into how many places words are hashed: with a few dozen words in a segment, chance meetings are rare.
_PLACES = 1024
#: How many numbers the table of likenesses may have; of longer test sets a random part is covered.
_MOST = 5 * 10**7
#: A unit vector for each text.
WordVectors = NDArray[np.float32]


def coverage(texts: Sequence[str], *, seed: int, most: int | None = None) -> FloatArray:
    """Usefulness by the order in which segments are chosen, from 1 for the first down to 0."""
    order = covering_order(texts, seed=seed, most=most)
    places = np.empty(len(order))
    places[order] = np.arange(len(order))
    return 1 - places / max(len(order) - 1, 1)


def covering_order(texts: Sequence[str], *, seed: int, most: int | None = None) -> list[int]:
    """All segments, each the one that adds most to what those before it cover.

    Whoever takes no more than ``most`` of them need not wait for the others, which follow as they stand.
    """
    vectors = word_vectors(texts)
    count = len(texts)
    ground = np.arange(count)
    if count * count > _MOST:
        random = np.random.Generator(np.random.PCG64(seed))
        ground = np.sort(random.choice(count, _MOST // count, replace=False))
    likeness = np.maximum(vectors @ vectors[ground].T, 0)
    covered = np.zeros(len(ground), dtype=np.float32)
    # What a segment adds can only shrink, so yesterday's gain bounds today's: most need no look.
    bounds = likeness.sum(axis=1, dtype=np.float64)
    order: list[int] = []
    left = np.ones(count, dtype=bool)
    while len(order) < count:
        candidate = int(np.argmax(np.where(left, bounds, -1.0)))
        gain = float(np.maximum(likeness[candidate] - covered, 0).sum(dtype=np.float64))
        if gain < bounds[candidate]:
            bounds[candidate] = gain
            if gain < np.where(left, bounds, -1.0).max():
                continue
        order.append(candidate)
        left[candidate] = False
        covered = np.maximum(covered, likeness[candidate])
        if gain == 0 or len(order) == most:  # if one adds nothing, nor does any other
            order += np.flatnonzero(left).tolist()
            break
    return order


def like_segments(vectors: WordVectors, segment: int, *, most: int) -> list[int]:
    """The segments that are most like one of them, the most similar first."""
    likeness = vectors @ vectors[segment]
    likeness[segment] = 0
    near = np.argsort(-likeness, kind="stable")[:most]
    return [int(one) for one in near if likeness[one] > 0]


def word_vectors(texts: Sequence[str]) -> WordVectors:
    """Unit vectors; words are hashed into places, with signs, so that meetings cancel in the mean."""
    words = [words_of(text.lower()) for text in texts]
    having: dict[str, int] = {}
    for one in words:
        for word in set(one):
            having[word] = having.get(word, 0) + 1
    vectors = np.zeros((len(texts), _PLACES), dtype=np.float32)
    for row, one in enumerate(words):
        for word in set(one):
            code = crc32(word.encode())
            weight = log(1 + len(texts) / having[word]) * sqrt(one.count(word))
            vectors[row, (code >> 1) % _PLACES] += weight if code & 1 else -weight
    lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)
