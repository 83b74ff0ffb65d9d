"""What n-grams tell, and how much of it a hypothesis has in common with its references, as in NIST.

An n-gram tells log2(count of its first n−1 symbols / count of all n) bits. Counts are those of the references
of all segments; the context of a single symbol is the number of all symbols.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import ngrams as _core
from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.errors import InputError, OptionError
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.matching.ngram_overlap import MOST_ORDERS
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.threads import check_threads


class NgramInformation:
    """The n-grams of references, counted once for any number of hypotheses."""

    def __init__(self, references: Sequence[SymbolRows], *, orders: int) -> None:
        """``references[r]`` has the r-th reference of each segment."""
        if (
            isinstance(orders, bool)
            or not isinstance(orders, int)
            or not 1 <= orders <= MOST_ORDERS
        ):
            raise OptionError("MP404", f"orders is {orders!r}; it must be 1 to {MOST_ORDERS}.")
        if not references or len({len(rows) for rows in references}) > 1:
            raise InputError("MP406", "references must be one or more, and equally many rows each.")
        for rows in references:
            if rows.offsets[:1].tolist() != [0] or rows.offsets[-1] != len(rows.symbols):
                raise InputError("MP406", "offsets of references must go from 0 to their end.")
        ends = np.cumsum([0, *(len(rows.symbols) for rows in references)])
        offsets = [rows.offsets[1:] + end for rows, end in zip(references, ends, strict=False)]
        with refusals():
            self._counted = _core.information(
                np.concatenate([rows.symbols for rows in references]),
                np.concatenate([[0], *offsets]).astype(np.int64),
                len(references[0]),
                orders,
            )

    def ngrams(self) -> tuple[Int32Array, Int32Array, Int64Array]:
        """All n-grams: the place of the one of the first n−1 symbols, the last symbol, and the count.

        A single symbol's is −1; the others' come before them.
        """
        return self._counted.ngrams()

    def weigh(self, counts: ArrayLike, symbols: int) -> None:
        """Take these counts of :meth:`ngrams` and of all symbols for those of all references.

        What was counted here may be a part of all.
        """
        with refusals():
            self._counted.weigh(vector(counts, np.int64, "counts"), symbols)

    def matched(self, hypotheses: SymbolRows, *, threads: int = 1) -> FloatArray:
        """Of hypothesis i, for each n, the bits of n-grams that a reference of segment i has.

        An n-gram counts at most as often as it is in the reference that has it most often.
        """
        threads = check_threads(threads)
        with refusals():
            return self._counted.matched(hypotheses.symbols, hypotheses.offsets, threads)

    def told(self, symbols: ArrayLike) -> FloatArray:
        """For each symbol and each n the bits of the n-gram that begins there; NaN if no reference has it."""
        return self._counted.told(vector(symbols, np.int32, "symbols"))
