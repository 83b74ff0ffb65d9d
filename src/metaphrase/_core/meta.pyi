"""Kernels of significance tests; see src/core/meta/bind_meta.cpp. Call them through metaphrase.meta."""

import numpy as np
from numpy.typing import NDArray

def bootstrap_sums(
    statistics: NDArray[np.float64], draws: NDArray[np.int64], threads: int
) -> NDArray[np.float64]:
    """Sums of the rows that each resample draws, (resamples, k)."""

def exchanged_sums(
    first: NDArray[np.float64], second: NDArray[np.float64], stay: NDArray[np.bool_], threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of two systems after exchanging the segments that do not stay, (resamples, k) each."""

class PairedCells:
    """Scores of two metrics; those of a unit are exchanged together."""

    def __init__(
        self,
        first: NDArray[np.float64],
        second: NDArray[np.float64],
        unit: NDArray[np.int32],
        units: int,
    ) -> None: ...

class Measure:
    """How well metrics agree with people."""

    def __init__(self, agreement: str, epsilon: float, undefined_is_zero: bool) -> None: ...

def hybrid_agreements(
    measure: Measure,
    cells: PairedCells,
    human: NDArray[np.float64],
    mean_offsets: NDArray[np.int64],
    group_offsets: NDArray[np.int64],
    bits: NDArray[np.uint64],
    threads: int,
) -> NDArray[np.float64]:
    """The agreement of both hybrids in each resample, (resamples, 2)."""

def linear_difference(
    cells: PairedCells,
    human: NDArray[np.float64],
    group_offsets: NDArray[np.int64],
    weights: NDArray[np.int64],
    epsilon: float,
) -> tuple[int, int, NDArray[np.int64]]:
    """Weighted right pairs of both metrics, and what exchanging each unit adds to their difference."""

def exchanged_amounts(
    amounts: NDArray[np.int64], bits: NDArray[np.uint64], threads: int
) -> NDArray[np.int64]:
    """Sums of the amounts of exchanged units, (resamples,)."""

class CalibratedPairs:
    """Pairs whose rights are counted with the best epsilon of each hybrid."""

    def __init__(
        self,
        cells: PairedCells,
        human: NDArray[np.float64],
        group_offsets: NDArray[np.int64],
        weights: NDArray[np.int64],
    ) -> None: ...
    def best_rights(self, bits: NDArray[np.uint64], threads: int) -> NDArray[np.int64]:
        """Weighted right pairs of both hybrids in each resample, (resamples, 2)."""
