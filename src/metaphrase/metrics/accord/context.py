"""Penalties of ``accord:context``: how like the words of the other side each word is, where it stands.

A pretrained encoder reads each text once. A word has the mean of the vectors of its pieces after each of two
layers, and is compared with the words of the other side as :mod:`metaphrase.matching.soft_matches` compares
vectors, once by how rare words are and once with all words alike.

====================  ===================================================================================
``x4 p`` … ``x4 lost p``  words by their vectors after layer 4, rare words counting more; ``x6 …`` likewise
``x4 all p``, ``r``   the share of all words, however common, that nothing on the other side is like
``x4 all lost p``     the same, added up over the words instead of divided by their number
``x4 moved``          how unlike the contexts of aligned words are, in the mean; ``x4 moved sum``: added up
``x text``            how unlike the vectors of the whole texts are
====================  ===================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from metaphrase.analysis import Batch
from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.matching.soft_matches import SOFT_MATCHES, WeightedVectors, soft_matches
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.matching.word_alignment import WordAlignments
from metaphrase.trained.pretrained_encoder import PretrainedEncoder

LAYERS = (4, 6)
#: Columns of the matching with all words alike.
_ALIKE = {"p": "precision", "r": "recall", "lost p": "lost_precision", "lost r": "lost_recall"}
_SOFT = (
    *("p", "r", "p³", "r³", "p near", "r near", "sum", "worst r", "worst p"),
    *("follows", "rises", "lost r", "lost p"),
)
#: What one layer gives, in the order of columns.
_OF_LAYER = (*_SOFT, *(f"all {name}" for name in _ALIKE), "moved", "moved sum")
CONTEXT = (*(f"x{layer} {name}" for layer in LAYERS for name in _OF_LAYER), "x text")
Vectors = NDArray[np.float32]


class ContextWords:
    """The words of a batch with their vectors after each layer, how rare they are, and vectors of texts."""

    def __init__(
        self, batch: Batch, rarity: FloatArray, encoder: PretrainedEncoder, *, threads: int
    ) -> None:
        encoded = encoder.encode(batch, layers=LAYERS, threads=threads)
        assert encoded.words is not None
        #: Of texts that read the same (but for case or spaces) the first, which stands for all of them.
        self.first = _first_alike(
            batch.offsets, encoded.offsets, encoded.pieces, encoded.words, rarity
        )
        starts = np.repeat(batch.offsets[self.first] - batch.offsets[:-1], np.diff(batch.offsets))
        symbols = np.arange(batch.offsets[-1]) + starts
        self.rows = SymbolRows(symbols.astype(np.int32), batch.offsets)
        self.rarity = rarity
        self.vectors = {
            layer: _of_words(encoded.of_layer(layer), encoded.words, len(rarity))
            for layer in LAYERS
        }
        self.texts = encoded.texts
        alike = np.ones(len(rarity))
        self.weighted = {
            layer: (WeightedVectors(found, rarity), WeightedVectors(found, alike))
            for layer, found in self.vectors.items()
        }


def _first_alike(
    offsets: Int64Array,
    piece_offsets: Int64Array,
    pieces: Int32Array,
    words: Int64Array,
    rarity: FloatArray,
) -> Int64Array:
    """For each text the first one with the same pieces in the same words, which are as rare."""
    numbers: dict[tuple[bytes, ...], int] = {}
    found = np.empty(len(offsets) - 1, dtype=np.int64)
    for text in range(len(found)):
        of_text = slice(piece_offsets[text], piece_offsets[text + 1])
        key = (
            pieces[of_text].tobytes(),
            (words[of_text] - offsets[text]).tobytes(),
            rarity[offsets[text] : offsets[text + 1]].tobytes(),
        )
        found[text] = numbers.setdefault(key, text)
    return found


def _of_words(pieces: Vectors, words: Int64Array, count: int) -> Vectors:
    """The mean direction of the pieces of each word, of length 1; zeros for a word that has none."""
    some = np.flatnonzero(words >= 0)
    some = some[np.argsort(words[some], kind="stable")]
    word = words[some]
    first = np.flatnonzero(np.r_[True, word[1:] != word[:-1]])
    place = np.arange(len(word)) - np.repeat(first, np.diff(np.r_[first, len(word)]))
    found = np.zeros((count, pieces.shape[1]), dtype=np.float32)
    # Piece after piece, so that each sum has one order on every machine.
    for number in range(int(place.max(initial=-1)) + 1):
        chosen = place == number
        found[word[chosen]] += pieces[some[chosen]]
    length = np.sqrt(_dots(found, found))
    return found / np.maximum(length, 1e-9).astype(np.float32)[:, None]


def _dots(left: Vectors, right: Vectors) -> FloatArray:
    """The products of rows, added up in halves: the same bits on every machine."""
    products = left.astype(np.float64) * right
    while products.shape[1] > 1:
        half, odd = divmod(products.shape[1], 2)
        rest = products[:, -1:] if odd else products[:, :0]
        products = np.concatenate([products[:, :half] + products[:, half : 2 * half], rest], axis=1)
    return products[:, 0]


def context_penalties(
    words: ContextWords,
    rows: tuple[Int32Array, Int32Array],
    aligned: WordAlignments,
    batch: Batch,
    *,
    threads: int,
) -> FloatArray:
    """The columns of ``CONTEXT``."""
    return np.column_stack(list(_columns(words, rows, aligned, batch, threads)))


def _columns(
    words: ContextWords,
    rows: tuple[Int32Array, Int32Array],
    aligned: WordAlignments,
    batch: Batch,
    threads: int,
) -> Iterator[FloatArray]:
    count = len(rows[0])
    pair = np.repeat(np.arange(count), np.diff(aligned.pair_offsets))
    left, right = (
        batch.offsets[row][pair] + at
        for row, at in zip(rows, (aligned.left, aligned.right), strict=True)
    )
    weight = (words.rarity[left] + words.rarity[right]) / 2.0
    whole = np.bincount(pair, weight, count)
    symbols = words.rows.symbols
    for layer, (by_rarity, alike) in words.weighted.items():
        for weighted, names in ((by_rarity, SOFT_MATCHES), (alike, tuple(_ALIKE.values()))):
            found = soft_matches(words.rows, weighted, left=rows[0], right=rows[1], threads=threads)
            yield _penalties(found, names)
        vectors = words.vectors[layer]
        unlike = np.maximum(1.0 - _dots(vectors[left], vectors[right]), 0.0)
        unlike = np.where(symbols[left] == symbols[right], 0.0, unlike) * weight
        lost = np.bincount(pair, unlike, count).astype(np.float64)
        # Where no words are aligned there is no context that differs; other penalties say so.
        yield np.divide(lost, whole, out=np.zeros(count), where=whole > 0)
        yield lost
    same = words.first[rows[0]] == words.first[rows[1]]
    unlike = 1.0 - _dots(words.texts[rows[0]], words.texts[rows[1]])
    yield np.where(same, 0.0, np.maximum(unlike, 0.0))


def _penalties(matches: FloatArray, names: tuple[str, ...]) -> FloatArray:
    """Some columns of ``soft_matches`` as penalties: what is lost, and what of shares is missing."""
    found = matches[:, [SOFT_MATCHES.index(name) for name in names]]
    lost = [name.startswith("lost") for name in names]
    return np.where(lost, found, 1.0 - found)
