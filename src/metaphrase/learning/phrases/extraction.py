"""Phrase tables from word-aligned text, and the paraphrases that they imply.

A phrase pair is two spans of words with a link between them and none that leaves either (Koehn, Och
and Marcu, NAACL 2003); unaligned words at its edges may belong to it or not, which gives one pair
for each choice. Phrases that share translations paraphrase each other (Bannard and Callison-Burch,
"Paraphrasing with Bilingual Parallel Corpora", ACL 2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metaphrase._core import phrases as core
from metaphrase.arrays import FloatArray, Int32Array, Int64Array, one_line
from metaphrase.errors import OptionError
from metaphrase.learning.phrases.parallel_text import ParallelText
from metaphrase.learning.phrases.word_alignment import Links, unusable


@dataclass(frozen=True, eq=False)
class PhraseSide:
    """The phrases of one language: their words, and how often each was extracted with any partner."""

    offsets: Int64Array
    words: Int32Array
    totals: Int64Array
    vocabulary: Sequence[str]

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.totals)

    @cached_property
    def lengths(self) -> Int64Array:
        """How many words each phrase has."""
        return np.diff(self.offsets)

    def phrase(self, number: int) -> str:
        """The words of a phrase with spaces between."""
        piece = self.words[self.offsets[number] : self.offsets[number + 1]]
        return " ".join([self.vocabulary[word] for word in piece.tolist()])


@dataclass(frozen=True, eq=False)
class PivotParaphrases:
    """Pairs of phrases of the source side, sorted, with ``p(paraphrase | phrase)``.

    ``pivots`` says through how many phrases of the other language a pair was found.
    """

    phrases: Int32Array
    paraphrases: Int32Array
    probabilities: FloatArray
    pivots: Int32Array

    __repr__ = one_line


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """Counts of phrase pairs, sorted by source phrase and then target phrase.

    Totals of the sides count every extracted pair, also those too rare for the table, so that
    ``counts / totals`` are relative frequencies. ``lost`` is 0 unless the bound on memory took effect:
    then no count falls short of the true one by more than this.
    """

    source: PhraseSide
    target: PhraseSide
    sources: Int32Array
    targets: Int32Array
    counts: Int64Array
    lost: int

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.counts)

    def pivot(
        self,
        *,
        most_words: int,
        least_translation: float = 0.001,
        least_paraphrase: float = 0.001,
        threads: int = 1,
    ) -> PivotParaphrases:
        """``p(e2 | e1) = sum over f of p(f | e1) p(e2 | f)`` among source phrases of ``most_words``.

        Translations less probable than ``least_translation`` either way are taken for noise.
        """
        wanted = (self.source.lengths <= most_words).astype(np.uint8)
        found = core.pivot(
            pairs=(self.sources, self.targets, self.counts),
            phrase_totals=self.source.totals,
            pivot_totals=self.target.totals,
            wanted=wanted,
            least_translation=least_translation,
            least_paraphrase=least_paraphrase,
            threads=threads,
        )
        return PivotParaphrases(*found)


def extract_phrases(
    text: ParallelText,
    links: Links,
    *,
    most_source_words: int = 4,
    most_target_words: int = 4,
    least_count: int = 1,
    most_pairs: int = 100_000_000,
) -> PhraseTable:
    """All phrase pairs of ``text`` that are consistent with ``links``, counted.

    Pairs that occur less often than ``least_count`` are left out of the table. ``most_pairs`` bounds the
    memory of the counts (32 bytes a pair while tables are merged, and 200 MB; the words of the phrases
    come on top): when more different pairs have been met, the rarest go.
    """
    for name, value in (
        ("most_source_words", most_source_words),
        ("most_target_words", most_target_words),
        ("least_count", least_count),
        ("most_pairs", most_pairs),
    ):
        if value < 1:
            raise OptionError("MP342", f"{name} is {value}.", hint="It must be at least 1.")
    counter = core.PhraseCounter(
        most_source_words=most_source_words, most_target_words=most_target_words, limit=most_pairs
    )
    try:
        counter.add(
            source_offsets=text.source.offsets,
            source=text.source.words,
            target_offsets=text.target.offsets,
            target=text.target.words,
            link_offsets=links.offsets,
            link_sources=links.sources,
            link_targets=links.targets,
        )
    except ValueError as error:
        raise unusable(error) from None
    sources, targets, counts, source, target, lost = counter.table(least_count)
    return PhraseTable(
        PhraseSide(*source, text.source.vocabulary),
        PhraseSide(*target, text.target.vocabulary),
        sources,
        targets,
        counts,
        lost,
    )
