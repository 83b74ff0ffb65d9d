"""BLEU, chrF and TER of many rows of counts at once, equal to sacreBLEU's to the last bit.

Resampling asks for thousands of scores, which sacreBLEU computes one by one. Sums, products and quotients
are NumPy's and in sacreBLEU's order; logarithms and exponentials are taken one by one all the same, because
NumPy's differ from the C library's in the last bit.
"""

from __future__ import annotations

import math

import numpy as np

from metaphrase.arrays import FloatArray

#: sacreBLEU's stand-in for the logarithm of a precision of 0.
_LOG_OF_ZERO = -9999999999.0
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
    orders = (counts.shape[1] - 2) // 2
    smoothing = _SMOOTHING.get(smooth_method, 0.0) if smooth_value is None else smooth_value
    rows = len(counts)
    # Orders are used up to the first without n-grams.
    present = np.ones(rows, dtype=bool)
    last = np.full(rows, orders)
    halving = np.ones(rows)
    precisions = []
    for n in range(1, orders + 1):
        matches, total = counts[:, 1 + n], counts[:, 1 + orders + n]
        if smooth_method == "add-k" and n > 1:
            matches, total = matches + smoothing, total + smoothing
        present = present & (total != 0)
        if effective_order:
            last[present] = n
        precision = np.zeros(rows)
        hit = present & (matches != 0)
        precision[hit] = 100.0 * matches[hit] / total[hit]
        miss = present & (matches == 0)
        if smooth_method == "exp":
            halving[miss] *= 2
            precision[miss] = 100.0 / (halving[miss] * total[miss])
        elif smooth_method == "floor":
            precision[miss] = 100.0 * smoothing / total[miss]
        precisions.append(precision)
    logarithms = np.zeros(rows)
    for n, precision in enumerate(precisions, start=1):
        logarithms += np.where(n <= last, _logarithms(precision), 0.0)
    scores = _brevity_penalties(counts[:, 0], counts[:, 1]) * _exponentials(logarithms / last)
    scores[~np.any(counts[:, 2 : 2 + orders] != 0, axis=1)] = 0.0
    return scores


def chrf_scores(counts: FloatArray, *, beta: int, eps_smoothing: bool) -> FloatArray:
    """chrF of rows of hypothesis n-grams, reference n-grams and matches, for each order in turn.

    eps_smoothing: mean of F-scores, with a tiny number for what is undefined, as in chrF++.py; otherwise the
        F-score of mean precision and mean recall over the orders that both sides have
    """
    tiny = 1e-16
    factor = float(beta**2)
    orders = counts.shape[1] // 3
    score, precisions, recalls, used = (np.zeros(len(counts)) for _ in range(4))
    for i in range(orders):
        hypothesis, reference, matches = counts[:, 3 * i : 3 * i + 3].T
        precision = _quotients(matches, hypothesis, tiny)
        recall = _quotients(matches, reference, tiny)
        score += _quotients((1 + factor) * precision * recall, factor * precision + recall, tiny)
        both = (hypothesis > 0) & (reference > 0)
        precisions += np.where(both, precision, 0.0)
        recalls += np.where(both, recall, 0.0)
        used += both
    if eps_smoothing:
        return np.asarray(100 * score / orders)
    precision, recall = _quotients(precisions, used, 0.0), _quotients(recalls, used, 0.0)
    return 100 * _quotients((1 + factor) * precision * recall, factor * precision + recall, 0.0)


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


def _brevity_penalties(lengths: FloatArray, references: FloatArray) -> FloatArray:
    lengths, references = np.trunc(lengths), np.trunc(references)
    short = lengths < references
    exponents = np.where(short, 1 - _quotients(references, lengths, 0.0), 0.0)
    penalties = _exponentials(exponents)
    penalties[short & (lengths <= 0)] = 0.0
    return penalties


def _logarithms(values: FloatArray) -> FloatArray:
    return np.array([math.log(v) if v != 0 else _LOG_OF_ZERO for v in values.tolist()])


def _exponentials(values: FloatArray) -> FloatArray:
    return np.array([math.exp(v) for v in values.tolist()])
