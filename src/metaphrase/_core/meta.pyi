"""Kernels of significance tests; see src/core/meta/bind_meta.cpp. Call them through metaphrase.meta."""

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import BoolArray, FloatArray, Int32Array, Int64Array

def bootstrap_sums(statistics: FloatArray, draws: Int64Array, threads: int) -> FloatArray:
    """Sums of the rows that each resample draws, (resamples, k)."""

def exchanged_sums(
    first: FloatArray, second: FloatArray, stay: BoolArray, threads: int
) -> tuple[FloatArray, FloatArray]:
    """Sums of two systems after exchanging the segments that do not stay, (resamples, k) each."""

class PairedCells:
    """Scores of two metrics; those of a unit are exchanged together."""

    def __init__(
        self, first: FloatArray, second: FloatArray, unit: Int32Array, units: int
    ) -> None: ...

class Measure:
    """How well metrics agree with people."""

    def __init__(self, agreement: str, epsilon: float, undefined_is_zero: bool) -> None: ...

def hybrid_agreements(
    measure: Measure,
    cells: PairedCells,
    human: FloatArray,
    mean_offsets: Int64Array,
    group_offsets: Int64Array,
    bits: NDArray[np.uint64],
    threads: int,
) -> FloatArray:
    """The agreement of both hybrids in each resample, (resamples, 2)."""

def linear_difference(
    cells: PairedCells,
    human: FloatArray,
    group_offsets: Int64Array,
    weights: Int64Array,
    epsilon: float,
) -> tuple[int, int, Int64Array]:
    """Weighted right pairs of both metrics, and what exchanging each unit adds to their difference."""

def exchanged_amounts(amounts: Int64Array, bits: NDArray[np.uint64], threads: int) -> Int64Array:
    """Sums of the amounts of exchanged units, (resamples,)."""

class CalibratedPairs:
    """Pairs whose rights are counted with the best epsilon of each hybrid."""

    def __init__(
        self, cells: PairedCells, human: FloatArray, group_offsets: Int64Array, weights: Int64Array
    ) -> None: ...
    def best_rights(self, bits: NDArray[np.uint64], threads: int) -> Int64Array:
        """Weighted right pairs of both hybrids in each resample, (resamples, 2)."""
