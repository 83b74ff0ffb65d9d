"""Which segments to take, given how useful each is: within a budget, fairly over documents and systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much can be judged: segments or words, whichever is named."""

    segments: int | None = None
    words: int | None = None

    def __post_init__(self) -> None:
        if (self.segments is None) == (self.words is None):
            raise OptionError(
                "MP786",
                "the budget is a number of segments or of words, one of them.",
                hint="Write -n 100, or --words 2000.",
            )

    @property
    def limit(self) -> int:
        """How much there is, of whatever it is counted in."""
        return (self.segments or 0) + (self.words or 0)

    def cost(self, segments: Sequence[int], lengths: Int64Array) -> int:
        """What these cost."""
        return len(segments) if self.segments is not None else int(lengths[list(segments)].sum())


def choose(
    usefulness: FloatArray,
    lengths: Int64Array,
    budget: Budget,
    *,
    documents: Sequence[str] | None = None,
    by_document: bool = False,
    whole_documents: bool = False,
) -> list[int]:
    """The segments to judge, the most useful first; what no longer fits in the budget is passed over.

    lengths:         words of each segment
    by_document:     take from each document in proportion to its size
    whole_documents: take documents as a whole, by the mean usefulness of their segments
    """
    if (by_document or whole_documents) and documents is None:
        raise OptionError(
            "MP787", "the texts have no documents.", hint="Name them: --documents FILE."
        )
    groups = _ordered(usefulness, documents if by_document or whole_documents else None)
    if whole_documents:
        whole = [sorted(group) for group in groups]
        means = [float(usefulness[group].mean()) for group in whole]
        units = [whole[place] for place in np.argsort(-np.array(means), kind="stable").tolist()]
    else:
        units = [[segment] for segment in _in_turn(groups, usefulness)]
    chosen: list[int] = []
    left = budget.limit
    for unit in units:
        cost = budget.cost(unit, lengths)
        if cost <= left:
            chosen += unit
            left -= cost
    if not chosen:
        raise OptionError(
            "MP788",
            "nothing fits in the budget.",
            hint="Give a larger one, or choose segments instead of whole documents.",
        )
    return chosen


def _ordered(usefulness: FloatArray, documents: Sequence[str] | None) -> list[list[int]]:
    """The segments of each document, the most useful first; without documents it is one."""
    groups: dict[str, list[int]] = {}
    for segment in np.argsort(-usefulness, kind="stable").tolist():
        groups.setdefault("" if documents is None else documents[segment], []).append(segment)
    return list(groups.values())


def _in_turn(groups: Sequence[Sequence[int]], usefulness: FloatArray) -> list[int]:
    """All segments: the next is from the group of which the smallest share is taken, then the most useful."""
    following = [(0.0, -usefulness[group[0]], place, 0) for place, group in enumerate(groups)]
    heapify(following)
    order: list[int] = []
    while following:
        _, _, place, taken = heappop(following)
        group = groups[place]
        order.append(group[taken])
        taken += 1
        if taken < len(group):
            heappush(following, (taken / len(group), -usefulness[group[taken]], place, taken))
    return order


def share_out(
    segments: Sequence[int], systems: int, *, per_segment: int | None, seed: int
) -> list[tuple[int, int]]:
    """Which systems' translations of each segment to judge: by default all, else the least judged so far.

    So after every segment all systems have been judged as often as each other, give or take one.
    """
    if per_segment is not None and per_segment > systems:
        raise OptionError(
            "MP788",
            f"{per_segment} systems for each segment are more than there are.",
            hint=f"There are {systems}.",
        )
    random = np.random.Generator(np.random.PCG64(seed))
    counts = np.zeros(systems, dtype=np.int64)
    cells = []
    for segment in segments:
        order = np.lexsort((random.random(systems), counts))[: per_segment or systems]
        counts[order] += 1
        cells += [(segment, system) for system in sorted(order.tolist())]
    return cells
