"""Which words of a reference an edit machine may replace by which of a hypothesis, and under which label.

Mengqiu Wang and Christopher D. Manning: Probabilistic Finite State Machines for Regression-based MT
Evaluation. EMNLP 2012, section 3 (METRICS 6.2).

Of two words hold, each by itself:

- ``word``: the same word, in whatever case unless ``case_sensitive``;
- ``punctuation``: the same word, and none of its characters is a letter or a digit;
- ``lemma``: the same stem of the words in lower case (Porter2's, or Porter's first as in the paper), or the
  same lemma in lower case;
- ``synonym``: lemmas in lower case that share a set of synonyms. A lemma that is in any set shares it
  with itself: *went* and *goes* have different stems and are synonyms;
- ``paraphrase``: the table of paraphrases has the words in lower case.

Longer stretches, if ``max_block`` is 2: ``punctuation``, ``word`` or ``lemma`` holds of two words and two
words if it holds of the first ones and of the second ones. So *cat .* and *cat .* are a block of ``word``,
because equal punctuation is an equal word as well; *cats .* and *cat .* are one of ``lemma``; *! ?* and *! ?*
one of ``punctuation``. Synonyms have no blocks. ``paraphrase`` holds of any one or two words and one or two
words that the table has, with a space between two words.

Of the labels that hold of the same stretches the first in the order of :data:`SUBSTITUTIONS` is taken; all of
them if ``overlapping``, when equal words have ``lemma`` besides ``word``. One word and two have no label but
``paraphrase``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import substitutions as _core
from metaphrase._core.alignment import stems
from metaphrase.arrays import Int32Array, Int64Array, Uint8Array
from metaphrase.errors import InputError, OptionError
from metaphrase.lexicon.english_stems import porter_stems
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.matching.dependency_links import dependency_links
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.threads import check_threads

if TYPE_CHECKING:
    from metaphrase.analysis import Batch
    from metaphrase.lexicon import ParaphraseSource, SynonymSource
    from metaphrase.lexicon.relation import SynonymGraph


LEMMAS = ("stem", "porter", "lemma", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionOptions:
    """Which substitutions there are.

    max_block:      how many words of either side one substitution may take: 1 or 2
    overlapping:    every label that holds, instead of the first
    case_sensitive: whether words that differ in case are different (they may have one stem nevertheless)
    lemmas:         ``stem`` (Porter2), ``porter`` (Porter's first), ``lemma`` (the analyser's) or ``none``
    punctuation:    whether it has a label of its own; else it is a word like any other
    dependencies:   whether to look for dependencies
    same_direction: whether head and modifier must stand in the same order on both sides
    """

    max_block: int = 2
    overlapping: bool = False
    case_sensitive: bool = False
    lemmas: str = "stem"
    punctuation: bool = True
    dependencies: bool = False
    same_direction: bool = True

    def __post_init__(self) -> None:
        if self.max_block not in (1, 2) or isinstance(self.max_block, bool):
            raise OptionError("MP404", f"max_block is {self.max_block!r}, neither 1 nor 2.")
        if self.lemmas not in LEMMAS:
            raise OptionError(
                "MP404", f"lemmas is {self.lemmas!r}.", hint=f"Choose {', '.join(LEMMAS)}."
            )
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, bool) and not isinstance(value, bool):
                raise OptionError("MP404", f"{field.name} is {value!r}, neither true nor false.")


@dataclass(frozen=True, slots=True, eq=False)
class EditSentences:
    """A batch with all that is asked about its words, looked up once.

    Token t of sentence i is at ``offsets[i] + t`` of every column. ``word`` and ``lemma`` are numbers that
    are the same for the same; ``lemma`` is empty if lemmas are not compared. ``sense`` is a node of
    ``synonyms``; ``phrase`` and ``bigram`` are nodes of ``paraphrases``: the token by itself, and with the
    next one. They are -1 where nothing is related. ``punctuation`` tells which words are such, and
    ``link`` how a token is joined to the one before it (:mod:`metaphrase.matching.dependency_links`).
    """

    offsets: Int64Array
    word: Int32Array
    lemma: Int32Array
    sense: Int32Array
    phrase: Int32Array
    bigram: Int32Array
    link: Uint8Array
    punctuation: Uint8Array
    synonyms: SynonymGraph
    paraphrases: SynonymGraph
    options: SubstitutionOptions

    def __len__(self) -> int:
        return len(self.offsets) - 1


def columns(options: SubstitutionOptions) -> frozenset[str]:
    """The columns that sentences must have, besides those that every analyser gives."""
    return frozenset({"lemma", "head", "relation"} if options.dependencies else {"lemma"})


def edit_sentences(
    batch: Batch,
    *,
    options: SubstitutionOptions,
    synonyms: SynonymSource,
    paraphrases: ParaphraseSource,
) -> EditSentences:
    """Look everything up that :func:`edit_pairs` asks about the sentences of a batch."""
    _check(batch, options)
    offsets = vector(batch.offsets, np.int64, "offsets")
    forms, form = _distinct(batch, "form")
    lower_forms, lower_of_form = _numbered(map(str.lower, forms))
    lower_form = lower_of_form[form]
    words, word = (forms, form) if options.case_sensitive else (lower_forms, lower_form)
    lemmas, lemma = _distinct(batch, "lemma")
    lower_lemmas, lower_of_lemma = _numbered(map(str.lower, lemmas))
    lower_lemma = lower_of_lemma[lemma]

    compared = np.zeros(0, np.int32)
    if options.lemmas == "lemma":
        compared = lower_lemma
    elif options.lemmas == "stem":
        with refusals():
            compared = _numbered(stems(lower_forms))[1][lower_form]
    elif options.lemmas == "porter":
        compared = _numbered(porter_stems(lower_forms))[1][lower_form]
    punctuation = np.zeros(len(words), np.uint8)
    if options.punctuation:
        punctuation[:] = [not any(map(str.isalnum, spelling)) for spelling in words]

    sense_of_lemma, synonym_graph = _without_loners(_with_itself(lower_lemmas, synonyms))
    phrases, bigram = lower_forms, np.full(len(form), -1, np.int32)
    if options.max_block == 2:
        phrases, bigram = _with_bigrams(lower_forms, lower_form, offsets)
    nodes, paraphrase_graph = _without_loners(paraphrases.paraphrase_graph(phrases))
    nodes = np.append(nodes, np.int32(-1))  # what bigram -1, none at all, is
    return EditSentences(
        offsets=offsets,
        word=word,
        lemma=compared,
        sense=sense_of_lemma[lower_lemma],
        phrase=nodes[lower_form],
        bigram=nodes[bigram],
        link=dependency_links(batch) if options.dependencies else np.zeros(len(form), np.uint8),
        punctuation=punctuation,
        synonyms=synonym_graph,
        paraphrases=paraphrase_graph,
        options=options,
    )


def edit_pairs(
    sentences: EditSentences,
    hypotheses: ArrayLike,
    references: ArrayLike,
    *,
    options: SubstitutionOptions,
    threads: int = 1,
) -> EditPairs:
    """What may stand for what in sentence ``hypotheses[p]`` and sentence ``references[p]``, for every p."""
    if options != sentences.options:
        raise OptionError(
            "MP421",
            "the sentences were prepared under other options.",
            hint="Give edit_sentences and edit_pairs the same options.",
        )
    hypothesis, reference = (
        vector(rows, np.int32, name)
        for rows, name in ((hypotheses, "hypotheses"), (references, "references"))
    )
    with refusals():
        checked = _core.Sentences(
            offsets=sentences.offsets,
            word=sentences.word,
            lemma=sentences.lemma,
            sense=sentences.sense,
            phrase=sentences.phrase,
            bigram=sentences.bigram,
            link=sentences.link,
            punctuation=sentences.punctuation,
            synonyms=sentences.synonyms,
            paraphrases=sentences.paraphrases,
        )
        allowed = _core.Options(
            max_block=options.max_block,
            overlapping=options.overlapping,
            same_direction=options.same_direction,
        )
        substitutions, dependencies = _core.find(
            checked, hypothesis, reference, allowed, check_threads(threads)
        )
    lengths = np.diff(sentences.offsets).astype(np.int32)
    return EditPairs(lengths[reference], lengths[hypothesis], *substitutions, *dependencies)


def _check(batch: Batch, options: SubstitutionOptions) -> None:
    if lacking := (columns(options) | {"form"}).difference(batch.columns):
        raise InputError(
            "MP420",
            f"the sentences have no column {', '.join(sorted(lacking))}.",
            hint="Analyse them with the columns that columns(options) names.",
        )
    if len(batch.offsets) == 0 or (np.diff(batch.offsets) < 0).any():
        raise InputError("MP406", "the offsets of the sentences do not rise.")
    tokens = int(batch.offsets[-1])
    for name in columns(options) | {"form"}:
        column = batch.columns[name]
        if len(column) != tokens:
            raise InputError("MP406", f"{name} has {len(column)} cells for {tokens} tokens.")
        if name != "head" and tokens and not 0 <= column.min() <= column.max() < len(batch.strings):
            raise InputError("MP403", f"{name} has a cell that is no number of a string.")


def _distinct(batch: Batch, column: str) -> tuple[list[str], Int32Array]:
    """The strings that occur in a column, and for each token its own."""
    cells = batch.columns[column]
    used = np.flatnonzero(np.bincount(cells, minlength=len(batch.strings)))
    number = np.zeros(len(batch.strings), np.int32)
    number[used] = np.arange(len(used))
    return [batch.strings[i] for i in used.tolist()], number[cells]


def _numbered(strings: Iterable[str]) -> tuple[list[str], Int32Array]:
    """Each string once, and which of them each is."""
    table: dict[str, int] = {}
    numbers = [table.setdefault(string, len(table)) for string in strings]
    return list(table), np.array(numbers, dtype=np.int32)


def _with_itself(words: list[str], source: SynonymSource) -> SynonymGraph:
    """The graph of synonyms, in which every word that the source knows is its own synonym as well."""
    offsets, neighbours = source.synonym_graph(words)
    known = np.diff(offsets) > 0
    # A source tells which others are synonyms. A word without any is known if it is one of its own double.
    alone = np.flatnonzero(~known)
    doubled = source.synonym_graph([words[i] for i in alone.tolist()] * 2)[0]
    known[alone] = np.diff(doubled[: len(alone) + 1]) > 0
    itself = np.flatnonzero(known)
    neighbours = np.insert(neighbours, offsets[itself], itself.astype(np.int32))
    return offsets + np.concatenate(([0], np.cumsum(known))), neighbours


def _with_bigrams(
    words: list[str], word: Int32Array, offsets: Int64Array
) -> tuple[list[str], Int32Array]:
    """The words and all two that stand side by side; which the two from each token on are, or -1."""
    with refusals():
        bigram, first, second = _core.bigrams(offsets, word)
    sides = ([words[i] for i in numbers.tolist()] for numbers in (first, second))
    phrases = [f"{before} {after}" for before, after in zip(*sides, strict=True)]
    return [*words, *phrases], np.where(bigram >= 0, bigram + len(words), -1)


def _without_loners(graph: SynonymGraph) -> tuple[Int32Array, SynonymGraph]:
    """The graph of those nodes alone that are related, and what each node is in it, or -1.

    Few phrases of a text are in a table, and the kernel is quicker with a table that fits its caches.
    """
    offsets, neighbours = graph
    related = np.diff(offsets) > 0
    related[neighbours] = True
    nodes = np.full(len(related), -1, np.int32)
    nodes[related] = np.arange(np.count_nonzero(related))
    kept = np.append(offsets[:-1][related], offsets[-1])
    return nodes, (kept, nodes[neighbours])
