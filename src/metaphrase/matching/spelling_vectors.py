"""Vectors of words by their spelling: *colour* is like *color*, and *Müllers* like *Müller*.

Every n-gram of 2 to 4 characters of ``<word>``, in which the brackets mark the ends of the word, has one of
:data:`DIMENSIONS` places and a sign, plus or minus; a hash chooses both. A word has in each place the sum of
the signs of its n-grams there, divided by the length of the vector, so that the product of two vectors is
about the cosine of the n-grams of both words. If all signs cancel each other out, the vector is zero.

Vectors are the same on every machine and in every list of words: learned models may rely on them.

Kilian Weinberger et al.: Feature Hashing for Large Scale Multitask Learning. ICML 2009.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metaphrase._core import soft_matches as _core
from metaphrase.matching.checked_array import refusals
from metaphrase.matching.symbol_rows import SymbolRows

#: Numbers of a vector.
DIMENSIONS = 128


def spelling_vectors(words: Sequence[str]) -> NDArray[np.float32]:
    """In row k the vector of ``words[k]``, of length 1 or all zeros."""
    rows = SymbolRows.of_characters(words)
    with refusals():
        return _core.spelling_vectors(rows.symbols, rows.offsets)
