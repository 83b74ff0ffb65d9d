"""From parallel text to a table of pivot phrases (:mod:`metaphrase.lexicon.pivot_table`).

Both sides are cut into words by the built-in analysers of their languages, with German compounds cut as
TESLA cuts them. Words of the target language are forms in lower case; words of the pivot language are lemmas
in lower case with the tags that they have in their sentences. Tokens without a letter or digit are dropped
from both sides after tagging and before words are aligned, as TESLA drops them from the sentences that it
compares (METRICS 3.1). Words are aligned by
:func:`~metaphrase.learning.phrases.word_alignment.align_parallel_text` in both directions, symmetrised by
grow-diag-final-and: the package systran-align gives only links that are symmetrised already.

Sentence pairs without a word on a side are left out, and so are those with more than ``most_words`` on a
side, which are mostly lists or misaligned, and those of several words that are the same on both sides, which
nobody translated: they would teach the table that English is German. All are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import eq

import numpy as np

from metaphrase.analysis import Analyser, Batch, shared
from metaphrase.analysis.packed_text import PackedText
from metaphrase.analysis.word_characters import has_letter_or_digit
from metaphrase.arrays import Int32Array, Int64Array
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError, OptionError
from metaphrase.learning.phrases.extraction import extract_phrases
from metaphrase.learning.phrases.parallel_text import ParallelText
from metaphrase.learning.phrases.pivot_table_file import (
    Pruning,
    build_pivot_table,
    phrases_of_several_words,
    unit_name,
)
from metaphrase.learning.phrases.word_alignment import align_parallel_text
from metaphrase.lexicon.pivot_table import MOST_WORDS
from metaphrase.metrics.tesla_m.languages import FUNCTION_TAGS, tesla_language

#: What is being done, and how much of it is done.
Progress = Callable[[str, int], None]

#: Lines that are analysed at a time.
_PIECE = 4096
#: Alignments no longer change after some ten; whoever asks for more than this has mistyped.
_MOST_ITERATIONS = 1000
#: More words, cells or pairs than any machine holds.
_MOST_MEMORY = 1 << 40


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotTraining:
    """How a table is trained.

    most_words: of either side of a sentence pair
    iterations: of the word aligner
    most_cells: words of one side times words of the other, summed over the sentence pairs: the aligner
                needs 4 bytes for each. Sentence pairs beyond this are left out, and counted
    most_pairs: different phrase pairs in memory, 32 bytes each; beyond this the rarest go
    """

    most_words: int = 80
    iterations: int = 5
    most_cells: int = 400_000_000
    most_pairs: int = 40_000_000

    def __post_init__(self) -> None:
        for name in self.__slots__:
            most = _MOST_ITERATIONS if name == "iterations" else _MOST_MEMORY
            if not 1 <= getattr(self, name) <= most:
                raise OptionError(
                    "MP662",
                    f"{name} is {getattr(self, name)}.",
                    hint=f"It must be at least 1 and at most {most:,}.",
                )


@dataclass(slots=True)
class SentencePairs:
    """How many sentence pairs were used, and how many not for which reason.

    ``lost`` is 0 unless phrase pairs were dropped for want of memory: then counts of phrase pairs fall short
    by up to this. ``several`` is how many phrases of several words the table has, each of which occurs at
    least ``least_phrase_count`` times.
    """

    used: int = 0
    empty: int = 0
    long: int = 0
    copied: int = 0
    beyond: int = 0
    lost: int = 0
    several: int = field(default=0, compare=False)
    least_phrase_count: int = field(default=1, compare=False)


@dataclass(slots=True)
class _Side:
    """The words of one language, numbered as they come."""

    numbers: dict[str, int] = field(default_factory=dict)
    lengths: list[Int64Array] = field(default_factory=list)
    words: list[Int32Array] = field(default_factory=list)

    def add(self, lengths: Int64Array, names: list[str], words: Int32Array) -> None:
        """Sentences whose words are numbers of ``names``.

        Words are numbered in the order of the text: sums of the aligner follow the numbers, and ``names``
        stand in an order that depends on threads.
        """
        used, first = np.unique(words, return_index=True)
        number = np.zeros(len(names), dtype=np.int32)
        for i in used[np.argsort(first)].tolist():
            number[i] = self.numbers.setdefault(names[i], len(self.numbers))
        self.lengths.append(lengths)
        self.words.append(number[words])

    def packed(self) -> PackedText:
        """All of them."""
        offsets = np.concatenate([[0], *self.lengths]).cumsum().astype(np.int64)
        words = np.concatenate([np.zeros(0, np.int32), *self.words])
        return PackedText(offsets, words, list(self.numbers))


def pivot_analyser(language: str) -> Analyser:
    """What cuts texts of ``language`` into words for pivot tables, in training and in scoring."""
    compounds = "+compounds" if tesla_language(language).compounds else ""
    return shared(f"builtin:{language}{compounds}")


def train_pivot_table(
    target: FilePath,
    pivot: FilePath,
    *,
    target_language: str,
    pivot_language: str,
    pruning: Pruning | None = None,
    training: PivotTraining | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[bytes, SentencePairs]:
    """The content of a table's file from two files whose lines translate each other, and what was used."""
    training = training or PivotTraining()
    if target_language == pivot_language:
        raise OptionError(
            "MP662",
            f"{target_language!r} cannot be the pivot of itself.",
            hint="Give text in another language, and say which.",
        )
    tell = progress or (lambda what, done: None)
    analysers = pivot_analyser(target_language), pivot_analyser(pivot_language)
    text, pairs = read_parallel(
        target, pivot, analysers, training=training, threads=threads, progress=tell
    )
    tell("aligning words", 0)
    alignments = align_parallel_text(
        text,
        iterations=training.iterations,
        threads=threads,
        progress=lambda done: tell("aligning words", done),
    )
    tell("extracting phrases", 0)
    phrases = extract_phrases(
        text,
        alignments.symmetrise(),
        most_source_words=MOST_WORDS,
        most_target_words=MOST_WORDS,
        most_pairs=training.most_pairs,
    )
    pairs.lost = phrases.lost
    del alignments
    pruning = (pruning or Pruning()).of_text(pairs.used)
    pairs.several = phrases_of_several_words(phrases, pruning)
    pairs.least_phrase_count = pruning.least_phrase_count or 1
    tell("writing the table", 0)
    content = build_pivot_table(
        phrases,
        languages=(target_language, pivot_language),
        analysers=(analysers[0].name, analysers[1].name),
        function_tags=FUNCTION_TAGS[tesla_language(pivot_language).tagsets[0]],
        pruning=pruning,
        may_be_empty=False,
    )
    return content, pairs


