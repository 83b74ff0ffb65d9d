"""The file of a table of pivot phrases, made of the phrases of parallel text: what is kept, and how.

:mod:`metaphrase.lexicon.pivot_table` says what a table holds, and reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from math import sqrt

import numpy as np

from metaphrase._core import pivots as core
from metaphrase.arrays import BoolArray, Int32Array, Int64Array
from metaphrase.errors import InputError, OptionError
from metaphrase.learning.phrases.extraction import PhraseSide, PhraseTable
from metaphrase.lexicon.pivot_table import MOST_WORDS

#: How often a phrase of several words must occur in a text of n sentence pairs: √(n / 300) times, and what is
#: always often enough. Rarer phrases fit one translation and not its paraphrases; without any of them a table
#: has no paraphrases of several words. docs/training.md has figures.
PAIRS_PER_SQUARED_COUNT = 300
OFTEN_ENOUGH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """What is too rare to be kept; single words are kept more readily, for coverage.

    The defaults were chosen by how well bags of German n-grams agree with direct assessments of WMT13 and
    WMT16 when a table has three megabytes: many alternatives of frequent phrases are worth more than rare
    phrases, which fit one translation and not its paraphrases.

    least_count:        of a phrase and an alternative together, N(p, f)
    least_phrase_count: of a phrase of several words, N(p); None follows the size of the text (``of_text``)
    least_probability:  of an alternative, N(p, f) / N(p)
    most_alternatives:  of a phrase, the most probable ones; at most 64
    """

    least_count: int = 1
    least_phrase_count: int | None = None
    least_probability: float = 0.01
    most_alternatives: int = 16

    def __post_init__(self) -> None:
        most = {"most_alternatives": core.most_alternatives, "least_probability": 1}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            least = 0 if field.name == "least_probability" else 1
            if not least <= value <= most.get(field.name, value):
                raise OptionError(
                    "MP662",
                    f"{field.name} is {value}.",
                    hint=f"It must be at least {least}"
                    + (f" and at most {most[field.name]}." if field.name in most else "."),
                )

    def of_text(self, sentence_pairs: int) -> Pruning:
        """The same with the ``least_phrase_count`` of a text of so many sentence pairs, if none was chosen.

        >>> sizes = 12, 2_500, 10_000, 40_000, 190_000, 3_000_000, 10_000_000
        >>> [Pruning().of_text(size).least_phrase_count for size in sizes]
        [1, 3, 6, 12, 25, 100, 100]
        """
        if self.least_phrase_count is not None:
            return self
        count = round(sqrt(sentence_pairs / PAIRS_PER_SQUARED_COUNT))
        count = min(max(count, 1), OFTEN_ENOUGH)
        return replace(self, least_phrase_count=count)


def unit_name(lemma: str, tag: str) -> str:
    """How a unit is written in the vocabulary of a text that phrases are extracted from."""
    return f"{tag} {lemma}"


def build_pivot_table(
    phrases: PhraseTable,
    *,
    languages: tuple[str, str],
    analysers: tuple[str, str],
    function_tags: Collection[str],
    pruning: Pruning | None = None,
    may_be_empty: bool = True,
) -> bytes:
    """The content of a table's file.

    The source side of ``phrases`` is the target language; the vocabulary of the other side is that of
    :func:`unit_name`. All its pairs must be there: its counts add up to the sum of N(p). Without a
    ``least_phrase_count`` no phrase is too rare. A table without phrases is an error unless it
    ``may_be_empty``.
    """
    kept = _kept(phrases, pruning or Pruning())
    if len(kept) == 0 and not may_be_empty:
        raise InputError(
            "MP663",
            f"None of {len(phrases):,} pairs of phrases is left after pruning.",
            hint="Give more text, or prune less.",
        )
    target, source_of_pair = _used(phrases.source, phrases.sources[kept])
    pivot, pivot_of_pair = _used(phrases.target, phrases.targets[kept])
    tags, lemmas = _split_units(pivot.vocabulary)
    tag_names, unit_tags = _numbered(tags)
    lemma_names, unit_lemmas = _numbered(lemmas)
    function = frozenset(function_tags)
    units = core.Units(
        lemmas=lemma_names,
        tags=tag_names,
        function=np.array([tag in function for tag in tag_names], dtype=np.uint8),
        lemma=unit_lemmas,
        tag=unit_tags,
    )
    counts = np.ascontiguousarray(phrases.counts[kept])
    try:
        return core.write_table(
            names=[*languages, *analysers],
            words=list(target.vocabulary),
            units=units,
            phrases=(target.offsets, target.words),
            totals=target.totals,
            pivots=(pivot.offsets, pivot.words),
            pairs=(source_of_pair, pivot_of_pair, counts),
            total=int(phrases.counts.sum()),
        )
    except ValueError as error:
        raise InputError(
            "MP664", f"The phrases do not make a table: {error}.", hint="Prune more of them."
        ) from error


def phrases_of_several_words(phrases: PhraseTable, pruning: Pruning) -> int:
    """How many phrases of several words such a table has."""
    sources = phrases.sources[_frequent(phrases, pruning)]
    return len(np.unique(sources[phrases.source.lengths[sources] > 1]))


def _frequent(phrases: PhraseTable, pruning: Pruning) -> BoolArray:
    """Which pairs are frequent enough; of each phrase with any, ``most_alternatives`` stay."""
    totals = phrases.source.totals[phrases.sources]
    rare = phrases.source.totals < (pruning.least_phrase_count or 1)
    rare &= phrases.source.lengths > 1
    rare |= ~_short_enough(phrases.source)
    keep = phrases.counts >= pruning.least_count
    keep &= phrases.counts >= pruning.least_probability * totals
    keep &= ~rare[phrases.sources]
    keep &= _short_enough(phrases.target)[phrases.targets]
    return np.asarray(keep)


def _kept(phrases: PhraseTable, pruning: Pruning) -> Int64Array:
    """Which pairs stay, in their order."""
    rows = np.flatnonzero(_frequent(phrases, pruning))
    # The place of each pair among those of its phrase, the most frequent first.
    order = np.lexsort((rows, -phrases.counts[rows], phrases.sources[rows]))
    ranked = phrases.sources[rows][order]
    place = np.arange(len(ranked)) - np.searchsorted(ranked, ranked)
    return np.sort(rows[order[place < pruning.most_alternatives]])


def _short_enough(side: PhraseSide) -> BoolArray:
    """Which phrases have only words that the file can hold; others are no words of any language."""
    sizes = [len(word.encode("utf-8", "replace")) for word in side.vocabulary]
    too_long = (np.array(sizes, dtype=np.int64) > core.most_string)[side.words]
    found = np.ones(len(side), dtype=bool)
    found[np.searchsorted(side.offsets, np.flatnonzero(too_long), side="right") - 1] = False
    return found & (side.lengths <= MOST_WORDS)


def _used(side: PhraseSide, numbers: Int32Array) -> tuple[PhraseSide, Int32Array]:
    """The phrases that occur among ``numbers``, and these in terms of them."""
    used, renumbered = np.unique(numbers, return_inverse=True)
    lengths = side.lengths[used]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    cells = np.arange(offsets[-1]) + np.repeat(side.offsets[used] - offsets[:-1], lengths)
    part = PhraseSide(offsets, side.words[cells], side.totals[used], side.vocabulary)
    return part, renumbered.astype(np.int32)


def _split_units(names: Sequence[str]) -> tuple[list[str], list[str]]:
    parts = [name.partition(" ") for name in names]
    return [tag for tag, _, _ in parts], [lemma for _, _, lemma in parts]


def _numbered(strings: Sequence[str]) -> tuple[list[str], Int32Array]:
    table: dict[str, int] = {}
    numbers = [table.setdefault(string, len(table)) for string in strings]
    return list(table), np.array(numbers, dtype=np.int32)
