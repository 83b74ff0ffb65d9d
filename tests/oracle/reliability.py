"""Agreement of judges from its definition, in fractions; a test by trying all signs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product


def alpha(ratings: Sequence[Sequence[float]], level: str) -> float:
    """Krippendorff's α from the matrix of coincidences (Krippendorff 2011, steps C to E)."""
    units = [[v for v in column if not math.isnan(v)] for column in zip(*ratings, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in units for value in unit})
    coincidences = {(c, k): Fraction(0) for c in values for k in values}
    for unit in units:
        for c, k in permutations(unit, 2):
            coincidences[c, k] += Fraction(1, len(unit) - 1)
    totals = {c: sum(coincidences[c, k] for k in values) for c in values}
    count = sum(totals.values())
    if len(values) < 2:
        return math.nan
    difference = _differences(values, totals, level)
    pairs = [(c, k) for c in values for k in values]
    observed = sum(coincidences[pair] * difference(*pair) for pair in pairs)
    expected = sum(totals[c] * totals[k] * difference(c, k) for c, k in pairs) / (count - 1)
    return float(1 - observed / expected)


def _differences(
    values: Sequence[float], totals: dict[float, Fraction], level: str
) -> Callable[[float, float], Fraction]:
    def ordinal(c: float, k: float) -> Fraction:
        low, high = sorted((c, k))
        between = sum(totals[g] for g in values if low <= g <= high)
        return Fraction(between - (totals[low] + totals[high]) / 2) ** 2

    return {
        "nominal": lambda c, k: Fraction(int(c != k)),
        "ordinal": ordinal,
        "interval": lambda c, k: (Fraction(c) - Fraction(k)) ** 2,
    }[level]


def signed_rank(higher: Sequence[float], lower: Sequence[float]) -> float:
    """The share of all ways to sign the ranks whose positive ones add up to as much."""
    differences = [a - b for a, b in zip(higher, lower, strict=True) if a != b]
    sizes = sorted(abs(d) for d in differences)
    ranks = [
        Fraction(sum(i + 1 for i, s in enumerate(sizes) if s == abs(d)), sizes.count(abs(d)))
        for d in differences
    ]
    observed = sum((r for r, d in zip(ranks, differences, strict=True) if d > 0), Fraction(0))
    sums = [
        sum((r for r, plus in zip(ranks, signs, strict=True) if plus), Fraction(0))
        for signs in product((False, True), repeat=len(ranks))
    ]
    return sum(value >= observed for value in sums) / len(sums)
