"""Edits the slow and obvious way: all chains of pairs are tried, half repaired texts made word by word."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations, pairwise

from metaphrase.metrics.repairs.script import UNCHANGED, EditScript
from metaphrase.metrics.repairs.words import Side, gap_between

Pair = tuple[int, int]


def chain_value(chain: Sequence[Pair], weight: Callable[[Pair], float], neighbours: float) -> float:
    """What its pairs weigh, and how many follow each other directly in both texts."""
    direct = sum((k, m) == (i + 1, j + 1) for (i, j), (k, m) in pairwise(chain))
    return sum(map(weight, chain)) + neighbours * direct


def heaviest_chain_value(
    pairs: Sequence[Pair], weight: Callable[[Pair], float], neighbours: float
) -> float:
    """That of the best of all chains in the order of both texts."""
    return max(
        chain_value(chain, weight, neighbours)
        for size in range(len(pairs) + 1)
        for chain in combinations(sorted(pairs), size)
        if all(i < k and j < m for (i, j), (k, m) in pairwise(chain))
    )


def runs_elsewhere(pairs: Collection[Pair], backbone: Collection[Pair]) -> list[list[Pair]]:
    """Pairs off the chain, in runs that stand together in both texts, as long as they can be."""
    left = set(pairs) - set(backbone)
    starts = sorted((i, j) for i, j in left if (i - 1, j - 1) not in left)
    runs = []
    for i, j in starts:
        run = []
        while (i, j) in left:
            run.append((i, j))
            i, j = i + 1, j + 1
        runs.append(run)
    return runs


def half_repaired(script: EditScript, undone: Collection[int]) -> str:
    """The words that each atom has in one of the texts, with what one of them has between two of them."""
    words: list[tuple[Side, int, int | None, int | None]] = []
    for atom in script.atoms:
        for step in range(max(atom.hypothesis[1] - atom.hypothesis[0], 0)):
            own = atom.hypothesis[0] + step
            if atom.edit == UNCHANGED:
                words.append((script.hypothesis, own, own, atom.reference[0] + step))
            elif atom.edit not in undone:
                words.append((script.hypothesis, own, own, None))
        for other in range(*atom.reference):
            if atom.edit != UNCHANGED and atom.edit in undone:
                words.append((script.reference, other, None, other))
    text = ""
    for place, (side, word, own, other) in enumerate(words):
        if place:
            before = words[place - 1]
            if own is not None and before[2] == own - 1:
                text += script.hypothesis.gap(own)
            elif other is not None and before[3] == other - 1:
                text += script.reference.gap(other)
            else:
                text += gap_between((before[0], before[1]), (side, word))
        text += side.words[word].form
    return text
