"""Candidates that are hardly the best are dropped before they are compared with all samples.

Julius Cheng and Andreas Vlachos: Faster Minimum Bayes Risk Decoding with Confidence-based Pruning. EMNLP
2023. Samples come in step by step. After each step, resamples of those so far say how often each candidate is
as good as the one that is best so far; what is so less often than 1 − confidence is dropped.

The confidence is that of one comparison in one step. Of many candidates that hardly differ, the best is
missed more often, and one that is hardly worse takes its place.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.selection.expectation import weighted_means

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

    What is not dropped has been compared with all samples.

    matrix: the scores of some candidates with some samples, both by number
    keep: how many candidates are never dropped
    rises: whether higher scores are better
    """
    random = np.random.default_rng(_SEED)
    order = _drawn(weights, random)
    alive = np.arange(candidates)
    found = np.empty((candidates, 0))
    pairs = used = 0
    while used < len(order):
        # Those of which none will be dropped are compared with all the rest.
        end = max(_FIRST, 2 * used) if len(alive) > keep else len(order)
        step = order[used:end]
        found = np.concatenate([found, matrix(alive, step)], axis=1)
        pairs += len(alive) * len(step)
        used += len(step)
        if used < len(order) and len(alive) > keep:
            stays = _stays(
                found if rises else -found, weights[order[:used]], confidence, keep, random
            )
            alive, found = alive[stays], found[stays]
    utilities = np.full(candidates, np.nan)
    utilities[alive] = weighted_means(found[:, np.argsort(order)], weights)
    return utilities, pairs


def _drawn(weights: FloatArray, random: np.random.Generator) -> Int64Array:
    """An order of samples: the first copies to come out if each had as many copies as its weight says.

    Otherwise the few samples that have most of the weight might come when most candidates are gone.
    """
    keys = np.full(len(weights), np.inf)
    with np.errstate(over="ignore"):
        np.divide(random.standard_exponential(len(weights)), weights, out=keys, where=weights > 0)
    return np.argsort(keys, kind="stable")


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
