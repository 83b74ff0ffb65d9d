"""BLEU, chrF and TER of many rows of counts at once, equal to sacreBLEU's to the last bit.

Resampling asks for thousands of scores and choosing among candidates for millions, which sacreBLEU computes
one by one. Sums, products and quotients are in sacreBLEU's order; logarithms and exponentials are the C
library's, as Python's are, because NumPy's differ in the last bit.
"""

from __future__ import annotations

import numpy as np

from metaphrase._core import ngrams as _core
from metaphrase.arrays import BoolArray, FloatArray

#: Its smoothing values where none is given.
_SMOOTHING = {"floor": 0.1, "add-k": 1.0}


def bleu_scores(
    counts: FloatArray,
    *,
    smooth_method: str,
    smooth_value: float | None,
    effective_order: bool,
) -> FloatArray:
    """BLEU of rows of hypothesis length, reference length, matches by order and n-grams by order.

    smooth_method: what a precision without a match is taken for (Chen and Cherry, WMT 2014): ``none``,
        ``floor``, ``add-k`` or ``exp``
    effective_order: leave out the orders for which the hypothesis is too short
    """
    return _core.bleu_scores(
        np.ascontiguousarray(counts, dtype=np.float64),
        smooth_method,
        _SMOOTHING.get(smooth_method, 0.0) if smooth_value is None else smooth_value,
        effective_order,
    )


def bleu_precisions(
    counts: FloatArray, *, smooth_method: str, smooth_value: float | None
) -> tuple[FloatArray, BoolArray]:
    """By order the precision, smoothed and in per cent, and whether there are n-grams to ask it of."""
    orders = (counts.shape[1] - 2) // 2
    matches, totals = counts[:, 2 : 2 + orders], counts[:, 2 + orders :]
    smoothing = _SMOOTHING.get(smooth_method, 0.0) if smooth_value is None else smooth_value
    if smooth_method == "add-k":
        added = np.where(np.arange(orders) > 0, smoothing, 0.0)
        matches, totals = matches + added, totals + added
    # Orders are used up to the first without n-grams.
    present = np.logical_and.accumulate(totals != 0, axis=1)
    hit = present & (matches != 0)
    miss = present & ~hit
    precisions = np.zeros_like(totals)
    np.divide(100.0 * matches, totals, out=precisions, where=hit)
    if smooth_method == "exp":
        halving = np.multiply.accumulate(np.where(miss, 2.0, 1.0), axis=1)
        np.divide(100.0, halving * totals, out=precisions, where=miss)
    elif smooth_method == "floor":
        np.divide(100.0 * smoothing, totals, out=precisions, where=miss)
    return precisions, present


def chrf_scores(counts: FloatArray, *, beta: int, eps_smoothing: bool) -> FloatArray:
    """chrF of rows of hypothesis n-grams, reference n-grams and matches, for each order in turn.

    eps_smoothing: mean of F-scores, with a tiny number for what is undefined, as in chrF++.py; otherwise the
        F-score of mean precision and mean recall over the orders that both sides have
    """
    rows = np.ascontiguousarray(counts, dtype=np.float64)
    return _core.chrf_scores(rows, float(beta**2), eps_smoothing)


def ter_scores(counts: FloatArray) -> FloatArray:
    """TER of rows of edits and reference words; edits without a reference word are 100."""
    edits, words = counts.T
    return 100 * _quotients(edits, words, np.where(edits > 0, 1.0, 0.0))


def _quotients(
    numerators: FloatArray, denominators: FloatArray, otherwise: float | FloatArray
) -> FloatArray:
    """Quotients where the denominator is above 0."""
    sound = denominators > 0
    return np.where(sound, numerators / np.where(sound, denominators, 1.0), otherwise)


def brevity_penalties(lengths: FloatArray, references: FloatArray) -> FloatArray:
    """BLEU's factor for hypotheses that are shorter than their references.

    Lengths are whole numbers, which sacreBLEU makes them, but for sums of references that have weights.
    """
    short = lengths < references
    exponents = np.where(short, 1 - _quotients(references, lengths, 0.0), 0.0)
    penalties = _exponentials(exponents)
    penalties[short & (lengths <= 0)] = 0.0
    return penalties


def _exponentials(values: FloatArray) -> FloatArray:
    return _core.exponentials(np.ascontiguousarray(values))
