"""N-grams matched one to one in stages, as in MaxSim (Chan & Ng, ACL 2008).

For n = 1, 2, 3 every n-gram of a hypothesis is matched with at most one of its reference:

1. those that agree in all lemmas and tags, from left to right on either side;
2. of what is left, those that agree in all lemmas, likewise;
3. of what is left then, so that the sum of similarities is largest. The similarity of two tokens is 1 if
   their lemmas are equal, else (a + b) / 2 with a = 1 if they are synonyms and b = 1 if their tags are
   equal; that of two n-grams is the mean over positions, and 0 if it is 0 anywhere.

The third stage is a problem of :mod:`metaphrase.matching.transport` in which everything weighs 1, and so
has an optimum that matches one to one. All pairs of words are looked at: two texts of more than 16 million
pairs are refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import transport as _core
from metaphrase.arrays import FloatArray, one_line
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.matching.ngram_bags import Synonymy
from metaphrase.threads import check_threads

ORDERS = (1, 2, 3)


@dataclass(frozen=True, slots=True, eq=False)
class StagedMatches:
    """What was matched and how many n-grams there were, one row a pair; columns are n = 1, 2, 3."""

    matched: FloatArray
    reference: FloatArray
    hypothesis: FloatArray

    __repr__ = one_line


def staged_ngrams(
    offsets: ArrayLike,
    lemma: ArrayLike,
    tag: ArrayLike,
    *,
    hypothesis_rows: ArrayLike,
    reference_rows: ArrayLike,
    synonymy: Synonymy,
    threads: int = 1,
) -> StagedMatches:
    """Compare sentence ``hypothesis_rows[p]`` with sentence ``reference_rows[p]`` for every p.

    Arrays are as for :func:`~metaphrase.matching.ngram_bags`; synonymy is asked about lemmas.
    """
    places = vector(offsets, np.int64, "offsets")
    lemmas = vector(lemma, np.int32, "lemma")
    sentences = _core.Sentences(places, lemmas, lemmas, vector(tag, np.int32, "tag"))
    hypotheses = vector(hypothesis_rows, np.int32, "hypothesis_rows")
    references = vector(reference_rows, np.int32, "reference_rows")
    threads = check_threads(threads)
    with refusals():
        matched = _core.staged_ngrams(
            sentences, synonymy.arrays(), (hypotheses, references), threads
        )
    lengths = np.diff(places)
    reference, hypothesis = (
        np.maximum(lengths[rows][:, None] - np.array(ORDERS) + 1, 0).astype(np.float64)
        for rows in (references, hypotheses)
    )
    return StagedMatches(matched, reference, hypothesis)
