"""Raw scores of judges on one scale.

Judges use a scale differently: some are strict, some avoid its ends. WMT's direct assessment therefore
standardises each judge's scores before they are averaged (Graham et al. 2013).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray
from metaphrase.statistics.checked_scores import ids, one_of, score_vector

Deviation = Literal["sample", "population"]
NoSpread = Literal["zero", "leave-out"]


def standardise_by_judge(
    scores: ArrayLike,
    judges: ArrayLike,
    *,
    deviation: Deviation = "sample",
    no_spread: NoSpread = "zero",
) -> FloatArray:
    """z = (score − mean of the judge) / standard deviation of the judge; a score and a judge per row.

    ``deviation`` divides by n − 1 (``sample``, as WMT) or n (``population``). A judge who gave a single
    score, or the same score always, has no deviation to divide by: all that is known is that the scores
    are that judge's average, so z is 0; ``leave-out`` makes it NaN instead. NaN stays NaN.
    """
    one_of(deviation, get_args(Deviation), "deviation")
    one_of(no_spread, get_args(NoSpread), "no_spread")
    values = score_vector(scores, "scores")
    judge = ids(judges, "judges", values.size)
    result = np.full(values.size, np.nan)
    rows = np.argsort(judge, kind="stable")
    rows = rows[~np.isnan(values[rows])]
    for own in np.split(rows, np.flatnonzero(np.diff(judge[rows])) + 1):
        result[own] = _standardised(values[own], deviation, no_spread)
    return result


def _standardised(values: FloatArray, deviation: Deviation, no_spread: NoSpread) -> FloatArray:
    if values.size == 0 or values.min() == values.max():
        return np.full(values.size, 0.0 if no_spread == "zero" else np.nan)
    unit = values.max() - values.min()  # keeps the squares of tiny scores above zero
    centred = (values - values.mean()) / unit
    spread = centred.std(ddof=1 if deviation == "sample" else 0)
    standardised: FloatArray = (centred - centred.mean()) / spread
    return standardised
