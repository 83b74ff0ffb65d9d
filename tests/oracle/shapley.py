"""Shapley values by their definition: every order, one player after the other."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import numpy as np

from metaphrase.arrays import FloatArray


def shapley_values(players: int, worth: Mapping[int, float]) -> FloatArray:
    values = np.zeros(players)
    orders = list(permutations(range(players)))
    for order in orders:
        present = 0
        for player in order:
            values[player] += (worth[present | 1 << player] - worth[present]) / len(orders)
            present |= 1 << player
    return values
