"""How far two metrics would differ on systems if chance had dealt them their scores.

The test is PERM-BOTH, as in :mod:`metaphrase.statistics.permutation`, for pairwise accuracy over several
language pairs at once, as the metrics task of WMT 2023 measures it;
:mod:`metaphrase.statistics.soft_accuracy_tests` has soft pairwise accuracy. Scores are standardised over all
systems before they are exchanged, which mt-metrics-eval does even across language pairs.
"""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.statistics.judged_cells import standardised
from metaphrase.statistics.null_distributions import NullDistribution


def null_of_system_accuracy(
    metric: FloatArray,
    rival: FloatArray,
    human: FloatArray,
    language_pairs: Int64Array,
    generator: np.random.Generator,
) -> NullDistribution:
    """Pairwise accuracy of system scores, all of them there; pairs are within language pairs, and pooled."""
    first, second = np.triu_indices(len(human), 1)
    within = language_pairs[first] == language_pairs[second]
    first, second = first[within], second[within]
    wanted = np.sign(human[first] - human[second])
    scores, others = standardised(metric), standardised(rival)

    def right(values: FloatArray) -> Int64Array:
        order = np.sign(values[..., first] - values[..., second])
        return np.asarray(np.count_nonzero(order == wanted, axis=-1))

    def draw(resamples: int) -> Int64Array:
        own = generator.integers(0, 2, size=(resamples, len(human)), dtype=np.int8).astype(bool)
        return right(np.where(own, scores, others)) - right(np.where(own, others, scores))

    pairs = len(first)
    ours, theirs = int(right(scores)), int(right(others))
    if pairs == 0:
        return NullDistribution(np.nan, np.nan, np.nan, draw, 1)
    return NullDistribution(
        ours / pairs, theirs / pairs, ours - theirs, draw, max(pairs // 64, 1), float(pairs)
    )
