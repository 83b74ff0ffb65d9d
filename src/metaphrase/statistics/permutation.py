"""Does one metric agree with people better than another? The permutation test PERM-BOTH.

Daniel Deutsch, Rotem Dror, Dan Roth: A Statistical Analysis of Summarization Evaluation Metrics Using
Resampling Methods. TACL 2021. Details follow mt-metrics-eval: scores of both metrics are standardised
over all judged cells; every resample exchanges them in some units with probability 1/2; p is the share of
resamples in which the first hybrid leads the second by at least the observed difference.

Pairwise accuracy with ties is acc_eq of Daniel Deutsch, George Foster, Markus Freitag: Ties Matter: Meta-
Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration. EMNLP 2023: pairs that metric and people
order alike, or both tie, per pair. A metric ties what differs by at most ε. It is compared in integers, so
equal differences are equal whatever the order of sums.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray, one_line
from metaphrase.errors import InputError, OptionError
from metaphrase.statistics.grouping import GroupBy
from metaphrase.statistics.judged_cells import JudgedCells
from metaphrase.statistics.null_distributions import (
    Differences,
    NullDistribution,
    PairOutcomes,
    null_of_calibrated_accuracy,
    null_of_coefficient,
    null_of_fixed_accuracy,
    null_of_outcomes,
)
from metaphrase.statistics.resampling import RESAMPLES, SEED, check_resamples
from metaphrase.threads import check_threads

AGREEMENTS = ("pearson", "spearman", "kendall", "accuracy")
LEVELS = ("segment", "system")
GROUPS = ("none", "segment", "system")
SWAPS = ("cell", "segment", "system", "pair")

#: Random words held in memory at a time.
_WORDS = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyStopping:
    """After every ``block`` resamples, stop if p is clear already: below ``low`` or above ``high``.

    mt-metrics-eval's rule with its defaults, but for the block (there 1000).
    """

    block: int = 100
    low: float = 0.02
    high: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class PermutationResult:
    """``p_value`` is one-sided: a small one says that the metric agrees better than its rival.

    ``differences`` are those of the hybrids, one per resample that was made.
    """

    p_value: float
    metric: float
    rival: float
    difference: float
    differences: FloatArray

    __repr__ = one_line

    @property
    def resamples(self) -> int:
        """How many resamples were made; fewer than asked for if stopped early."""
        return len(self.differences)


def permutation_test(
    metric: ArrayLike,
    rival: ArrayLike,
    human: ArrayLike,
    *,
    agreement: Literal["pearson", "spearman", "kendall", "accuracy"] = "pearson",
    level: Literal["segment", "system"] = "segment",
    group_by: GroupBy = "none",
    swap: Literal["cell", "segment", "system", "pair"] = "cell",
    epsilon: float | tuple[float, float] | Literal["calibrated"] = 0.0,
    undefined: Literal["leave-out", "zero"] = "leave-out",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    early: EarlyStopping | None = None,
    threads: int | None = None,
) -> PermutationResult:
    """Test whether ``metric`` agrees with ``human`` better than ``rival`` does.

    Scores are matrices (systems, segments), higher is better; cells that lack one of the three scores (NaN)
    are left out.

    agreement: Pearson, Spearman, Kendall τ-b, or pairwise accuracy with ties
    level: ``system`` averages cells into system scores after the exchange and compares those, pooled. Scores
        that are given for systems only are a matrix with one column.
    group_by: the coefficient of all cells, or the mean of coefficients of segments or of systems
    swap: what is exchanged as a whole. ``pair`` exchanges outcomes of pairs instead of scores, so that each
        metric keeps its own ε (mt-metrics-eval's pairs test; accuracy only). It takes pairs for independent
        and so finds differences too often: docs/significance.md has figures.
    epsilon: for accuracy, in units of the standardised scores; ``calibrated`` gives each metric, and each
        hybrid of each resample, the ε that serves it best. With ``swap="pair"``, one for both metrics or a
        pair of them, in units of the scores; ``calibrated`` is done once for each metric.
    undefined: groups without a coefficient (constant scores) are left out of the mean, or count as 0
    """
    options = {"agreement": agreement, "level": level, "group_by": group_by, "swap": swap}
    choices = (AGREEMENTS, LEVELS, GROUPS, SWAPS)
    for (name, value), known in zip(options.items(), choices, strict=True):
        _check_choice(name, value, known)
    _check_choice("undefined", undefined, ("leave-out", "zero"))
    check_resamples(resamples, seed)
    workers = check_threads(threads)
    _check_combination(agreement, level, group_by, swap, epsilon)
    if early is not None and (early.block < 1 or not 0 <= early.low <= early.high <= 1):
        raise OptionError("MP748", f"{early} needs a block of at least 1 and 0 ≤ low ≤ high ≤ 1.")
    cells = JudgedCells.of(
        metric, rival, human, group_by="system" if level == "system" else group_by
    )
    generator = np.random.default_rng(seed)
    if agreement == "accuracy" and level == "segment":
        if swap == "pair":
            epsilons = epsilon if isinstance(epsilon, tuple) else (epsilon, epsilon)
            null = null_of_outcomes(
                PairOutcomes.of(cells, cells.raw_metric, epsilons[0]),
                PairOutcomes.of(cells, cells.raw_rival, epsilons[1]),
                generator,
            )
        elif epsilon == "calibrated":
            null = null_of_calibrated_accuracy(cells, swap, generator, workers)
        else:
            assert isinstance(epsilon, int | float)
            null = null_of_fixed_accuracy(cells, swap, float(epsilon), generator, workers)
    else:
        assert isinstance(epsilon, int | float)
        null = null_of_coefficient(
            cells, agreement, level, swap, float(epsilon), undefined, generator, workers
        )
    return outcome(null, resamples, early)


def outcome(
    null: NullDistribution, resamples: int, early: EarlyStopping | None = None
) -> PermutationResult:
    """Draw from a null distribution, and count what is as large as the observed difference."""
    difference = null.metric - null.rival
    if math.isnan(difference):
        return PermutationResult(
            math.nan, null.metric, null.rival, math.nan, np.empty(0, dtype=np.float64)
        )
    tally = Tally(null.lead, early)
    for size in resample_blocks(resamples, early, null.words):
        if tally.add(null.draw(size)):
            break
    return tally.result(null.metric, null.rival, null.scale)


@dataclass(slots=True, eq=False)
class Tally:
    """The differences that were drawn so far, and how many of them reach ``lead``."""

    lead: float
    early: EarlyStopping | None = None
    drawn: list[Differences] = field(default_factory=list)
    count: int = 0
    made: int = 0

    def add(self, differences: Differences) -> bool:
        """Count more of them; whether p is clear already, so that the test may stop."""
        self.drawn.append(differences)
        self.count += int(np.sum(differences >= self.lead))
        self.made += len(differences)
        early = self.early
        if early is None or self.made % early.block:
            return False
        return not early.low <= self.count / self.made <= early.high

    def result(self, metric: float, rival: float, scale: float = 1.0) -> PermutationResult:
        """The test, of the two observed agreements; differences are in units of 1/``scale``."""
        differences = np.concatenate(self.drawn).astype(np.float64) / scale
        share = self.count / self.made
        return PermutationResult(share, metric, rival, metric - rival, differences)


def resample_blocks(resamples: int, early: EarlyStopping | None, words: int) -> Iterator[int]:
    """Sizes of pieces that end where blocks end and whose random words fit into memory."""
    block = early.block if early else resamples
    most = max(_WORDS // words, 1)
    for first in range(0, resamples, block):
        whole = min(block, resamples - first)
        for begin in range(0, whole, most):
            yield min(most, whole - begin)


def _check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise OptionError(
            "MP747", f"{name} is {value!r}.", hint=f"Choose one of {', '.join(known)}."
        )


def _check_combination(
    agreement: str, level: str, group_by: str, swap: str, epsilon: object
) -> None:
    def refuse(message: str) -> None:
        raise OptionError("MP748", message)

    single = isinstance(epsilon, int | float) and not isinstance(epsilon, bool)
    double = isinstance(epsilon, tuple) and len(epsilon) == 2
    numbers: list[Any] = (
        [epsilon] if single else list(cast(tuple[Any, ...], epsilon)) if double else []
    )
    if not (numbers or epsilon == "calibrated") or not all(0 <= e < math.inf for e in numbers):
        refuse(f"epsilon is {epsilon!r}; it must be at least 0, or 'calibrated'.")
    if agreement != "accuracy" and epsilon != 0.0:
        refuse(f"epsilon is for accuracy, not for {agreement}.")
    if level == "system" and group_by != "none":
        refuse("system scores are compared pooled: leave group_by out.")
    if level == "system" and not single:
        refuse("system scores are compared with one fixed epsilon.")
    if swap == "pair" and (agreement != "accuracy" or level != "segment"):
        refuse('swap="pair" is for accuracy at segment level.')
    if double and swap != "pair":
        refuse('an epsilon for each metric needs swap="pair": hybrids have scores of both.')


def significance_matrix(
    metrics: ArrayLike, human: ArrayLike, **options: Any
) -> tuple[FloatArray, FloatArray]:
    """Agreements of many metrics (metrics, systems, segments), and one-sided p-values of each pair.

    ``p[i, j]`` is the p-value of "i agrees better than j", filled in where i's agreement is the higher one
    (the lower number if equal) and NaN elsewhere, as
    :func:`metaphrase.statistics.clusters.significance_clusters` reads it.
    ``options`` are those of :func:`permutation_test`.
    """
    scores = np.asarray(metrics, dtype=np.float64)
    if scores.ndim != 3:
        raise InputError(
            "MP750", f"scores of shape {scores.shape}, not (metrics, systems, segments)."
        )
    count = len(scores)
    agreements = np.array(
        [permutation_test(s, s, human, **{**options, "resamples": 1}).metric for s in scores]
    )
    p_values = np.full((count, count), np.nan)
    for i in range(count):
        for j in range(count):
            if agreements[i] > agreements[j] or (agreements[i] == agreements[j] and i < j):
                p_values[i, j] = permutation_test(scores[i], scores[j], human, **options).p_value
    return agreements, p_values
