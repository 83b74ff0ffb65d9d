"""Measures of agreement, pair by pair and in fractions: slow, obvious, exact."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

Pair = tuple[float, float]


def groups(
    metric: Sequence[Sequence[float]], human: Sequence[Sequence[float]], group_by: str
) -> list[list[Pair]]:
    """Pairs (metric, human) of known scores by group, groups without any left out."""
    cells: dict[int, list[Pair]] = {}
    for system, (m_row, h_row) in enumerate(zip(metric, human, strict=True)):
        for segment, (m, h) in enumerate(zip(m_row, h_row, strict=True)):
            if not (math.isnan(m) or math.isnan(h)):
                key = {"none": 0, "segment": segment, "system": system}[group_by]
                cells.setdefault(key, []).append((m, h))
    return [cells[key] for key in sorted(cells)]


def sign(value: float) -> int:
    return int(value > 0) - int(value < 0)


def pair_counts(scores: Iterable[Pair]) -> tuple[int, int, int, int, int]:
    """Concordant, discordant, tied by the metric only, by people only, by both."""
    counts = [0] * 5
    for (m1, h1), (m2, h2) in combinations(scores, 2):
        m, h = sign(m1 - m2), sign(h1 - h2)
        kind = 4 if m == h == 0 else 2 if m == 0 else 3 if h == 0 else 0 if m == h else 1
        counts[kind] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def accuracy(scores: Sequence[Pair], epsilon: float) -> Fraction:
    pairs = list(combinations(scores, 2))
    right = 0
    for (m1, h1), (m2, h2) in pairs:
        m = 0 if abs(m1 - m2) <= epsilon else sign(m1 - m2)
        right += m == sign(h1 - h2)
    return Fraction(right, len(pairs))


def calibrated_accuracy(all_groups: Sequence[Sequence[Pair]]) -> tuple[float, float]:
    """The best mean accuracy over groups with a pair, and the smallest ε that reaches it."""
    compared = [scores for scores in all_groups if len(scores) > 1]
    if not compared:
        return math.nan, math.nan
    candidates = {0.0} | {
        abs(m1 - m2) for scores in compared for (m1, _), (m2, _) in combinations(scores, 2)
    }
    best = max(
        (sum(accuracy(scores, epsilon) for scores in compared) / len(compared), -epsilon)
        for epsilon in candidates
    )
    return float(best[0]), -best[1]


def permutation_p_value(first: Sequence[float], second: Sequence[float]) -> Fraction:
    """The exact one-sided p-value for «first is better», over all ways to change places."""
    differences = [Fraction(a) - Fraction(b) for a, b in zip(first, second, strict=True)]
    outcomes = 2 ** len(differences)
    as_large = 0
    for permutation in range(outcomes):
        total = sum(-d if permutation >> i & 1 else d for i, d in enumerate(differences))
        as_large += total >= sum(differences)
    return Fraction(as_large, outcomes)


def agreement_counts(
    judgements: Sequence[tuple[int, int, int, int, int]], same_judge: bool
) -> tuple[int, int]:
    """Pairs of judgements (segment, first, second, order, judge) of one thing: agreeing, all."""
    agreeing = compared = 0
    for (s1, a1, b1, o1, j1), (s2, a2, b2, o2, j2) in combinations(judgements, 2):
        if s1 != s2 or {a1, b1} != {a2, b2} or (j1 == j2) != same_judge:
            continue
        compared += 1
        agreeing += o1 == (o2 if a1 == a2 else -o2)
    return agreeing, compared
