"""The phrases that PBE compares: noun and verb chunks of analysed sentences, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.analysis import Batch
from metaphrase.arrays import BoolArray, Int32Array, Int64Array
from metaphrase.errors import InputError
from metaphrase.lexicon.english_stems import DEFAULT_STEMMER
from metaphrase.lexicon.relation import NO_PART
from metaphrase.matching.phrase_maps import PhraseSentences, WordSimilarity, word_similarity

if TYPE_CHECKING:
    from metaphrase.lexicon.subsumers import SubsumerSource

#: The types of chunks that count (METRICS 5.1: noun and verb phrases, of CoNLL-2000).
TYPES = ("NP", "VP")
#: Universal tags of words that have a topic.
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"})
#: WordNet's letters for universal tags; Lin's similarity is defined for nouns and verbs only.
_PARTS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v"}
_LETTERS = ("n", "v", NO_PART)


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """The phrases of a batch as the kernel reads them, and where their words are.

    ``tokens`` are places in the columns of ``batch``, one for each of ``sentences.words``. ``lemma`` has for
    every token of the batch a place in ``lemmas``, which are in lower case and each there once.
    """

    batch: Batch
    sentences: PhraseSentences
    similarity: WordSimilarity
    tokens: Int64Array
    lemma: Int32Array
    lemmas: tuple[str, ...]

    @classmethod
    def of(
        cls, batch: Batch, *, taxonomy: SubsumerSource | None, stemmer: str | None, same_part: bool
    ) -> Phrases:
        """Read the column ``chunk``, whose cells are ``B-NP``, ``I-NP`` and the like.

        Words are similar by their lemmas and in ``taxonomy``, by their English stems if there is a
        ``stemmer``; with ``same_part`` in the taxonomy only as the part of speech that they are.
        """
        tokens, phrase_offsets, sentence_offsets = _chunks(batch)
        lemma, lemmas = _lower_case(batch, "lemma")
        form, forms = _lower_case(batch, "form")
        part = _part_numbers(batch) if same_part else np.zeros_like(form)
        # One number for lemma, form and part of speech together: a word that is looked up once.
        shape = (max(len(lemmas), 1), max(len(forms), 1), len(_LETTERS))
        kinds, words = np.unique(
            np.ravel_multi_index((lemma[tokens], form[tokens], part[tokens]), shape),
            return_inverse=True,
        )
        of_lemma, of_form, of_part = (column.tolist() for column in np.unravel_index(kinds, shape))
        similarity = word_similarity(
            [lemmas[i] for i in of_lemma],
            taxonomy,
            forms=None if stemmer is None else [forms[i] for i in of_form],
            parts=[_LETTERS[i] for i in of_part] if same_part else None,
            stemmer=stemmer or DEFAULT_STEMMER,
        )
        sentences = PhraseSentences(sentence_offsets, phrase_offsets, words.astype(np.int32))
        return cls(batch, sentences, similarity, tokens, lemma, lemmas)

    def has_topic(self) -> BoolArray:
        """For each token of the batch whether it is a content word."""
        content = np.array([tag in _CONTENT for tag in self.batch.strings], dtype=np.bool_)
        return np.asarray(content[self.batch.columns["upos"]])


def _chunks(batch: Batch) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Tokens within phrases, the offsets of phrases in them, and the offsets of sentences in phrases."""
    used, label = np.unique(batch.columns["chunk"], return_inverse=True)
    labels = [batch.strings[i] for i in used.tolist()]
    begins = np.array([label.startswith("B-") for label in labels], dtype=np.bool_)
    kind = np.array([_kind(label) for label in labels], dtype=np.int8)[label]
    before = np.concatenate([np.zeros(1, dtype=np.int8), kind])[:-1]
    first = np.zeros(len(kind) + 1, dtype=np.bool_)
    first[batch.offsets[:-1]] = True  # empty sentences share the place of the next one
    starts = (kind > 0) & (begins[label] | (kind != before) | first[:-1])
    tokens = np.flatnonzero(kind > 0)
    phrase_offsets = np.append(np.flatnonzero(starts[tokens]), len(tokens))
    counts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(starts)])
    return tokens, phrase_offsets, counts[batch.offsets]


def _kind(label: str) -> int:
    """0 for a label that does not count; B- and I- may stand before it, and nothing else."""
    before, hyphen, kind = label.rpartition("-")
    if hyphen and before.partition("-")[0] not in ("B", "I"):
        raise InputError(
            "MP566",
            f"the phrase label {label!r} does not say whether a phrase begins or goes on.",
            hint="Write B-NP for the first word of a noun phrase, I-NP for the others; O is no phrase.",
        )
    return 1 + TYPES.index(kind) if kind in TYPES else 0


def _part_numbers(batch: Batch) -> Int32Array:
    """For each token the place of its part of speech in ``_LETTERS``."""
    numbers = [_LETTERS.index(_PARTS.get(tag, NO_PART)) for tag in batch.strings]
    return np.array(numbers, dtype=np.int32)[batch.columns["upos"]]


def _lower_case(batch: Batch, column: str) -> tuple[Int32Array, tuple[str, ...]]:
    """The column's cells as places in a table of lower-case strings."""
    cells = batch.columns[column]
    used = np.zeros(len(batch.strings), dtype=np.bool_)
    used[cells] = True
    table: dict[str, int] = {}
    numbers = np.zeros(len(batch.strings), dtype=np.int32)
    for string in np.flatnonzero(used).tolist():
        numbers[string] = table.setdefault(batch.strings[string].lower(), len(table))
    return numbers[cells], tuple(table)
