"""How much judging a segment would tell, by what metrics and systems say about it; higher is more.

The ideas are those of Zouhar, Cui and Sachan (*How to Select Datapoints for Efficient Human Evaluation of NLG
Models?*, TACL 2025, arXiv:2501.18251; the package subset2evaluate): what systems do equally well cannot tell
them apart. Scores are (metrics, systems, segments), higher being better, NaN where there is none; each metric
is first brought to mean 0 and deviation 1 over all it has scored, so that none drowns the others.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.statistics.coefficients import kendall

#: Less than any difference of two coefficients: it decides between equal ones alone.
_TIES = 1e-9


def variance(scores: FloatArray) -> FloatArray:
    """The variance over systems, in the mean of metrics (their ``metric_var``)."""
    return _mean(_variance(_standardised(scores), axis=1), axis=0)


def disagreement(scores: FloatArray) -> FloatArray:
    """How far metrics differ about which translation is better.

    A metric's scores of a segment are taken beside their mean over systems, for some metrics score all short
    segments higher than others do; then it is the variance over metrics, in the mean of systems.
    """
    beside = _standardised(scores)
    beside = beside - _mean(beside, axis=1)[:, None]
    return _mean(_variance(beside, axis=0), axis=0)


def consistency(scores: FloatArray) -> FloatArray:
    """Kendall's τ-b of a segment's order of the systems with the whole set's, in the mean of metrics.

    Their ``metric_cons``, with τ-b for τ-c. A segment on which all systems score alike has 0. Of segments
    that are equal, as all are that two systems share, those come first whose scores vary more.
    """
    systems = _mean(scores, axis=2)
    values = np.array(
        [
            [kendall(segment, whole) for segment in metric.T]
            for metric, whole in zip(scores, systems, strict=True)
        ]
    )
    spread = variance(scores)
    return np.asarray(
        np.nan_to_num(values).mean(axis=0) + _TIES * spread / max(spread.max(), 1e-300)
    )


def diversity(similarities: Sequence[FloatArray]) -> FloatArray:
    """Minus the mean similarity of each system's translation to each other one's, segment by segment.

    ``similarities`` has a matrix for each segment, from 0 to 100; what stands on the diagonal is left out.
    """
    found = []
    for matrix in similarities:
        count = len(matrix)
        others = matrix.sum() - np.trace(matrix)
        found.append(0.0 if count < 2 else -float(others) / (count * (count - 1)) / 100)
    return np.array(found)


def _standardised(scores: FloatArray) -> FloatArray:
    flat = scores.reshape(len(scores), -1)
    spread = np.sqrt(_variance(flat, axis=1))
    spread = np.where(spread > 0, spread, 1.0)
    result: FloatArray = (scores - _mean(flat, axis=1)[:, None, None]) / spread[:, None, None]
    return result


def _mean(values: FloatArray, axis: int) -> FloatArray:
    """Over what is known; 0 where nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray(np.nan_to_num(np.nanmean(values, axis=axis)))


def _variance(values: FloatArray, axis: int) -> FloatArray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray(np.nan_to_num(np.nanvar(values, axis=axis)))
