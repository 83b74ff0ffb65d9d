"""The Poisson bootstrap said slowly: how often each row is drawn, one random number after the other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import exp, factorial

import numpy as np


def poisson(bits: int) -> int:
    """The number of draws that 16 random bits stand for: the inverse of Poisson(1)'s distribution."""
    count, below = 0, exp(-1)
    while (bits + 0.5) / 65536 > below:
        count += 1
        below += exp(-1) / factorial(count)
    return count


def draws(row: int, resamples: int, seed: int) -> list[int]:
    """How often a row is drawn in each resample, if all rows are numbered in blocks of 1024."""
    block, place = divmod(row, 1024)
    # Each word has four numbers, the lowest bits first; those of a resample are beside each other.
    words = _words(block, resamples * 1024 // 4, seed)
    numbers = [resample * 1024 + place for resample in range(resamples)]
    return [poisson(words[number // 4] >> (16 * (number % 4)) & 0xFFFF) for number in numbers]


@cache
def _words(block: int, count: int, seed: int) -> list[int]:
    stream = np.random.Philox(key=seed, counter=[0, 0, block, 0])
    return [int(word) for word in stream.random_raw(count)]


def resampled_sums(
    statistics: Sequence[Sequence[float]], resamples: int, seed: int
) -> list[list[float]]:
    """The sum of the drawn rows in each resample, added without rounding and rounded once."""
    sums = [[Fraction(0)] * len(statistics[0]) for _ in range(resamples)]
    for number, row in enumerate(statistics):
        for total, drawn in zip(sums, draws(number, resamples, seed), strict=True):
            for column, value in enumerate(row):
                total[column] += drawn * Fraction(value)
    return [[float(value) for value in total] for total in sums]
