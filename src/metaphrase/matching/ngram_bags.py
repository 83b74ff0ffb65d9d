"""Bags of weighted n-grams, matched as in TESLA (Liu, Dahlmeier & Ng, WMT 2010, section 3).

A sentence becomes three bags, of its unigrams, bigrams and trigrams. An n-gram weighs 1, divided by
``divisor`` for every function word in it. Two bags are compared twice by the linear program of
:mod:`metaphrase.matching.transport`, with two similarities of n-grams:

* s_ms, the mean over positions of the similarity of the two tokens, and 0 if it is 0 anywhere.
  Tokens with one lemma have similarity 1; others (a + b) / 2 with a = 1 if their senses are equal
  or synonyms, and b = 1 if their tags are equal.
* s_pos, 1 if all tags are equal and 0 otherwise.

The kernel computes in integers throughout, so its optima do not depend on the order of the input,
on batches or on threads. Sentences of up to 512 tokens are matched with bit masks
(``src/core/bags/masks.hpp``), longer ones by flow through hubs (``src/core/bags/hubs.hpp``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import transport as _core
from metaphrase.arrays import FloatArray, Int32Array, Int64Array, one_line
from metaphrase.errors import InputError, OptionError
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.threads import check_threads

#: The longest sentence (in tokens) that is matched with bit masks.
MASK_LIMIT = 512


@dataclass(frozen=True, slots=True, eq=False)
class Synonymy:
    """A symmetric relation; sense ``i`` has ``synonyms[offsets[i] : offsets[i + 1]]``, in order."""

    offsets: Int64Array
    synonyms: Int32Array

    __repr__ = one_line

    def arrays(self) -> tuple[Int64Array, Int32Array]:
        """As the core takes them."""
        return (
            vector(self.offsets, np.int64, "synonymy.offsets"),
            vector(self.synonyms, np.int32, "synonymy.synonyms"),
        )


@dataclass(frozen=True, slots=True, eq=False)
class NgramBags:
    """What was matched and what there was, one row a pair; columns are the orders n = 1, 2, 3.

    ``matched`` is the optimum under s_ms, ``matched_tags`` the one under s_pos, ``reference`` and
    ``hypothesis`` are the total weights of the bags.
    """

    matched: FloatArray
    matched_tags: FloatArray
    reference: FloatArray
    hypothesis: FloatArray

    __repr__ = one_line


def ngram_bags(
    offsets: ArrayLike,
    lemma: ArrayLike,
    tag: ArrayLike,
    *,
    function: ArrayLike,
    hypothesis_rows: ArrayLike,
    reference_rows: ArrayLike,
    synonymy: Synonymy | None = None,
    sense: ArrayLike | None = None,
    divisor: int = 10,
    threads: int = 1,
    mask_limit: int = MASK_LIMIT,
    check: bool = False,
) -> NgramBags:
    """Compare sentence ``hypothesis_rows[p]`` with sentence ``reference_rows[p]`` for every p.

    Token ``t`` of sentence ``i`` has the ids ``lemma[offsets[i] + t]``, ``tag[offsets[i] + t]`` and
    likewise its sense (default: its lemma), all numbered densely from 0. ``function[tag]`` is 1 for
    the tags of function words. Tokens that should not count must have been left out. ``check``
    certifies every optimum by its dual and raises ``RuntimeError`` if they differ; ``mask_limit``
    is the length beyond which the solver for long sentences is used.
    """
    lemmas = vector(lemma, np.int32, "lemma")
    senses = lemmas if sense is None else vector(sense, np.int32, "sense")
    if synonymy is None:
        count = min(max(int(senses.max(initial=-1)) + 1, 0), _core.most_ids)
        synonymy = Synonymy(np.zeros(count + 1, np.int64), np.empty(0, np.int32))
    if isinstance(divisor, bool) or not isinstance(divisor, int) or not 1 <= divisor <= 100:
        raise OptionError("MP404", f"divisor is {divisor!r}; it must be an integer of 1 to 100.")
    if not isinstance(mask_limit, int) or not 0 <= mask_limit <= MASK_LIMIT:
        raise OptionError(
            "MP404", f"mask_limit is {mask_limit!r}; it must be an integer of 0 to {MASK_LIMIT}."
        )
    sentences = _core.Sentences(
        vector(offsets, np.int64, "offsets"), lemmas, senses, vector(tag, np.int32, "tag")
    )
    functions = vector(function, np.uint8, "function")
    rows = (
        vector(hypothesis_rows, np.int32, "hypothesis_rows"),
        vector(reference_rows, np.int32, "reference_rows"),
    )
    try:
        with refusals():
            table = _core.ngram_bags(
                sentences,
                functions,
                synonymy.arrays(),
                rows,
                divisor,
                mask_limit,
                bool(check),
                check_threads(threads),
            )
    except OverflowError as error:
        raise InputError("MP407", f"{error}.", hint="Split the text into segments.") from error
    return NgramBags(table[:, 0:3], table[:, 3:6], table[:, 6:9], table[:, 9:12])
