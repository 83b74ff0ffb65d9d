"""Transport kernels; see src/core/bags/bind_transport.cpp. Call them through metaphrase.matching."""

import numpy as np
from numpy.typing import NDArray

most_ids: int

def solve(
    edge_offsets: NDArray[np.int64],
    rows: NDArray[np.int32],
    columns: NDArray[np.int32],
    similarities: NDArray[np.float64],
    supply_offsets: NDArray[np.int64],
    supply: NDArray[np.float64],
    demand_offsets: NDArray[np.int64],
    demand: NDArray[np.float64],
    threads: int,
    flows: bool,
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Optima of packed transportation problems, and their flows."""

def ngram_bags(
    offsets: NDArray[np.int64],
    lemma: NDArray[np.int32],
    sense: NDArray[np.int32],
    tag: NDArray[np.int32],
    function: NDArray[np.uint8],
    synonym_offsets: NDArray[np.int64],
    synonyms: NDArray[np.int32],
    hypothesis_rows: NDArray[np.int32],
    reference_rows: NDArray[np.int32],
    divisor: int,
    threads: int,
    mask_limit: int,
    check: bool,
) -> NDArray[np.float64]:
    """Matched and total weights of n-gram bags, (pairs, 12)."""

def staged_ngrams(
    offsets: NDArray[np.int64],
    lemma: NDArray[np.int32],
    tag: NDArray[np.int32],
    synonym_offsets: NDArray[np.int64],
    synonyms: NDArray[np.int32],
    hypothesis_rows: NDArray[np.int32],
    reference_rows: NDArray[np.int32],
    threads: int,
) -> NDArray[np.float64]:
    """What is matched one to one in MaxSim's stages, (pairs, 3)."""
