"""n-grams that each of some texts has in common with each other, every text counted once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import ngrams as _core
from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.errors import OptionError
from metaphrase.matching.checked_array import matrix, refusals, vector
from metaphrase.matching.ngram_overlap import MOST_ORDERS
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.threads import check_threads


class NgramItems:
    """The n-grams of texts up to some order. A text has an n-gram as often as it occurs in it."""

    def __init__(self, texts: SymbolRows, *, orders: int) -> None:
        if (
            isinstance(orders, bool)
            or not isinstance(orders, int)
            or not 1 <= orders <= MOST_ORDERS
        ):
            raise OptionError("MP404", f"orders is {orders!r}; it must be 1 to {MOST_ORDERS}.")
        with refusals():
            self._counted = _core.counted(texts.symbols, texts.offsets, orders)

    def matches(
        self, candidates: ArrayLike, references: ArrayLike, *, threads: int = 1
    ) -> Int32Array:
        """What each candidate has in common with each reference: (candidates, references, orders).

        Both are rows of texts. An n-gram is common as often as the text has it that has it less often.
        """
        threads = check_threads(threads)
        with refusals():
            return self._counted.matches(
                vector(candidates, np.int32, "candidates"),
                vector(references, np.int32, "references"),
                threads,
            )

    def expected(
        self,
        candidates: ArrayLike,
        references: ArrayLike,
        weights: ArrayLike,
        *,
        values: FloatArray | None = None,
    ) -> FloatArray:
        """The matches of each candidate with all references, times their weights, added up by order.

        It takes as long as reading the texts. ``values[i, n]`` is what the n-gram of order n + 1 counts for
        that begins at symbol i of the texts; without them it is 1.
        """
        with refusals():
            return self._counted.expected(
                vector(candidates, np.int32, "candidates"),
                vector(references, np.int32, "references"),
                vector(weights, np.float64, "weights"),
                None if values is None else matrix(values, np.float64, "values"),
            )
