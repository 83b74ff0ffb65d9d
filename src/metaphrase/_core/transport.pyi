"""Transport kernels; see src/core/bags/bind_transport.cpp. Call them through metaphrase.matching."""

from metaphrase.arrays import FloatArray, Int32Array, Int64Array, Uint8Array

most_ids: int

class Problems:
    """Problems whose every number has been checked."""

    def __init__(
        self,
        edge_offsets: Int64Array,
        rows: Int32Array,
        columns: Int32Array,
        similarities: FloatArray,
        supply_offsets: Int64Array,
        supply: FloatArray,
        demand_offsets: Int64Array,
        demand: FloatArray,
    ) -> None: ...

def solve(problems: Problems, threads: int, flows: bool) -> tuple[FloatArray, FloatArray | None]:
    """Optima of packed transportation problems, and their flows."""

class Sentences:
    """Tokens of sentences; whoever compares them checks them."""

    def __init__(
        self, offsets: Int64Array, lemma: Int32Array, sense: Int32Array, tag: Int32Array
    ) -> None: ...

#: Offsets, and the synonyms of every sense.
_Synonymy = tuple[Int64Array, Int32Array]
#: Rows of hypotheses and of references.
_RowPairs = tuple[Int32Array, Int32Array]

def ngram_bags(
    sentences: Sentences,
    function: Uint8Array,
    synonymy: _Synonymy,
    rows: _RowPairs,
    divisor: int,
    mask_limit: int,
    check: bool,
    threads: int,
) -> FloatArray:
    """Matched and total weights of n-gram bags, (pairs, 12)."""

def staged_ngrams(
    sentences: Sentences, synonymy: _Synonymy, rows: _RowPairs, threads: int
) -> FloatArray:
    """What is matched one to one in MaxSim's stages, (pairs, 3)."""
