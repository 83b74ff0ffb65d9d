"""Inputs without coverage: for targets whose work is done by compiled code, of which nothing is seen.

Each input is a function of a seed and a number, so that one that ends the process can be made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_MOST_CHANGES = 6
#: Lengths at which things go wrong.
_REPETITIONS = (2, 3, 8, 31, 64, 129, 300)


def mutated(chance: Random, seeds: Sequence[bytes], words: Sequence[bytes], longest: int) -> bytes:
    """One of the seeds with a few changes, mostly of whole characters: half of one is soon refused."""
    pieces = list(chance.choice(seeds).decode("utf-8", "surrogateescape"))
    for _ in range(chance.randint(1, _MOST_CHANGES)):
        first = chance.randrange(len(pieces) + 1)
        last = min(len(pieces), first + int(chance.expovariate(0.2)))
        kind = chance.randrange(8)
        if kind <= 1 and words:
            word = chance.choice(words).decode("utf-8", "surrogateescape")
            pieces[first:first] = word * (
                chance.choice(_REPETITIONS) if chance.random() < 0.1 else 1
            )
        elif kind == 2:
            del pieces[first:last]
        elif kind == 3:
            pieces[first:first] = pieces[first:last] * chance.choice(_REPETITIONS)
        elif kind == 4:
            other = chance.choice(seeds).decode("utf-8", "surrogateescape")
            start = chance.randrange(len(other) + 1)
            pieces[first:last] = other[start : start + chance.randrange(40)]
        elif kind == 5:
            chance.shuffle(some := pieces[first:last])
            pieces[first:last] = some
        elif kind == 6:
            limit = chance.choice((0x80, 0x800, 0x3000, 0x10000, 0x110000))
            point = chance.randrange(limit)
            pieces[first:first] = chr(point if not 0xD800 <= point < 0xE000 else 0xFFFD)
        elif pieces and first < len(pieces):
            pieces[first] = pieces[first].swapcase()[:1]
    made = "".join(pieces).encode("utf-8", "surrogateescape")[:longest]
    if chance.random() < 0.05:  # bytes that are no characters
        damaged = bytearray(made or b"\0")
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        made = bytes(damaged)
    return made
