"""From analysed sentences to the weighted bags that the TESLA metrics compare.

Sections 3.1 to 3.3 of the paper; METRICS 3.1, 3.2, 3.3 and 3.4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.analysis import Batch
from metaphrase.analysis.word_characters import has_letter_or_digit
from metaphrase.arrays import FloatArray, Int32Array, Int64Array, Uint8Array
from metaphrase.lexicon import NO_PART, SynonymSource
from metaphrase.matching import Synonymy

#: What a feature is worth when neither side has an n-gram for it.
EMPTY_BAGS = {"skip": np.nan, "zero": 0.0, "one": 1.0}
#: First letters of Penn tags, universal tags, and WordNet's part of speech for both.
_PARTS = {"N": "n", "V": "v", "J": "a", "R": "r"}
_UNIVERSAL_PARTS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}


@dataclass(frozen=True, slots=True, eq=False)
class TaggedWords:
    """The tokens of a batch that count, as dense ids for the kernel.

    ``token`` is where each stands in the batch's own columns. ``sense`` is what synonymy is asked about.
    """

    offsets: Int64Array
    token: Int64Array
    lemma: Int32Array
    sense: Int32Array
    tag: Int32Array
    function: Uint8Array
    synonymy: Synonymy


def tagged_words(
    batch: Batch,
    lexicon: SynonymSource,
    *,
    tag_column: str,
    function_tags: Collection[str],
    all_tokens: bool = False,
    lowercase: bool = True,
    same_part_only: bool = False,
) -> TaggedWords:
    """Drop what does not count, fold case, and look the lemmas up in the lexicon."""
    form, lemma, tag = (batch.columns[name] for name in ("form", "lemma", tag_column))
    if all_tokens:
        keep = np.ones(len(form), dtype=bool)
    else:
        keep = np.fromiter(map(has_letter_or_digit, batch.strings), bool, len(batch.strings))[form]
    kept_before = np.zeros(len(form) + 1, dtype=np.int64)
    np.cumsum(keep, out=kept_before[1:])

    lemmas, lemma_ids = _renumber(lemma[keep], batch.strings, str.lower if lowercase else str)
    tags, tag_ids = _renumber(tag[keep], batch.strings, str)
    senses: Sequence[str] = lemmas
    parts: list[str] | None = None
    sense_ids = lemma_ids
    if same_part_only:
        part_of_tag = [_part_of_speech(name, tag_column) for name in tags]
        pairs, sense_ids = np.unique(
            lemma_ids.astype(np.int64) * len(tags) + tag_ids, return_inverse=True
        )
        sense_ids = sense_ids.astype(np.int32)
        parts = [part_of_tag[pair % len(tags)] for pair in pairs.tolist()]
        senses = [lemmas[pair // len(tags)] for pair in pairs.tolist()]
    return TaggedWords(
        offsets=kept_before[batch.offsets],
        token=np.flatnonzero(keep),
        lemma=lemma_ids,
        sense=sense_ids,
        tag=tag_ids,
        function=np.array([name in function_tags for name in tags], dtype=np.uint8),
        synonymy=Synonymy(*lexicon.synonym_graph(senses, parts=parts)),
    )


def f_measure(
    matched: FloatArray, reference: FloatArray, hypothesis: FloatArray, alpha: float
) -> FloatArray:
    """F = P·R/(α·P + (1−α)·R) with P = S/Y and R = S/X, that is S/(α·X + (1−α)·Y) (section 3.3).

    S is the matched weight, X the reference's total, Y the hypothesis's. NaN where both bags are empty,
    0 where one is. The denominator is written so that X = Y gives exactly X.
    """
    total = hypothesis + alpha * (reference - hypothesis)
    nothing = np.where(reference + hypothesis > 0, 0.0, np.nan)
    # S ≤ min(X, Y), so more than 1 is rounding.
    return np.minimum(np.divide(matched, total, out=nothing, where=total > 0), 1.0)


def _renumber(
    ids: Int32Array, strings: Sequence[str], spelling: Callable[[str], str]
) -> tuple[list[str], Int32Array]:
    """The distinct strings behind ``ids`` after ``spelling``, and ids into them, dense from 0."""
    used = np.flatnonzero(np.bincount(ids, minlength=1)) if len(ids) else np.zeros(0, np.int64)
    table: dict[str, int] = {}
    new = np.zeros(len(strings) + 1, dtype=np.int32)
    for old in used.tolist():
        new[old] = table.setdefault(spelling(strings[old]), len(table))
    return list(table), new[ids]


def _part_of_speech(tag: str, column: str) -> str:
    if column == "upos":
        return _UNIVERSAL_PARTS.get(tag, NO_PART)
    return _PARTS.get(tag[:1], NO_PART)