def read_parallel(
    target: FilePath,
    pivot: FilePath,
    analysers: tuple[Analyser, Analyser],
    *,
    training: PivotTraining,
    threads: int = 1,
    progress: Progress,
) -> tuple[ParallelText, SentencePairs]:
    """Words of the target language beside units of the pivot language."""
    sides, pairs, cells = (_Side(), _Side()), SentencePairs(), 0
    read = 0
    for lines in _line_pairs(target, pivot):
        target_batch = analysers[0].analyse(lines[0], ("form",), threads=threads)
        pivot_batch = analysers[1].analyse(lines[1], ("form", "lemma", "tag"), threads=threads)
        pieces = _forms(target_batch), _units(pivot_batch)
        lengths = pieces[0][0], pieces[1][0]
        empty = np.minimum(*lengths) == 0
        long = ~empty & (np.maximum(*lengths) > training.most_words)
        # A line that stands on both sides was not translated; a single word may be the same in both.
        equal = np.fromiter(map(eq, *lines), bool, len(lines[0]))
        copied = ~(empty | long) & equal & (np.maximum(*lengths) > 1)
        size = np.where(empty | long | copied, 0, lengths[0] * lengths[1])
        beyond = (cells + size.cumsum() > training.most_cells) & (size > 0)
        keep = ~(empty | long | copied | beyond)
        cells += int(size[keep].sum())
        for side, (length, names, words) in zip(sides, pieces, strict=True):
            side.add(length[keep], names, words[np.repeat(keep, length)])
        pairs.used += int(keep.sum())
        pairs.empty += int(empty.sum())
        pairs.long += int(long.sum())
        pairs.copied += int(copied.sum())
        pairs.beyond += int(beyond.sum())
        read += len(lines[0])
        progress("reading sentence pairs", read)
    if not pairs.used:
        raise InputError(
            "MP663",
            f"Of {read} sentence pairs, {pairs.empty} have no word on a side, {pairs.long} have more than "
            f"{training.most_words}, {pairs.copied} are the same on both sides and {pairs.beyond} are too "
            "many for the memory allowed: none is left.",
            path=target,
            hint="Give parallel text, one sentence per line.",
        )
    return ParallelText(sides[0].packed(), sides[1].packed()), pairs


def _line_pairs(target: FilePath, pivot: FilePath) -> Iterator[tuple[list[str], list[str]]]:
    with LineReader(target) as first, LineReader(pivot) as second:
        while True:
            lines = first.take(_PIECE), second.take(_PIECE)
            if len(lines[0]) != len(lines[1]):
                raise InputError(
                    "MP340",
                    f"{first.name} has {first.count()} lines and {second.name} has {second.count()}.",
                    hint="Line k of one file must be the translation of line k of the other.",
                )
            if not lines[0]:
                return
            yield lines


def _forms(batch: Batch) -> tuple[Int64Array, list[str], Int32Array]:
    """Lengths of the sentences, names of the words, and the words."""
    word, lengths = _words(batch)
    return lengths, [string.lower() for string in batch.strings], batch.columns["form"][word]


def _units(batch: Batch) -> tuple[Int64Array, list[str], Int32Array]:
    word, lengths = _words(batch)
    lemma, tag = (batch.columns[name][word].astype(np.int64) for name in ("lemma", "tag"))
    keys, unit = np.unique(lemma << 32 | tag, return_inverse=True)
    names = [
        unit_name(batch.strings[key >> 32].lower(), batch.strings[key & 0xFFFFFFFF])
        for key in keys.tolist()
    ]
    return lengths, names, unit.astype(np.int32)


def _words(batch: Batch) -> tuple[Int64Array, Int64Array]:
    """The tokens that are words, and how many each sentence has."""
    form = batch.columns["form"]
    is_word = np.fromiter(map(has_letter_or_digit, batch.strings), bool, len(batch.strings))[form]
    before = np.concatenate([[0], np.cumsum(is_word)])
    return np.flatnonzero(is_word), np.diff(before[batch.offsets])
