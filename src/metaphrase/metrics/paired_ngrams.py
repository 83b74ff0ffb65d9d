"""Which n-grams of two texts match, and where: what counts alone do not tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from metaphrase.metrics.explained_pair import SIDES
from metaphrase.metrics.explanation import Leftover, Link

#: An explanation is for reading.
LONGEST_EXPLAINED = 1000
#: Of an n-gram that can be paired in more ways than this the first ones are taken: nobody reads such loops.
_MOST_WAYS = 10_000

Tokens = Sequence[str]
#: A place in the hypothesis and one in the reference.
Pair = tuple[int, int]


def ngrams(words: Tokens, n: int) -> Iterator[tuple[str, ...]]:
    """The n-grams in their order."""
    return zip(*(words[start:] for start in range(n)), strict=False)


def pair_ngrams(sides: Sequence[Tokens], orders: int) -> list[list[Pair]]:
    """For each order the places of n-grams that match, as often as the side has them that has fewer.

    Any of the equal n-grams may be paired. Those pairs are shown that are parts of longer ones, then those
    that keep the words' order.
    """
    found: list[list[Pair]] = []
    joined: set[Pair] = set()
    for n in range(orders, 0, -1):
        pairs = sorted(_pairs_of_order(sides, n, joined))
        joined |= {(i + k, j + k) for i, j in pairs for k in range(n)}
        found.append(pairs)
    return found[::-1]


def _pairs_of_order(sides: Sequence[Tokens], n: int, joined: Collection[Pair]) -> Iterator[Pair]:
    places: defaultdict[tuple[str, ...], tuple[list[int], list[int]]]
    places = defaultdict(lambda: ([], []))
    for side, words in enumerate(sides):
        for at, ngram in enumerate(ngrams(words, n)):
            places[ngram][side].append(at)

    def preference(pair: Pair) -> tuple[int, float, Pair]:
        i, j = pair
        together = sum((i + k, j + k) in joined for k in range(n))
        return -together, abs(i / len(sides[0]) - j / len(sides[1])), pair

    for own, other in places.values():
        if len(own) * len(other) > _MOST_WAYS:
            yield from zip(own, other, strict=False)
            continue
        left = set(own), set(other)
        for i, j in sorted(((i, j) for i in own for j in other), key=preference):
            if i in left[0] and j in left[1]:
                left[0].remove(i)
                left[1].remove(j)
                yield i, j


def linked_ngrams(
    pairs: Sequence[Pair], n: int, worth: Sequence[Sequence[float]]
) -> tuple[list[Link], list[Leftover]]:
    """Links of the n-grams that were paired, and those left over; ``worth`` has all of both sides."""
    layer = f"n{n}"
    links = [
        Link(layer, "equal", _span(i, n), _span(j, n), 1.0, float(worth[0][i])) for i, j in pairs
    ]
    leftovers = []
    for side, name in enumerate(SIDES):
        matched = {pair[side] for pair in pairs}
        leftovers += [
            Leftover(layer, name, _span(place, n), float(weight))
            for place, weight in enumerate(worth[side])
            if place not in matched
        ]
    return links, leftovers


def _span(first: int, n: int) -> tuple[int, ...]:
    return tuple(range(first, first + n))
