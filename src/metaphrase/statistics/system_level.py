"""Does the metric choose the better of two systems?

Pairwise accuracy (Kocmi et al., *To Ship or Not to Ship*, WMT 2021) asks for the order alone; soft pairwise
accuracy (Thompson et al., *Improving Statistical Significance in Human Evaluation of Automatic Metrics via
Soft Pairwise Accuracy*, WMT 2024) compares how sure the metric and people are of it.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.errors import InputError, OptionError
from metaphrase.statistics.checked_scores import ids, matrix_pair, one_of, score_matrix, vector_pair

HumanTies = Literal["count", "leave-out"]
EqualOutcomes = Literal["whole", "half"]


def system_pairwise_accuracy(
    metric: ArrayLike,
    human: ArrayLike,
    *,
    language_pairs: ArrayLike | None = None,
    counted: ArrayLike | None = None,
    human_ties: HumanTies = "count",
) -> float:
    """The share of pairs of systems for which sign(Δmetric) = sign(Δhuman), on vectors of system scores.

    With ``language_pairs``, a label per system, only systems of one language pair are compared and their
    pairs are pooled. ``counted`` is a symmetric matrix of booleans (systems, systems) that restricts
    the pairs, for example to those in which people's difference is significant. A pair that people tie
    asks the metric to tie too (``count``) or is left out. A system without a score takes no part.
    """
    one_of(human_ties, get_args(HumanTies), "human_ties")
    metric, human = vector_pair(metric, human)
    systems = metric.size
    first, second = np.triu_indices(systems, 1)
    keep = ~(np.isnan(metric + human)[first] | np.isnan(metric + human)[second])
    if language_pairs is not None:
        language = ids(language_pairs, "language_pairs", systems)
        keep &= language[first] == language[second]
    if counted is not None:
        keep &= _symmetric_mask(counted, systems)[first, second]
    metric_order = np.sign(metric[first] - metric[second])
    human_order = np.sign(human[first] - human[second])
    if human_ties == "leave-out":
        keep &= human_order != 0
    return float((metric_order == human_order)[keep].mean()) if keep.any() else float("nan")


def paired_permutation_p_values(
    scores: ArrayLike,
    *,
    permutations: int = 1000,
    seed: int = 4,
    equal: EqualOutcomes = "whole",
) -> FloatArray:
    """One-sided p-values, p[i, j] for «system i is better than j», from scores (systems, segments).

    The paired permutation test: each segment's two scores change places or not, with probability ½; p is
    the share of permutations whose difference of sums is at least the observed one. With d the differences
    of a pair, that is so if the sum of d over the segments changed is at most 0. ``equal`` outcomes count
    in full (the authors' program) or by ``half``, which makes p[i, j] + p[j, i] = 1 exactly.

    All pairs see the same permutations. A pair uses the segments scored for both systems; without any,
    and on the diagonal, p is NaN.
    """
    one_of(equal, get_args(EqualOutcomes), "equal")
    matrix = score_matrix(scores, "scores")
    systems, segments = matrix.shape
    changed = exchanges(permutations, segments, seed)
    p_values = np.full((systems, systems), np.nan)
    share = 1.0 if equal == "whole" else 0.5
    for i in range(systems - 1):
        known = ~np.isnan(matrix[i] + matrix[i + 1 :])
        differences = np.where(known, matrix[i], 0.0) - np.where(known, matrix[i + 1 :], 0.0)
        sums = changed @ differences.T
        # Sums that are 0 but for rounding: scores on a scale of points tie often.
        rounding = 1e-12 * np.abs(differences).sum(axis=1)
        below = np.count_nonzero(sums < -rounding, axis=0)
        ties = np.count_nonzero(np.abs(sums) <= rounding, axis=0)
        compared = known.any(axis=1)
        better = (below + share * ties) / permutations
        worse = (permutations - below - ties + share * ties) / permutations
        p_values[i, i + 1 :] = np.where(compared, better, np.nan)
        p_values[i + 1 :, i] = np.where(compared, worse, np.nan)
    return p_values


def soft_pairwise_accuracy(metric_p_values: ArrayLike, human_p_values: ArrayLike) -> float:
    """SPA = 1 − mean over pairs i < j of |p_metric[i, j] − p_human[i, j]|.

    Both are matrices (systems, systems) of one-sided p-values, of which the upper triangle is read; pairs
    with a NaN are left out.
    """
    metric, human = matrix_pair(metric_p_values, human_p_values)
    if metric.shape[0] != metric.shape[1]:
        raise InputError("MP701", f"p-values have the shape {metric.shape}; it must be square.")
    pairs = np.triu_indices(metric.shape[0], 1)
    distance = np.abs(metric[pairs] - human[pairs])
    distance = distance[~np.isnan(distance)]
    return 1.0 - float(distance.mean()) if distance.size > 0 else float("nan")


def soft_pairwise_accuracy_of_scores(
    metric: ArrayLike,
    human: ArrayLike,
    *,
    permutations: int = 1000,
    seed: int = 4,
    equal: EqualOutcomes = "whole",
) -> float:
    """SPA from segment scores (systems, segments), both sides tested with the same permutations.

    Each side uses all segments it has scores for: people judge a part of what a metric scores.
    """
    metric, human = matrix_pair(metric, human)
    metric_p, human_p = (
        paired_permutation_p_values(scores, permutations=permutations, seed=seed, equal=equal)
        for scores in (metric, human)
    )
    return soft_pairwise_accuracy(metric_p, human_p)


def exchanges(permutations: int, segments: int, seed: int) -> FloatArray:
    """1 where a permutation changes a segment's two scores, else 0."""
    for name, value, least in (("permutations", permutations, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise OptionError(
                "MP711", f"{name} is {value!r}; it must be an integer of at least {least}."
            )
    # Drawn as the authors' program draws them (pce.py in mt-metrics-eval), so that its numbers come out: a
    # random number that rounds to 1 keeps a segment's scores in their places.
    kept = np.random.default_rng(seed).random((permutations, segments), dtype=np.float32)
    return np.asarray(np.rint(kept) == 0, dtype=np.float64)


def _symmetric_mask(counted: ArrayLike, systems: int) -> BoolArray:
    mask = np.asarray(counted)
    if mask.shape != (systems, systems) or mask.dtype != np.bool_ or (mask != mask.T).any():
        raise InputError(
            "MP706",
            f"counted must be a symmetric matrix of {systems} × {systems} booleans.",
        )
    return mask
