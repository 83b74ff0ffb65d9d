"""Candidates that are hardly the best are dropped before they are compared with all samples.

Julius Cheng and Andreas Vlachos: Faster Minimum Bayes Risk Decoding with Confidence-based Pruning. EMNLP
2023. Samples come in step by step. After each step, resamples of those so far say how often each candidate is
as good as the one that is best so far; what is so less often than 1 − confidence is dropped.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.statistics.exact_sum import ExactSum

#: Samples of the first step, each further one having twice as many; resamples after each; and their seed.
_FIRST, _RESAMPLES, _SEED = 16, 500, 12345
#: Bits of a score, of a weight, and of a sum, which is exact in a double.
_SCORE_BITS, _WEIGHT_BITS, _SUM_BITS = 24, 16, 53


def by_confidence(
    matrix: Callable[[Int64Array, Int64Array], FloatArray],
    candidates: int,
    weights: FloatArray,
    *,
    confidence: float,
    keep: int,
    rises: bool,
) -> tuple[FloatArray, int]:
    """Expected scores, NaN of what was dropped, and how many pairs were compared.

    matrix: the scores of some candidates with some samples, both by number
    keep: how many candidates are never dropped
    rises: whether higher scores are better
    """
    random = np.random.default_rng(_SEED)
    order = random.permutation(len(weights))
    alive = np.arange(candidates)
    found = np.empty((candidates, 0))
    pairs = used = 0
    while used < len(order) and (used == 0 or len(alive) > 1):
        step = order[used : max(_FIRST, 2 * used)]
        found = np.concatenate([found, matrix(alive, step)], axis=1)
        pairs += len(alive) * len(step)
        used += len(step)
        if used < len(order) and len(alive) > keep:
            stays = _stays(
                found if rises else -found, weights[order[:used]], confidence, keep, random
            )
            alive, found = alive[stays], found[stays]
    counted = weights[order[:used]]
    sums = ExactSum()
    sums.add((found * counted).T)
    utilities = np.full(candidates, np.nan)
    utilities[alive] = sums.value() / counted.sum()
    return utilities, pairs


def _stays(
    scores: FloatArray,
    weights: FloatArray,
    confidence: float,
    keep: int,
    random: np.random.Generator,
) -> Int64Array:
    """The rows that stay: those that are often enough as good as the best, and ``keep`` at least.

    Scores and weights are whole numbers, and sums of them exact, so that every machine drops the same.
    """
    used = scores.shape[1]
    low, span = scores.min(), np.ptp(scores)
    bits = min(_SCORE_BITS, _SUM_BITS - _WEIGHT_BITS - int(used).bit_length())
    whole = np.rint((scores - low) * ((2.0**bits - 1) / span)) if span > 0 else scores * 0.0
    counted = np.rint(weights / weights.max() * 2.0**_WEIGHT_BITS)
    drawn = random.multinomial(used, np.full(used, 1.0 / used), size=_RESAMPLES) * counted
    best_first = np.argsort(-(whole @ counted), kind="stable")
    sums = whole @ drawn.T
    as_good = (sums >= sums[best_first[0]]).mean(axis=1) >= 1.0 - confidence
    as_good[best_first[:keep]] = True
    return np.flatnonzero(as_good)
