"""Soft matches of numbered words, beside NumPy on the same vectors.

Vectors are drawn at random: what they mean changes no time. NumPy finds precision and recall only, by a
product of matrices for each pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase.matching.soft_matches import WeightedVectors, soft_matches
from metaphrase.matching.symbol_rows import SymbolRows

SEGMENTS = 3000
DIMENSIONS = 100


def main() -> None:
    pairs = read_pairs()[:SEGMENTS]
    numbers: dict[str, int] = {}
    words = SymbolRows.of_words((text.lower().split() for pair in pairs for text in pair), numbers)
    left = np.arange(0, len(words), 2)
    random = np.random.default_rng(1)
    vectors = random.normal(size=(len(numbers), DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rarity = random.uniform(0.1, 1, len(numbers))
    known = WeightedVectors(vectors, rarity)

    def ours() -> NDArray[np.float64]:
        return soft_matches(words, known, left=left, right=left + 1)

    def theirs() -> NDArray[np.float64]:
        rows = np.split(words.symbols, words.offsets[1:-1])
        return np.array([means(rows[i], rows[i + 1], vectors, rarity) for i in left])

    assert np.allclose(ours()[:, :2], theirs(), atol=1e-5)
    title = f"{len(pairs):,} pairs of sentences of {words.lengths.mean():.0f} words"
    contestants = [
        Contestant("metaphrase, all columns", ours, len(pairs)),
        Contestant("NumPy, two columns", theirs, len(pairs)),
    ]
    print_table(title, interleave(contestants))


def means(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    vectors: NDArray[np.float32],
    rarity: NDArray[np.float64],
) -> tuple[float, float]:
    similar = np.maximum(vectors[left] @ vectors[right].T, 0)
    similar[np.equal.outer(left, right)] = 1
    return (
        np.average(similar.max(axis=1), weights=rarity[left]),
        np.average(similar.max(axis=0), weights=rarity[right]),
    )


if __name__ == "__main__":
    main()
