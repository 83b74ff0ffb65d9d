"""Penalties of ``accord`` for texts that are broken, whatever their words: loops, salad, fragments.

Raters of real translations hardly ever meet such texts, so that other penalties cost too little there. All of
these are 0, or nearly so, for what translators and working systems write.

==============  =========================================================================================
``repeated``    log(1 + n-grams of three words that are said more often than once and than in the
                reference, over its length)
``stutter``     words and pairs of words said twice in a row, more than in the reference, over its length
``scrambled``   (1 − ρ)·b², where ρ is Spearman's correlation of the places of words that both texts have
                once and b the share of them that follow another word; as far as half of the words are such.
                About 1 for a random order, near 0 for a clause that was moved
``cut``         the logarithm of how much shorter than the reference, beyond a quarter
``overlong``    the same of longer texts
``unrelated``   how little of the reference's characters and words is there, where hardly any is
==============  =========================================================================================
"""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.statistics.elementary import log

FORM = ("repeated", "stutter", "scrambled", "cut", "overlong", "unrelated")
_PHRASE = 3
#: Lengths that differ by less than this ratio are nothing unusual.
_USUAL_RATIO = 1.25
#: So few words in common say nothing about their order.
_FEWEST_IN_ORDER = 4
#: Shares of characters and words that are lost by unlike translations of the same text.
_UNLIKE_CHARACTERS, _UNLIKE_WORDS = 0.65, 0.6


def form_penalties(
    hypotheses: SymbolRows, references: SymbolRows, chrf: FloatArray, missing: FloatArray
) -> FloatArray:
    """The columns of ``FORM``; ``chrf`` and ``missing`` are what is lost by chrF and of single words."""
    count = len(hypotheses)
    sides = hypotheses, references
    lengths = [np.maximum(side.lengths, 1).astype(np.float64) for side in sides]
    ratio = _logarithm(lengths[0]) - _logarithm(lengths[1])
    usual = float(log(np.array([_USUAL_RATIO]))[0])
    nothing_there = hypotheses.lengths == 0
    unlike = (chrf - _UNLIKE_CHARACTERS) / (1.0 - _UNLIKE_CHARACTERS)
    unmatched = (missing - _UNLIKE_WORDS) / (1.0 - _UNLIKE_WORDS)
    return np.column_stack(
        [
            _logarithm(1.0 + _repeated(*sides, count) / lengths[1]),
            np.maximum(_stutters(hypotheses) - _stutters(references), 0.0) / lengths[1],
            _scrambled(*sides, count),
            np.where(nothing_there, 0.0, np.maximum(-ratio - usual, 0.0)),
            np.maximum(ratio - usual, 0.0),
            np.maximum(unlike, 0.0) * np.maximum(unmatched, 0.0),
        ]
    )


def _logarithm(values: FloatArray) -> FloatArray:
    """Of each value; equal values are looked up once."""
    distinct, places = np.unique(values, return_inverse=True)
    return log(distinct)[places]


def _rows(side: SymbolRows) -> Int64Array:
    return np.repeat(np.arange(len(side)), side.lengths)


def _repeated(hypotheses: SymbolRows, references: SymbolRows, count: int) -> FloatArray:
    """How many phrases of each hypothesis are said again though the reference does not."""
    keys, of_side, row_of = [], [], []
    for number, side in enumerate((hypotheses, references)):
        rows, symbols = _rows(side), side.symbols.astype(np.int64)
        whole = rows[_PHRASE - 1 :] == rows[: len(rows) - _PHRASE + 1]
        parts = [symbols[n : len(symbols) - _PHRASE + 1 + n][whole] for n in range(_PHRASE)]
        keys.append(
            np.stack(parts, axis=1) if len(rows) >= _PHRASE else np.empty((0, _PHRASE), np.int64)
        )
        row_of.append(rows[: len(rows) - _PHRASE + 1][whole] if len(rows) >= _PHRASE else rows[:0])
        of_side.append(np.full(len(keys[-1]), number))
    table = np.column_stack([np.concatenate(row_of), np.concatenate(keys)])
    if not len(table):
        return np.zeros(count)
    order = np.lexsort(table.T[::-1])
    table, sides = table[order], np.concatenate(of_side)[order]
    begins = np.r_[True, (table[1:] != table[:-1]).any(axis=1)]
    group = np.cumsum(begins) - 1
    said = [np.bincount(group, sides == number) for number in (0, 1)]
    excess = np.maximum(said[0] - np.maximum(said[1], 1.0), 0.0)
    return np.bincount(table[begins, 0], excess, count).astype(np.float64)


def _stutters(side: SymbolRows) -> FloatArray:
    """How often a word, or a pair of words, follows itself."""
    rows, symbols = _rows(side), side.symbols
    found = np.zeros(len(side))
    for size in (1, 2):
        if len(symbols) < 2 * size:
            continue
        same = (symbols[size:] == symbols[:-size]) & (rows[size:] == rows[:-size])
        if size == 2:
            same = same[1:] & same[:-1] & (rows[3:] == rows[:-3]) & (symbols[3:] != symbols[2:-1])
        found += np.bincount(rows[-len(same) :][same], minlength=len(side)) if len(same) else 0.0
    return found


def _scrambled(hypotheses: SymbolRows, references: SymbolRows, count: int) -> FloatArray:
    """How far the order of the words that both texts have once is from that of the reference."""
    places = []
    for side in (hypotheses, references):
        rows, at = (
            _rows(side),
            np.arange(len(side.symbols)) - np.repeat(side.offsets[:-1], side.lengths),
        )
        key = rows * (1 << 32) + side.symbols
        distinct, first, said = np.unique(key, return_index=True, return_counts=True)
        once = said == 1
        places.append((distinct[once], at[first[once]]))
    both, left, right = np.intersect1d(places[0][0], places[1][0], True, return_indices=True)
    row = both >> 32
    ranks = []
    for at in (places[0][1][left], places[1][1][right]):
        order = np.lexsort((at, row))
        begins = np.searchsorted(row, np.arange(count))
        rank = np.empty(len(row), dtype=np.int64)
        rank[order] = np.arange(len(row)) - begins[row[order]]
        ranks.append(rank)
    number = np.bincount(row, minlength=count).astype(np.float64)
    apart = np.bincount(row, (ranks[0] - ranks[1]) ** 2, count)
    most = number * (number * number - 1.0) / 6.0
    # Σd²/most is 1 − ρ.
    off = np.divide(apart, most, out=np.zeros(count), where=number >= _FEWEST_IN_ORDER)
    order = np.lexsort((ranks[0], row))
    follows = (np.diff(row[order]) == 0) & (np.diff(ranks[1][order]) == 1)
    kept = np.bincount(row[order][1:][follows], minlength=count)
    broken = 1.0 - kept / np.maximum(number - 1.0, 1.0)
    shared = np.minimum(2.0 * number / np.maximum(references.lengths, 1), 1.0)
    return np.asarray(shared * np.minimum(off, 1.0) * broken * broken)
