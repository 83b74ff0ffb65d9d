"""Sentences read through another language: bags of pivot n-grams, matched as in TESLA (METRICS 3.6).

Chang Liu, Daniel Dahlmeier and Hwee Tou Ng: TESLA: Translation Evaluation of Sentences with
Linear-programming-based Analysis. WMT 2010, sections 4.1 to 4.3, Eq. 1 and 2.

A sentence is cut into the phrases of a table that have the highest product of ``Pr(p) = N(p) / sum of N``;
a word that is in no phrase counts as seen half a time. Of cuts that are equally probable (their logarithms
are compared to nine digits) the one with the fewest phrases is taken, and of these the one whose first
phrase, else second and so on, is longer. Each phrase becomes a slot with its alternatives; an unknown word is
read as itself, with probability 1: its lemma is the word, its tag is ``UNKNOWN_TAG``, and it is not a
function word.

An n-gram of units runs within an alternative or on into the following slots. Its weight is its expected
count, the product of the probabilities of the alternatives that it touches summed over all its occurrences,
divided by ``divisor`` for each function word in it. Two bags are compared by lemmas and by tags: n-grams are
equal or not, so the optimum of the matching is the sum of the lesser weights.

Tokens of a batch that have no letter and no digit are left out, as they were when the table was made.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import pivots as _core
from metaphrase.analysis.sentence import Batch
from metaphrase.analysis.word_characters import has_letter_or_digit
from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.errors import InputError, OptionError
from metaphrase.lexicon.pivot_table import UNKNOWN_TAG, Alternative, PivotTable, PivotUnit
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.threads import check_threads

#: The orders of n-grams that are compared.
ORDERS = (1, 2, 3)

Unit = TypeVar("Unit", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class PivotSentences:
    """Lower-cased words, prepared once for any number of tables.

    Word t of sentence i is ``strings[word[offsets[i] + t]]``, each string once.
    """

    offsets: Int64Array
    word: Int32Array
    strings: list[str]

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True, eq=False)
class PivotOverlaps:
    """What was matched and what there was, one row a pair; columns are the orders n = 1, 2, 3.

    ``reference`` and ``hypothesis`` are the total weights of the bags, the same for lemmas and for tags.
    """

    matched_lemma: FloatArray
    matched_tag: FloatArray
    reference: FloatArray
    hypothesis: FloatArray


@dataclass(frozen=True, slots=True)
class PivotSlot:
    """Words ``start`` to ``end`` of a sentence, and what they are read as; not ``known``: as itself."""

    start: int
    end: int
    known: bool
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class PivotNgram:
    """Its expected count, and its weight after the discount for function words."""

    units: tuple[PivotUnit, ...]
    expected: float
    weight: float

    @property
    def lemmas(self) -> tuple[str, ...]:
        """What it is compared by under s_lem."""
        return tuple(unit.lemma for unit in self.units)

    @property
    def tags(self) -> tuple[str, ...]:
        """What it is compared by under s_pos."""
        return tuple(unit.tag for unit in self.units)


def pivot_sentences(sentences: Batch | Sequence[Sequence[str]] | PivotSentences) -> PivotSentences:
    """Prepare a batch by its forms; lists of words are taken as they are and must be in lower case."""
    if isinstance(sentences, PivotSentences):
        return sentences
    if isinstance(sentences, Batch):
        return _from_batch(sentences)
    rows = [_words(words) for words in _listed(sentences)]
    table: dict[str, int] = {}
    word = [table.setdefault(w, len(table)) for words in rows for w in words]
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return PivotSentences(offsets, np.array(word, dtype=np.int32), list(table))


def pivot_bags(
    table: PivotTable,
    sentences: Batch | Sequence[Sequence[str]] | PivotSentences,
    hypotheses: ArrayLike,
    references: ArrayLike,
    *,
    divisor: int = 10,
    threads: int = 1,
) -> PivotOverlaps:
    """Compare sentence ``hypotheses[p]`` with sentence ``references[p]`` for every p.

    The bags of a sentence are made once, in however many pairs it is, and kept until its last pair. Pairs are
    taken so that those of one segment follow each other, which keeps some tens of megabytes of bags in
    memory. A sentence may have 10,000 words.
    """
    prepared = pivot_sentences(sentences)
    with refusals():
        found = table._core.overlaps(
            strings=list(prepared.strings),
            offsets=prepared.offsets,
            word=prepared.word,
            hypotheses=vector(hypotheses, np.int32, "hypotheses"),
            references=vector(references, np.int32, "references"),
            divisor=_check_divisor(divisor),
            threads=check_threads(threads),
        )
    return PivotOverlaps(found[:, 0:3], found[:, 3:6], found[:, 6:9], found[:, 9:12])


def segmentation(table: PivotTable, words: Sequence[str]) -> list[PivotSlot]:
    """The most probable way to cut lower-cased words into phrases, each with its alternatives."""
    row = _words(words)
    sentence = pivot_sentences([row])
    with refusals():
        found = table._core.segment(sentence.strings, sentence.word)
    return [
        PivotSlot(
            start,
            start + length,
            known,
            tuple(table.lookup(row[start : start + length]))
            if known
            else (Alternative((_unknown(row[start]),), 1.0),),
        )
        for start, length, known in found
    ]


def pivot_ngrams(
    table: PivotTable, words: Sequence[str], n: int, *, divisor: int = 10
) -> list[PivotNgram]:
    """The bag of n-grams of lower-cased words, the heaviest first."""
    sentence = pivot_sentences([words])
    options = {"order": _check_order(n), "divisor": _check_divisor(divisor)}
    with refusals():
        found = table._core.ngrams(sentence.strings, sentence.word, **options)
    ngrams = [
        PivotNgram(
            tuple(_unknown(u) if isinstance(u, str) else PivotUnit(*u) for u in units),
            expected,
            expected * discount,
        )
        for units, expected, discount in found
    ]
    return sorted(ngrams, key=lambda ngram: (-ngram.weight, ngram.lemmas, ngram.tags))


def expected_ngrams(
    slots: Sequence[Sequence[tuple[Sequence[Unit], float]]], n: int
) -> dict[tuple[Unit, ...], float]:
    """Expected counts of the n-grams of any confusion network, without discounts.

    A slot is a list of alternatives, each a sequence of one or more units with its probability.
    """
    numbers: dict[Unit, int] = {}
    alternatives = [alternative for slot in slots for alternative in slot]
    units = [numbers.setdefault(u, len(numbers)) for sequence, _ in alternatives for u in sequence]
    with refusals():
        keys, weights = _core.expected_ngrams(
            slot_offsets=np.cumsum([0, *map(len, slots)], dtype=np.int64),
            unit_offsets=np.cumsum([0, *(len(s) for s, _ in alternatives)], dtype=np.int64),
            units=np.array(units, dtype=np.int32),
            probabilities=np.array([p for _, p in alternatives], dtype=np.float64),
            order=_check_order(n),
        )
    names = list(numbers)
    rows = keys.reshape(-1, n).tolist()
    return {
        tuple(names[unit] for unit in row): weight
        for row, weight in zip(rows, weights.tolist(), strict=True)
    }


def _from_batch(batch: Batch) -> PivotSentences:
    if "form" not in batch.columns:
        raise InputError("MP666", "The sentences have no forms.", hint="Analyse them.")
    form = vector(batch.columns["form"], np.int32, "form")
    if len(form) and not 0 <= form.min() <= form.max() < len(batch.strings):
        raise InputError("MP403", "form has a cell that is no number of a string.")
    used = np.flatnonzero(np.bincount(form, minlength=len(batch.strings)))
    table: dict[str, int] = {}
    # -1: not a word.
    number = np.full(len(batch.strings), -1, dtype=np.int32)
    for i in used.tolist():
        if has_letter_or_digit(batch.strings[i]):
            number[i] = table.setdefault(batch.strings[i].lower(), len(table))
    word = number[form]
    offsets = vector(batch.offsets, np.int64, "offsets")
    if not len(offsets) or (np.diff(offsets) < 0).any() or offsets[-1] != len(form) or offsets[0]:
        raise InputError("MP406", "the offsets of the sentences do not rise to their tokens.")
    kept_before = np.concatenate([[0], np.cumsum(word >= 0)])
    return PivotSentences(kept_before[offsets], word[word >= 0], list(table))


def _words(words: Sequence[str]) -> list[str]:
    found = _listed(words)
    if any(not isinstance(word, str) for word in found):
        raise InputError("MP666", "A word is not a string.", hint="Give lists of strings.")
    return found


def _listed(things: Iterable[Any]) -> list[Any]:
    if isinstance(things, str):
        raise InputError(
            "MP666", "A string stands where a list of words belongs.", hint="Split it into words."
        )
    if not isinstance(things, Iterable):
        raise InputError(
            "MP666",
            f"{things!r} stands where a list of words belongs.",
            hint="Give lists of strings.",
        )
    return list(things)


def _unknown(word: str) -> PivotUnit:
    return PivotUnit(word, UNKNOWN_TAG, False)


def _check_divisor(divisor: int) -> int:
    if isinstance(divisor, bool) or not isinstance(divisor, int) or not 1 <= divisor <= 100:
        raise OptionError("MP404", f"divisor is {divisor!r}; it must be an integer of 1 to 100.")
    return divisor


def _check_order(n: int) -> int:
    if n not in ORDERS or isinstance(n, bool):
        raise OptionError("MP404", f"n is {n!r}; it must be 1, 2 or 3.")
    return n
