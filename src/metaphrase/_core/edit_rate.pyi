"""Translation edit rate: edits and shifts; see src/core/counts/bind_edit_rate.cpp."""

from metaphrase.arrays import Int32Array, Int64Array, Uint8Array

def count(
    hypotheses: Int32Array,
    hypothesis_offsets: Int64Array,
    references: Int32Array,
    reference_offsets: Int64Array,
    threads: int,
) -> Int32Array:
    """Insertions, deletions, substitutions and shifts of each pair, (pairs, 4)."""

def find(
    hypotheses: Int32Array,
    hypothesis_offsets: Int64Array,
    references: Int32Array,
    reference_offsets: Int64Array,
) -> tuple[Int64Array, Uint8Array, Int64Array, Int32Array]:
    """Offsets and operations of all pairs (0 match, 1 substitute, 2 insert, 3 delete), offsets and shifts."""
