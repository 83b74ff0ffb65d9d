"""p-values of many tests at once: of 105 pairs of equal systems, five differ at the level .05.

Sture Holm: A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics,
1979.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray
from metaphrase.errors import OptionError

Correction = Literal["holm", "none"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)


def holm(p_values: ArrayLike) -> FloatArray:
    """p-values that may be compared with the level, however many there are and however they depend.

    The k-th smallest of m is multiplied by m − k + 1, and none is smaller than the one before it. Any test
    that is called significant wrongly comes about with at most the probability of the level.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.maximum.accumulate(np.minimum(values[order] * factors, 1.0))
    return adjusted


def corrected(p_values: ArrayLike, correction: Correction = "holm") -> FloatArray:
    """The p-values by the correction asked for.

    >>> corrected([0.01, 0.04], "none").tolist()
    [0.01, 0.04]
    """
    if correction not in CORRECTIONS:
        raise OptionError(
            "MP765",
            f"there is no correction {correction!r}.",
            hint=f"Choose {' or '.join(CORRECTIONS)}.",
        )
    return holm(p_values) if correction == "holm" else np.asarray(p_values, dtype=np.float64)
