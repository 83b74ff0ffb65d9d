"""Transport kernels; see src/core/bags/bind_transport.cpp. Call them through metaphrase.matching."""

import numpy as np
from numpy.typing import NDArray

most_ids: int

class Problems:
    """Problems whose every number has been checked."""

    def __init__(
        self,
        edge_offsets: NDArray[np.int64],
        rows: NDArray[np.int32],
        columns: NDArray[np.int32],
        similarities: NDArray[np.float64],
        supply_offsets: NDArray[np.int64],
        supply: NDArray[np.float64],
        demand_offsets: NDArray[np.int64],
        demand: NDArray[np.float64],
    ) -> None: ...

def solve(
    problems: Problems, threads: int, flows: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Optima of packed transportation problems, and their flows."""

class Sentences:
    """Tokens of sentences; whoever compares them checks them."""

    def __init__(
        self,
        offsets: NDArray[np.int64],
        lemma: NDArray[np.int32],
        sense: NDArray[np.int32],
        tag: NDArray[np.int32],
    ) -> None: ...

#: Offsets, and the synonyms of every sense.
_Synonymy = tuple[NDArray[np.int64], NDArray[np.int32]]
#: Rows of hypotheses and of references.
_RowPairs = tuple[NDArray[np.int32], NDArray[np.int32]]

def ngram_bags(
    sentences: Sentences,
    function: NDArray[np.uint8],
    synonymy: _Synonymy,
    rows: _RowPairs,
    divisor: int,
    mask_limit: int,
    check: bool,
    threads: int,
) -> NDArray[np.float64]:
    """Matched and total weights of n-gram bags, (pairs, 12)."""

def staged_ngrams(
    sentences: Sentences, synonymy: _Synonymy, rows: _RowPairs, threads: int
) -> NDArray[np.float64]:
    """What is matched one to one in MaxSim's stages, (pairs, 3)."""
