"""How many symbols two texts have in common in the same order, whatever stands between them.

Chin-Yew Lin: ROUGE: A Package for Automatic Evaluation of Summaries. ACL 2004 workshop, section 3.
"""

from __future__ import annotations

from metaphrase._core import ngrams as _core
from metaphrase.arrays import Int64Array
from metaphrase.matching.checked_array import refusals
from metaphrase.matching.symbol_rows import SymbolRows, paired
from metaphrase.threads import check_threads


def common_subsequences(left: SymbolRows, right: SymbolRows, *, threads: int = 1) -> Int64Array:
    """How long the longest common subsequence of row p of both sides is."""
    threads = check_threads(threads)
    with refusals():
        return _core.common_subsequences(*paired(left, right), threads)
