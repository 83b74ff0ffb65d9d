"""The vector of a word's spelling by its definition, with Python's integers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

ALL_BITS = 2**64 - 1


def mix(number: int, value: int) -> int:
    """As in src/core/base/hashing.hpp."""
    number = ((number ^ value) * 0x9E3779B97F4A7C15) & ALL_BITS
    return number ^ (number >> 32)


def place_and_sign(ngram: str) -> tuple[int, int]:
    number = 0x2545F4914F6CDD1D
    for character in ngram:
        number = mix(number, ord(character))
    number = mix(number, 0)
    return number // 2**57, 1 if number % 2 == 0 else -1


def ngrams(word: str) -> list[str]:
    marked = f"<{word}>"
    return [marked[i : i + n] for n in (2, 3, 4) for i in range(len(marked) - n + 1)]


def spelling_vector(word: str) -> NDArray[np.float32]:
    counts = [0] * 128
    for ngram in ngrams(word):
        place, sign = place_and_sign(ngram)
        counts[place] += sign
    length = math.sqrt(sum(count * count for count in counts)) or 1.0
    return np.array([count / length for count in counts], dtype=np.float32)
