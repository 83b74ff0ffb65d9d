"""Shapley values: what each of n players adds to a game, in the mean over the orders in which they may come.

Lloyd Shapley: A Value for n-Person Games. 1953. Few players come in all orders, exactly; more of them in a
few fixed orders and their reverses (antithetic sampling: Castro, Gómez and Tejada, 2009; Mitchell, Cooper,
Frank and Holmes, 2022). Either way the values add up to what all players add together.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import accumulate, combinations
from math import comb, gcd
from operator import or_

import numpy as np

from metaphrase.arrays import FloatArray

#: So many players come in all orders, which takes 2ⁿ coalitions.
EXACT = 4
#: About how many coalitions are asked for otherwise.
_COALITIONS = 24


@cache
def orders(players: int) -> tuple[tuple[int, ...], ...]:
    """The orders that stand for all: each is followed by its reverse."""
    pairs = max(1, _COALITIONS // (2 * players))
    steps = (step for step in range(1, players) if gcd(step, players) == 1)
    found = []
    for number, step in zip(range(pairs), steps, strict=False):
        order = tuple((number + place * step) % players for place in range(players))
        found += [order, order[::-1]]
    return tuple(found)


@cache
def coalitions(players: int) -> tuple[int, ...]:
    """The coalitions whose worth is asked for, as sets of bits; nobody and everybody among them."""
    if players <= EXACT:
        return tuple(range(1 << players))
    found = {0}
    for order in orders(players):
        found.update(accumulate((1 << player for player in order), or_))
    return tuple(sorted(found))


def shapley_values(players: int, worth: Mapping[int, float]) -> FloatArray:
    """What each player adds; ``worth`` has that of all :func:`coalitions`.

    >>> shapley_values(2, {0b00: 0.0, 0b01: 1.0, 0b10: 2.0, 0b11: 5.0})
    array([2., 3.])
    """
    values = np.zeros(players)
    if players > EXACT:
        for order in orders(players):
            before = 0
            for player in order:
                values[player] += worth[before | 1 << player] - worth[before]
                before |= 1 << player
        return values / len(orders(players))
    for player in range(players):
        others = [1 << other for other in range(players) if other != player]
        for size in range(players):
            gained = [
                worth[sum(chosen) | 1 << player] - worth[sum(chosen)]
                for chosen in combinations(others, size)
            ]
            values[player] += sum(gained) / (players * comb(players - 1, size))
    return values
