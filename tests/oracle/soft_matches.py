"""Soft matches of two sentences by the definitions, a loop for each Σ, max and min."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Words = Sequence[int]


def soft_match(
    left: Words, right: Words, vectors: NDArray[np.float64], rarity: Sequence[float]
) -> list[float]:
    """The nine columns of one pair."""
    if not left or not right:
        return [float(not left and not right)] * 9

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
    left_weights, right_weights = ([rarity[word] for word in side] for side in (left, right))
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
    ]


def cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    lengths = math.sqrt(sum(one * one)) * math.sqrt(sum(other * other))
    return sum(one * other) / lengths if lengths else 0.0


def mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def worst(values: Sequence[float], weights: Sequence[float]) -> float:
    return min(min(1.0, v + 1 - w) for v, w in zip(values, weights, strict=True))


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
