"""Edit machines: log-sums over edit sequences, expected counts, best edits.

See src/core/edits/bind_edits.cpp. Call them through metaphrase.matching.edit_machine.
"""

from metaphrase.arrays import BoolArray, FloatArray, Int32Array, Int64Array

class Pairs:
    """Pairs whose every number has been checked; rows of 5 and of 3 are given as flat arrays."""

    def __init__(
        self,
        reference_lengths: Int32Array,
        hypothesis_lengths: Int32Array,
        substitution_offsets: Int64Array,
        substitutions: Int32Array,
        dependency_offsets: Int64Array,
        dependencies: Int32Array,
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

def log_sums(pairs: Pairs, weights: FloatArray, options: Options, threads: int) -> FloatArray:
    """y, one a pair."""

def expected_counts(
    pairs: Pairs, weights: FloatArray, options: Options, threads: int
) -> tuple[FloatArray, FloatArray]:
    """y and (pairs, features)."""

def arc_counts(pairs: Pairs, options: Options, threads: int) -> Int64Array:
    """Arcs on which each feature fires, over all pairs."""

def best_edits(
    pairs: Pairs, weights: FloatArray, options: Options, threads: int
) -> tuple[FloatArray, Int64Array, Int32Array]:
    """Scores, offsets, and (edits, 5)."""

def windowed(pairs: Pairs, options: Options, threads: int) -> BoolArray:
    """Whether jumps of a pair were left out."""
