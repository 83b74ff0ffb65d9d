"""How many n-grams two texts have in common.

Symbols are characters or words. An n-gram is common as often as the text has it that has it less often. As in
chrF, the hypothesis counts no n-grams of an order of which the reference has none.
"""

from __future__ import annotations

from metaphrase._core import ngrams as _core
from metaphrase.arrays import Int64Array
from metaphrase.errors import OptionError
from metaphrase.matching.checked_array import refusals
from metaphrase.matching.symbol_rows import SymbolRows, paired
from metaphrase.threads import check_threads

#: Longer n-grams are hardly meant, and each order has its columns.
MOST_ORDERS = 1000


def ngram_overlaps(
    hypotheses: SymbolRows, references: SymbolRows, *, orders: int, threads: int = 1
) -> Int64Array:
    """Of row i of both sides: n-grams of the hypothesis, of the reference, common ones, for each n."""
    if isinstance(orders, bool) or not isinstance(orders, int) or not 1 <= orders <= MOST_ORDERS:
        raise OptionError("MP404", f"orders is {orders!r}; it must be 1 to {MOST_ORDERS}.")
    threads = check_threads(threads)
    with refusals():
        return _core.overlaps(*paired(hypotheses, references), orders, threads)
