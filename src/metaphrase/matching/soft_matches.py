"""How well the words of two sentences match by their vectors: *car* matches *automobile*, *bus* a little.

Words h_0 … h_(n−1) stand on the left and r_0 … r_(m−1) on the right. A word has a weight w in (0, 1], its
rarity, and a vector v, of zeros if nothing is known of it. Words are similar by s(i, j) = 1 if they are the
same word, and else by max(0, cos(v(h_i), v(r_j))), which is 0 for an unknown word. The columns, by their
names in :data:`SOFT_MATCHES`:

- ``precision`` = Σ_i w_i max_j s(i, j) / Σ_i w_i, and ``recall`` = Σ_j w_j max_i s(i, j) / Σ_j w_j;
- ``strict_precision`` and ``strict_recall``: the same of s(i, j)³, to which words that are merely related
  add little;
- ``placed_precision`` and ``placed_recall``: the same of s(i, j) · (1 − ½ |i/n − j/m|), so that a match
  counts less the farther it has moved;
- ``cosine``: that of Σ_i w_i v(h_i) and Σ_j w_j v(r_j); 0 if it is negative or a sum is zero, which is to
  say at most 10⁻⁶ Σ w long, and 1 if both sides have the same words, each equally often;
- ``worst_recall`` = min_j min(1, max_i s(i, j) + 1 − w_j): the rare word of the right that is missed most;
- ``worst_precision`` = min_i min(1, max_j s(i, j) + 1 − w_i): the rare word of the left that fits least;
- ``follows`` and ``rises``: the shares of steps that go to the next word of the right, and to any later one.
  A word of the left is linked if max_j s(i, j) ≥ ½: with the word j that is so similar, and if there are
  several, with the one of the smallest |i/n − j/m|, the first of two. A step goes from the link of a word to
  that of the next word that has one; where nothing steps, both are 1;
- ``lost_recall`` = Σ_j w_j (1 − max_i s(i, j)) over words of the right with w_j > 0.7: how much of what is
  rare is missed, longer sentences missing more; ``lost_precision`` = Σ_i w_i (1 − max_j s(i, j)), likewise.

All but what is lost are in [0, 1], and exactly 1 for two sentences of the same words in the same order, which
lose exactly 0. If one sentence has no words, they are 0, and all that is rare in the other is lost; if
neither has any, they are 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import soft_matches as _core
from metaphrase.arrays import FloatArray
from metaphrase.matching.checked_array import matrix, refusals, vector
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.threads import check_threads

#: Words that are rarer count among what is lost; as in src/core/alignment/soft_matches.hpp.
RARE = 0.7
#: Columns of :func:`soft_matches`.
SOFT_MATCHES = (
    "precision",
    "recall",
    "strict_precision",
    "strict_recall",
    "placed_precision",
    "placed_recall",
    "cosine",
    "worst_recall",
    "worst_precision",
    "follows",
    "rises",
    "lost_recall",
    "lost_precision",
)


class WeightedVectors:
    """What is known of words, checked once for any number of sentences."""

    def __init__(self, vectors: ArrayLike, rarity: ArrayLike) -> None:
        """Row ``k`` of ``vectors``, of length 1 or all zeros, and ``rarity[k]`` are those of word ``k``."""
        with np.errstate(over="ignore"):  # infinity is refused
            rows = matrix(vectors, np.float32, "vectors")
        with refusals():
            self._core = _core.WeightedVectors(
                vectors=rows, rarity=vector(rarity, np.float64, "rarity")
            )


def soft_matches(
    words: SymbolRows,
    vectors: WeightedVectors,
    *,
    left: ArrayLike,
    right: ArrayLike,
    threads: int = 1,
) -> FloatArray:
    """In row p the columns :data:`SOFT_MATCHES` of sentences ``left[p]`` and ``right[p]`` of ``words``."""
    left, right = vector(left, np.int32, "left"), vector(right, np.int32, "right")
    threads = check_threads(threads)
    with refusals():
        return _core.match(words.offsets, words.symbols, vectors._core, left, right, threads)
