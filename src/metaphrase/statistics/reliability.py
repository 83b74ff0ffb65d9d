"""How far judges say the same of the same items: Krippendorff's alpha and Cohen's kappa.

Alpha (Krippendorff, *Content Analysis*, 4th edition 2019, chapter 12; *Computing Krippendorff's
Alpha-Reliability*, 2011) takes any number of judges, of whom each may have judged a part only:
α = 1 − D_o / D_e, the disagreement observed within items beside the one expected if all values were dealt out
at random. 1 is perfect, 0 is chance, and below 0 judges disagree systematically.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.statistics.checked_scores import one_of, score_matrix, vector_pair

#: What values say: names alone, an order, or distances.
Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(ratings: ArrayLike, *, level: Level = "interval") -> float:
    """α of ratings (judges, items), NaN where a judge did not rate an item.

    The difference of two values is whether they differ (``nominal``), how many values lie between them
    (``ordinal``), or their distance (``interval``), squared. Items that one judge alone has rated are left
    out. NaN if nothing is left or all values are the same: then nobody can tell agreement from chance.

    >>> krippendorff_alpha([[1, 2, 3, 3], [1, 2, 3, 4]], level="nominal").__round__(3)
    0.696
    """
    one_of(level, get_args(Level), "level")
    matrix = score_matrix(ratings, "ratings")
    known = ~np.isnan(matrix)
    kept = known.sum(axis=0) > 1
    matrix, known = matrix[:, kept], known[:, kept]
    item, value = np.nonzero(known.T)[0], matrix.T[known.T]
    sizes = np.bincount(item)
    if len(np.unique(value)) < 2:
        return float("nan")
    apart = _differing if level == "nominal" else _squared
    if level == "ordinal":
        value = _mean_ranks(value)
    everything = np.zeros(len(item), dtype=np.int64)
    observed = (apart(item, value) / (sizes - 1)).sum()
    return float(1 - observed / (apart(everything, value)[0] / (len(item) - 1)))


def _differing(group: Int64Array, value: FloatArray) -> FloatArray:
    """Of each group the ordered pairs of different values."""
    alike, counts = np.unique(np.stack([group, value]), axis=1, return_counts=True)
    same = np.bincount(alike[0].astype(np.int64), weights=counts.astype(np.float64) ** 2)
    result: FloatArray = np.bincount(group).astype(np.float64) ** 2 - same
    return result


def _squared(group: Int64Array, value: FloatArray) -> FloatArray:
    """Of each group the squared differences of all ordered pairs: twice size times squared deviations."""
    sizes = np.bincount(group)
    unit = (value - value.min()) / (
        value.max() - value.min()
    )  # squares stay inside double precision
    deviations = unit - (np.bincount(group, weights=unit) / sizes)[group]
    squares = np.bincount(group, weights=deviations**2)
    return np.asarray(2.0 * sizes * squares)


def _mean_ranks(value: FloatArray) -> FloatArray:
    """Ranks among all ratings, equal ones in the middle of theirs: what lies between two values."""
    _, place, counts = np.unique(value, return_inverse=True, return_counts=True)
    ranks: FloatArray = np.cumsum(counts).astype(np.float64) - counts / 2
    return ranks[place]


def cohen_kappa(first: ArrayLike, second: ArrayLike) -> float:
    """Cohen's κ = (P(A) − P(E)) / (1 − P(E)) of two judges' labels, as numbers; NaN is no label.

    P(A) is the share of items with the same label, P(E) that share if each judge dealt out the own labels at
    random (Cohen 1960). NaN without a common item, or if both gave one and the same label only.

    >>> round(cohen_kappa([0, 0, 1, 1, 1], [0, 1, 1, 1, 1]), 3)
    0.545
    """
    one, other = vector_pair(first, second)
    both = ~np.isnan(one + other)
    if not both.any():
        return float("nan")
    one, other = one[both], other[both]
    labels = np.unique([one, other])
    shares = np.array([[(side == label).mean() for label in labels] for side in (one, other)])
    expected = float(shares.prod(axis=0).sum())
    return float(((one == other).mean() - expected) / (1 - expected)) if expected < 1 else np.nan
