"""Translation edit rate: edits and shifts; see src/core/counts/bind_edit_rate.cpp."""

import numpy as np
from numpy.typing import NDArray

def count(
    hypotheses: NDArray[np.int32],
    hypothesis_offsets: NDArray[np.int64],
    references: NDArray[np.int32],
    reference_offsets: NDArray[np.int64],
    threads: int,
) -> NDArray[np.int32]:
    """Insertions, deletions, substitutions and shifts of each pair, (pairs, 4)."""

def find(
    hypotheses: NDArray[np.int32],
    hypothesis_offsets: NDArray[np.int64],
    references: NDArray[np.int32],
    reference_offsets: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32]]:
    """Offsets and operations of all pairs (0 match, 1 substitute, 2 insert, 3 delete), offsets and shifts."""
