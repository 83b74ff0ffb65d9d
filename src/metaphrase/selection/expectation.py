"""Expected scores: weighted means of a candidate's scores with all samples."""

from __future__ import annotations

import math

import numpy as np

from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.errors import InputError
from metaphrase.metrics import Metric
from metaphrase.selection.candidates import DistinctCandidates
from metaphrase.statistics.exact_sum import ExactSum

#: Bits of the largest number of a sum; exponents below the least one are not made up for.
_BITS, _LEAST = 31, -990


def finite(scores: FloatArray, metric: Metric) -> FloatArray:
    """The scores, unless one is infinite or not a number: nothing can be chosen by such a score."""
    if not np.isfinite(scores).all():
        wrong = scores[~np.isfinite(scores)][0]
        raise InputError("MP743", f"{metric.label} gives a score of {wrong}.")
    return scores


def weighted_means(scores: FloatArray, weights: FloatArray) -> FloatArray:
    """The mean of each row of scores, on which the order of samples has no influence."""
    return np.asarray(_sums(scores * weights) / math.fsum(weights))


def candidate_means(
    distinct: DistinctCandidates, rows: Int32Array, members: Int64Array, scores: FloatArray
) -> FloatArray:
    """Of candidates, by number, the mean of their text's row of scores; ``rows`` are these texts."""
    places = np.searchsorted(rows, distinct.candidates[members])
    return weighted_means(scores, distinct.weights)[places]


def means_without_self(
    distinct: DistinctCandidates,
    rows: Int32Array,
    members: Int64Array,
    scores: FloatArray,
    copies: FloatArray,
) -> FloatArray:
    """The same, if candidates are the samples and none of them is compared with itself.

    ``copies`` are the weights of all other copies of each candidate, with which it is compared. What nothing
    else can stand in for is compared with itself.
    """
    each = np.arange(len(rows))
    own = np.searchsorted(distinct.samples, rows)
    # Nothing is taken away from a sum: beside a sample of nearly all the weight, the others would be lost.
    others = np.tile(distinct.weights, (len(rows), 1))
    others[each, own] = 0.0
    largest = others.max(axis=1)
    others /= np.where(largest > 0, largest, 1.0)[:, None]
    sums, totals = _sums(scores * others), others.sum(axis=1)
    places = np.searchsorted(rows, distinct.candidates[members])
    weight, itself = largest[places], scores[each, own][places]
    unit = np.maximum(weight, copies)
    alone = unit == 0
    unit[alone] = 1.0
    weight, copies = weight / unit, np.where(alone, 1.0, copies / unit)
    return np.asarray(
        (sums[places] * weight + itself * copies) / (totals[places] * weight + copies)
    )


def _sums(products: FloatArray) -> FloatArray:
    """The exact sum of each row, rounded once."""
    # A metric may have scores of any size; a factor of 2ⁿ changes nothing else.
    _, exponents = np.frexp(np.abs(products).max(axis=1, initial=0.0))
    factors = np.ldexp(1.0, _BITS - np.maximum(exponents, _LEAST))
    sums = ExactSum()
    sums.add((products * factors[:, None]).T)
    return np.asarray(sums.value() / factors)
