"""TESLA-CELAB's program as METRICS 4 writes it down, given to HiGHS with both sides in one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_array

Span = tuple[int, int]
Sets = Sequence[tuple[float, Sequence[str]]]


def spans(length: int, order: int = 4) -> list[Span]:
    """Every (start, end) of 1 to ``order`` tokens."""
    return [(a, a + n) for n in range(1, order + 1) for a in range(length - n + 1)]


def unit_similarity(x: str, y: str, sets: Sets) -> float:
    """1 for equal strings, else the similarity of the best set that holds both."""
    return 1.0 if x == y else max((s for s, words in sets if x in words and y in words), default=0)


def is_match(
    x: Sequence[str], y: Sequence[str], unit: Callable[[str, str], bool], *, released: bool = False
) -> bool:
    """Whether ``x`` and ``y`` can be cut into equally many pieces that are units one by one.

    ``released``: the first piece must have a single token on one side at least.
    """
    reached = {(0, 0)}
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            for p, q in list(reached):
                if p < i and q < j and unit("".join(x[p:i]), "".join(y[q:j])):
                    if released and (p, q) == (0, 0) and i > 1 and j > 1:
                        continue
                    reached.add((i, j))
    return (len(x), len(y)) in reached


def matches(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    sets: Sets = (),
    *,
    threshold: float = 1.0,
    order: int = 4,
    released: bool = False,
) -> list[tuple[Span, Span]]:
    """Every pair of matching spans whose similarity reaches ``threshold``."""

    def unit(x: str, y: str) -> bool:
        return unit_similarity(x, y, sets) >= threshold

    return [
        ((a, b), (c, d))
        for a, b in spans(len(reference), order)
        for c, d in spans(len(hypothesis), order)
        if is_match(reference[a:b], hypothesis[c:d], unit, released=released)
    ]


def optimum(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    edges: Sequence[tuple[Span, Span]],
    *,
    order: int = 4,
    f: float = 0.25,
    weight: Callable[[Sequence[str]], float] = lambda tokens: 1.0,
) -> float:
    """The largest sum of m(X) c(X) over reference spans and f times that over hypothesis spans."""
    if not edges:
        return 0.0
    sides = [spans(len(tokens), order) for tokens in (reference, hypothesis)]
    number = [{span: k for k, span in enumerate(side)} for side in sides]
    count = len(sides[0]) + len(sides[1])
    shift = (0, len(sides[0]))
    # Variables: w of each edge, then c of each span. Rows: capacity of each span, then its covering.
    constraints = lil_array((2 * count, len(edges) + count))
    limits = np.concatenate([np.ones(count), np.zeros(count)])
    gains = np.zeros(len(edges) + count)
    for side, (tokens, factor) in enumerate(((reference, 1.0), (hypothesis, f))):
        for span, k in number[side].items():
            row = shift[side] + k
            gains[len(edges) + row] = factor * weight(tokens[span[0] : span[1]])
            constraints[count + row, len(edges) + row] = 1.0
            for e, edge in enumerate(edges):
                if edge[side] == span:
                    constraints[row, e] = 1.0
                if edge[side][0] <= span[0] and span[1] <= edge[side][1]:
                    constraints[count + row, e] = -1.0
    bounds = [(0, None)] * len(edges) + [(0, 1)] * count
    solution = linprog(-gains, A_ub=constraints.tocsr(), b_ub=limits, bounds=bounds, method="highs")
    assert solution.status == 0, solution.message
    return float(-solution.fun)


def celab(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    sets: Sets = (),
    *,
    order: int = 4,
    f: float = 0.25,
    released: bool = False,
    weight: Callable[[Sequence[str]], float] = lambda tokens: 1.0,
) -> float:
    """The score: the integral of the optimum over the threshold of similarity, over all there is."""
    total = sum(weight(reference[a:b]) for a, b in spans(len(reference), order))
    total += f * sum(weight(hypothesis[a:b]) for a, b in spans(len(hypothesis), order))
    thresholds = sorted({1.0, *(s for s, _ in sets)}, reverse=True)
    value = 0.0
    for threshold, below in zip(thresholds, [*thresholds[1:], 0.0], strict=True):
        edges = matches(
            reference, hypothesis, sets, threshold=threshold, order=order, released=released
        )
        value += (threshold - below) * optimum(
            reference, hypothesis, edges, order=order, f=f, weight=weight
        )
    return value / total if total else 0.0
