"""Edit machines: log-sums over edit sequences, expected counts, best edits.

See src/core/edits/bind_edits.cpp. Call them through metaphrase.matching.edit_machine.
"""

import numpy as np
from numpy.typing import NDArray

class Pairs:
    """Pairs whose every number has been checked; rows of 5 and of 3 are given as flat arrays."""

    def __init__(
        self,
        reference_lengths: NDArray[np.int32],
        hypothesis_lengths: NDArray[np.int32],
        substitution_offsets: NDArray[np.int64],
        substitutions: NDArray[np.int32],
        dependency_offsets: NDArray[np.int64],
        dependencies: NDArray[np.int32],
    ) -> None: ...

class Options:
    """The options of a machine, checked by the caller."""

    def __init__(
        self,
        *,
        max_jump: int,
        edit_block: int,
        free_jumped: bool,
        jump_first: bool,
        jump_after_jump: bool,
        exact_length: int,
        jump_window: int,
    ) -> None: ...

def log_sums(
    pairs: Pairs, weights: NDArray[np.float64], options: Options, threads: int
) -> NDArray[np.float64]:
    """y, one a pair."""

def expected_counts(
    pairs: Pairs, weights: NDArray[np.float64], options: Options, threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """y and (pairs, features)."""

def arc_counts(pairs: Pairs, options: Options, threads: int) -> NDArray[np.int64]:
    """Arcs on which each feature fires, over all pairs."""

def best_edits(
    pairs: Pairs, weights: NDArray[np.float64], options: Options, threads: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int32]]:
    """Scores, offsets, and (edits, 5)."""

def windowed(pairs: Pairs, options: Options, threads: int) -> NDArray[np.bool_]:
    """Whether jumps of a pair were left out."""
