"""How far two metrics would differ if chance had dealt them their scores: one way for each measure.

Random bits come from one generator in the order of resamples, so results depend on the seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metaphrase._core import meta as _core
from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.errors import OptionError
from metaphrase.statistics.judged_cells import JudgedCells

Differences = FloatArray | Int64Array

#: Differences that rounding alone can make are counted as equal; accuracies need no such allowance.
_ROUNDING = 1e-12
#: Pairs that fit into about 1 GB: calibrating every hybrid takes up to eight events of 40 bytes for a pair,
#: exchanging outcomes a dozen arrays of them.
_MOST_CALIBRATED, _MOST_OUTCOMES = 3_000_000, 10_000_000


@dataclass(frozen=True, slots=True)
class NullDistribution:
    """Observed agreements, and draws of their difference under the null hypothesis: that of two hybrids.

    Accuracies are counted in integers, in units of 1/``scale``. ``lead`` is what a difference must reach to
    be as large as the observed one.
    """

    metric: float
    rival: float
    lead: float
    #: The differences of so many more resamples.
    draw: Callable[[int], Differences]
    #: Random words that a resample takes.
    words: int
    scale: float = 1.0


def _bits(generator: np.random.Generator, resamples: int, units: int) -> NDArray[np.uint64]:
    """A bit for each unit, packed into words."""
    size = (resamples, -(-units // 64))
    return generator.integers(0, 2**64, size=size, dtype=np.uint64)


def _paired(cells: JudgedCells, swap: str) -> tuple[_core.PairedCells, int]:
    """The scores of both metrics, and how many units are exchanged."""
    unit, units = cells.units(swap)
    return _core.PairedCells(cells.metric, cells.rival, unit, units), units


def null_of_coefficient(
    cells: JudgedCells,
    agreement: str,
    level: str,
    swap: str,
    epsilon: float,
    undefined: str,
    generator: np.random.Generator,
    threads: int,
) -> NullDistribution:
    """Any coefficient, measured again on every hybrid."""
    paired, units = _paired(cells, swap)
    how = _core.Measure(agreement, epsilon, undefined == "zero")
    human, offsets = cells.human, cells.offsets
    means = np.empty(0, dtype=np.int64)
    if level == "system":
        means = cells.offsets
        sums = np.add.reduceat(human, means[:-1]) if len(human) else human
        human = np.ascontiguousarray(sums / np.diff(means))
        offsets = np.array([0, len(human)], dtype=np.int64)

    def measure(bits: NDArray[np.uint64]) -> FloatArray:
        return _core.hybrid_agreements(how, paired, human, means, offsets, bits, threads)

    def draw(resamples: int) -> FloatArray:
        # A hybrid may be undefined though the metrics are not: mt-metrics-eval takes its agreement for 0.
        hybrids = np.nan_to_num(measure(_bits(generator, resamples, units)))
        return np.asarray(hybrids[:, 0] - hybrids[:, 1])

    words = -(-units // 64)
    metric, rival = measure(np.zeros((1, words), dtype=np.uint64))[0].tolist()
    return NullDistribution(metric, rival, metric - rival - _ROUNDING, draw, words)


def null_of_fixed_accuracy(
    cells: JudgedCells, swap: str, epsilon: float, generator: np.random.Generator, threads: int
) -> NullDistribution:
    """Pairwise accuracy with one ε: linear in the exchanges (src/core/meta/permutation.hpp says why)."""
    paired, units = _paired(cells, swap)
    weights, scale = cells.pair_weights()
    first, second, amounts = _core.linear_difference(
        paired, cells.human, cells.offsets, weights, epsilon
    )

    def draw(resamples: int) -> Int64Array:
        bits = _bits(generator, resamples, units)
        return first - second + _core.exchanged_amounts(amounts, bits, threads)

    return _null_of_accuracy(first, second, draw, scale, -(-units // 64))


def null_of_calibrated_accuracy(
    cells: JudgedCells, swap: str, generator: np.random.Generator, threads: int
) -> NullDistribution:
    """Pairwise accuracy where each hybrid has its own best ε."""
    _check_pairs(cells, _MOST_CALIBRATED)
    paired, units = _paired(cells, swap)
    weights, scale = cells.pair_weights()
    pairs = _core.CalibratedPairs(paired, cells.human, cells.offsets, weights)

    def draw(resamples: int) -> Int64Array:
        hybrids = pairs.best_rights(_bits(generator, resamples, units), threads)
        return np.asarray(hybrids[:, 0] - hybrids[:, 1])

    words = -(-units // 64)
    first, second = pairs.best_rights(np.zeros((1, words), dtype=np.uint64), 1)[0].tolist()
    return _null_of_accuracy(first, second, draw, scale, words)


@dataclass(frozen=True, slots=True, eq=False)
class PairOutcomes:
    """Which pairs a metric has right, with an ε of its own.

    Pairs stand group by group; ``kind`` says which of ``kinds`` a pair weighs, and ``scale`` is the sum of
    all weights.
    """

    right: BoolArray
    kind: Int64Array
    kinds: Int64Array
    scale: int

    @classmethod
    def of(
        cls, cells: JudgedCells, scores: FloatArray, epsilon: float | Literal["calibrated"]
    ) -> PairOutcomes:
        """The outcomes of ``scores``, one of the two that ``cells`` have."""
        _check_pairs(cells, _MOST_OUTCOMES)
        weights, scale = cells.pair_weights()
        right = cells.right_pairs(scores, epsilon, weights)
        kinds, places = np.unique(weights, return_inverse=True)
        empty = np.empty(0, dtype=np.bool_)
        return cls(
            np.concatenate([empty, *right]),
            np.repeat(places.astype(np.int64), cells.pairs()),
            kinds,
            scale,
        )

    @property
    def sum(self) -> int:
        """The weights of all right pairs."""
        counts = np.bincount(self.kind[self.right], minlength=len(self.kinds))
        return sum(int(n) * int(w) for n, w in zip(counts, self.kinds, strict=True))


def null_of_outcomes(
    metric: PairOutcomes, rival: PairOutcomes, generator: np.random.Generator
) -> NullDistribution:
    """Pairwise accuracy where pairs' outcomes are exchanged.

    Only pairs on which the metrics disagree matter, and each moves the difference by its group's weight up or
    down: the number that goes up is binomial, so no pair needs to be drawn by itself.
    """
    kinds = metric.kinds
    numbers = np.bincount(metric.kind[metric.right != rival.right], minlength=len(kinds))

    def draw(resamples: int) -> Int64Array:
        up = generator.binomial(numbers, 0.5, size=(resamples, len(numbers)))
        return np.asarray((2 * up - numbers) @ kinds)

    return _null_of_accuracy(metric.sum, rival.sum, draw, metric.scale, max(len(kinds), 1))


def _null_of_accuracy(
    first: int, second: int, draw: Callable[[int], Int64Array], scale: float, words: int
) -> NullDistribution:
    if scale == 0:
        return NullDistribution(math.nan, math.nan, math.nan, draw, words)
    return NullDistribution(first / scale, second / scale, first - second, draw, words, scale)


def _check_pairs(cells: JudgedCells, most: int) -> None:
    pairs = int(cells.pairs().sum())
    if pairs > most:
        raise OptionError(
            "MP749",
            f"there are {pairs:,} pairs, which would take too much memory.",
            hint='Group by segment, or give a fixed epsilon and swap="cell".',
        )
