"""The share of segments that each system wins: a system's score in UPF-Cobalt's paper (METRICS 1.11)."""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.errors import OptionError

#: What a segment is worth to each of t systems that share its best score: 1, or 1/t.
TIE_RULES = ("all", "share")


def wins(table: FloatArray, *, ties: str = "all") -> FloatArray:
    """The share of columns (segments) in which each row (system) has the highest number.

    NaN is a segment that a system has no text of: it is none of its segments. A system without any has NaN.

    >>> wins(np.array([[0.5, 0.2, np.nan], [0.5, 0.3, 0.1]]), ties="share")
    array([0.25      , 0.83333333])
    """
    check_tie_rule(ties)
    known = ~np.isnan(table)
    highest = np.where(known, table, -np.inf).max(axis=0)
    best = (known & (table == highest)).astype(np.float64)
    if ties == "share":
        best /= np.maximum(best.sum(axis=0), 1.0)
    undefined = np.full(len(table), np.nan)
    segments = known.sum(axis=1)
    return np.asarray(np.divide(best.sum(axis=1), segments, out=undefined, where=segments > 0))


def check_tie_rule(ties: str) -> None:
    """Refuse what is no rule."""
    if ties not in TIE_RULES:
        raise OptionError(
            "MP532", f"ties={ties!r} is no rule.", hint=f"Choose {' or '.join(TIE_RULES)}."
        )
