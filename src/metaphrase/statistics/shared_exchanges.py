"""The randomisation test of all pairs of many systems, on the same exchanges.

A resample gives each segment s a sign ±1; a pair exchanges outputs where it is −1. With the statistics xᵢₛ
of system i, Tᵢ = Σ xᵢₛ and Wᵢ = Σ ±xᵢₛ, sums of the pair (i, j) after the exchange are
(Tᵢ + Tⱼ)/2 ± (Wᵢ − Wⱼ)/2. So segments are added up once for each system, and not for each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray

#: Differences are equal if they differ by less than this share of the scores.
ROUNDING = 1e-12
#: Numbers held in memory at a time.
_NUMBERS = 1 << 22
Pair = tuple[int, int]


@dataclass(slots=True)
class Exchanged:
    """What the exchanges of a pair say of its ``observed`` difference.

    ``reached`` counts the resamples whose difference is as large, and ``variance`` is the mean square of all.
    """

    observed: float
    reached: int = 0
    variance: float = 0.0


def exchanged_together(
    statistics: Sequence[FloatArray],
    pairs: Sequence[Pair],
    score: Callable[[FloatArray], FloatArray],
    resamples: int,
    seed: int,
) -> Mapping[Pair, Exchanged]:
    """Test pairs of systems by ``resamples`` shared exchanges."""
    if not pairs:
        return {}
    table = np.stack(statistics)  # systems × segments × k
    systems, segments, k = table.shape
    columns = np.ascontiguousarray(table.transpose(1, 0, 2)).reshape(segments, systems * k)
    totals = columns.sum(axis=0).reshape(systems, k)
    rivals = {i: [j for one, j in pairs if one == i] for i, _ in pairs}
    whole = score(totals)
    found = {(i, j): Exchanged(abs(float(whole[i] - whole[j]))) for i, j in pairs}
    generator = np.random.default_rng(seed)
    rows = max(_NUMBERS // max(segments, systems * k), 1)
    for first in range(0, resamples, rows):
        count = min(rows, resamples - first)
        signs = generator.integers(2, size=(count, segments), dtype=np.int8) * 2.0 - 1.0
        turned = (signs @ columns).reshape(count, systems, k)
        for i, others in rivals.items():
            half = (turned[:, [i]] - turned[:, others]) / 2
            middle = (totals[i] + totals[others]) / 2
            one, other = (
                score((middle + side).reshape(-1, k)).reshape(count, len(others))
                for side in (half, -half)
            )
            differences = np.abs(one - other)
            largest = np.fmax(np.abs(one).max(axis=0), np.abs(other).max(axis=0))
            observed = np.array([found[i, j].observed for j in others])
            least = observed - ROUNDING * np.fmax(largest, abs(float(whole[i])))
            # What is not a number is not less either.
            reached = (~(differences < least)).sum(axis=0)
            squares = np.square(differences, out=differences).sum(axis=0) / resamples
            for j, more, share in zip(others, reached.tolist(), squares.tolist(), strict=True):
                found[i, j].reached += more
                found[i, j].variance += share
    return found
