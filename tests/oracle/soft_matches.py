"""Soft matches of two sentences by the definitions, a loop for each Σ, max and min."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Words = Sequence[int]


def soft_match(
    left: Words, right: Words, vectors: NDArray[np.float64], rarity: Sequence[float]
) -> list[float]:
    """The columns of one pair."""
    left_weights, right_weights = ([rarity[word] for word in side] for side in (left, right))
    if not left or not right:
        both = float(not left and not right)
        return [both] * 11 + [lost([0.0] * len(w), w) for w in (right_weights, left_weights)]

    def similarity(word: int, other: int) -> float:
        if word == other:
            return 1.0
        return max(0.0, cosine(vectors[word], vectors[other]))

    def at_place(i: int, j: int) -> float:
        return similarity(left[i], right[j]) * (1 - abs(i / len(left) - j / len(right)) / 2)

    best_left = [max(similarity(word, other) for other in right) for word in left]
    best_right = [max(similarity(word, other) for word in left) for other in right]
    placed_left = [max(at_place(i, j) for j in range(len(right))) for i in range(len(left))]
    placed_right = [max(at_place(i, j) for i in range(len(left))) for j in range(len(right))]
    return [
        mean(best_left, left_weights),
        mean(best_right, right_weights),
        mean([s**3 for s in best_left], left_weights),
        mean([s**3 for s in best_right], right_weights),
        mean(placed_left, left_weights),
        mean(placed_right, right_weights),
        sums_cosine(left, right, vectors, rarity),
        worst(best_right, right_weights),
        worst(best_left, left_weights),
        *steps(links(left, right, vectors)),
        lost(best_right, right_weights),
        lost(best_left, left_weights),
    ]


def cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    lengths = math.sqrt(sum(one * one)) * math.sqrt(sum(other * other))
    return sum(one * other) / lengths if lengths else 0.0


def mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def worst(values: Sequence[float], weights: Sequence[float]) -> float:
    return min(min(1.0, v + 1 - w) for v, w in zip(values, weights, strict=True))


def lost(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(w * (1 - v) for v, w in zip(values, weights, strict=True) if w > 0.7)


def links(left: Words, right: Words, vectors: NDArray[np.float64]) -> list[int]:
    """The word of the right that each linked word of the left is linked with."""
    # Which words are equally similar, and which reach ½, is up to rounding: floats, added up in order.
    similar = np.zeros((len(left), len(right)), dtype=np.float32)
    for column in vectors.astype(np.float32).T:
        similar += np.multiply.outer(column[list(left)], column[list(right)])
    similar = np.clip(similar, 0, 1)
    similar[np.equal.outer(left, right)] = 1
    found = []
    for i, row in enumerate(similar):
        best = [j for j in range(len(right)) if row[j] == max(row)]
        if max(row) >= 0.5:
            found.append(min(best, key=lambda j: abs(i * len(right) - j * len(left))))
    return found


def steps(linked: Sequence[int]) -> tuple[float, float]:
    pairs = list(pairwise(linked))
    if not pairs:
        return 1.0, 1.0
    follows = sum(after == before + 1 for before, after in pairs)
    rises = sum(after > before for before, after in pairs)
    return follows / len(pairs), rises / len(pairs)


def sums_cosine(
    left: Words, right: Words, vectors: NDArray[np.float64], rarity: Sequence[float]
) -> float:
    if sorted(left) == sorted(right):
        return 1.0
    one, other = (sum(rarity[word] * vectors[word] for word in side) for side in (left, right))
    for total, side in ((one, left), (other, right)):
        if math.sqrt(sum(total * total)) <= 1e-6 * sum(rarity[word] for word in side):
            return 0.0
    return max(0.0, cosine(one, other))
