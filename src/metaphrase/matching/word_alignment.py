"""Which word of one sentence stands for which of another, in the same language.

Two aligners in nine stages: that of UPF-Cobalt (Fomicheva, Bel, da Cunha
& Malinovskiy, WMT 2015) and MWA, from which it descends (Sultan, Bethard & Sumner, TACL 2014). Final
punctuation, identical runs of words, hyphenated words and names come first; then content words, by similarity
and by how many of their syntactic neighbours or of the words around them are similar too; then function
words, by what is aligned next to them. As released, both give words of names and hyphenated words several
partners; here a word has one at most, unless ``pairs`` says otherwise.

Neither links phrases. If the sentences come with phrases that paraphrase each other, those are linked whose
words no stage has aligned but, weakly, with each other: as many words as possible get a partner
(``src/core/alignment/phrase_links.hpp``). That is future work of UPF-Cobalt's paper.

On top of it UPF-Cobalt's score (Eq. 1 to 3; METRICS 1.9 and 1.10). An aligned pair is worth
``max(similarity − penalty, 0.01)``, where
``penalty = 2/(1 + e^(−CP)) − 1``, ``CP = mean(x, y) · ln(L + 1)``; x and y are the shares, by weight, of
the two words' dependency relations that have no counterpart, L is the weight of all of the right word's, and
the mean an F mean with β. P and R are the worth of all pairs, weighed by the left and by the right words,
over the weight of all words of that side, and the score is ``1/((1−α)/P + α/R)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase._core import alignment as _core
from metaphrase.arrays import FloatArray, Int32Array, Int64Array, Uint8Array
from metaphrase.errors import InputError
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.options import check_options, option
from metaphrase.threads import check_threads

if TYPE_CHECKING:
    from metaphrase.analysis import Batch
    from metaphrase.analysis.relations import RelationBatch
    from metaphrase.lexicon.phrase_spans import PhraseSpans
    from metaphrase.lexicon.word_evidence import WordEvidence

#: Why aligned words are similar, by the kernel's numbers.
KINDS = (
    "unrelated",
    "identical",
    "contraction",
    "lemma",
    "stem",
    "synonym",
    "paraphrase",
    "distributional",
)
#: What each stage aligned.
STAGES = (
    "",
    "final punctuation",
    "identical words in a row",
    "hyphenated words",
    "names",
    "content words in similar syntactic contexts",
    "content words among similar words",
    "parts of hyphenated words",
    "function words in aligned syntactic contexts",
    "function words beside aligned words",
    "phrases",
)
#: How large the table of all pairs of words may be, which has a row and a column more than there are words.
MOST_CELLS = _core.most_cells
_PENALTIES = ("context", "none", "fragmentation")
_FORMULAS = ("released", "printed")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AlignerWords:
    """What the aligners know of the words of a language other than English, which is built in.

    stop_words, punctuation: weigh ``1 − delta``, and are aligned last; in lower case
    clitics:      are aligned with them, but weigh as content words do
    contractions: pairs of words that are one word in two spellings
    stem:         stems of words in lower case
    relations:    labels to the English ones as which tables know them: ``prep_von`` to ``prep_of``
    """

    stop_words: Sequence[str]
    punctuation: Sequence[str]
    stem: Callable[[Sequence[str]], list[str]]
    clitics: Sequence[str] = ()
    contractions: Sequence[tuple[str, str]] = ()
    relations: Mapping[str, str] = field(default_factory=dict)
    lists: _core.WordLists = field(init=False, repr=False)

    def __post_init__(self) -> None:
        with refusals():
            lists = _core.WordLists(
                list(self.stop_words),
                list(self.punctuation),
                list(self.clitics),
                [word for pair in self.contractions for word in pair],
            )
        object.__setattr__(self, "lists", lists)


class WordSpellings:
    """The distinct strings of a batch, with the spellings under which resources know them."""

    def __init__(self, strings: Sequence[str], words: AlignerWords | None = None) -> None:
        self.strings = list(strings)
        self.words = words
        with refusals():
            self.vocabulary = _core.Vocabulary(self.strings, None if words is None else words.lists)
            if words is not None:
                self.vocabulary.take_stems(words.stem(self.vocabulary.canonical))
        self.canonical: Sequence[str] = self.vocabulary.canonical
        self.lower: Sequence[str] = self.vocabulary.lower
        #: The place among ``canonical`` of each string.
        self.canonical_numbers: Int32Array = self.vocabulary.canonical_numbers()


@dataclass(frozen=True, slots=True, eq=False)
class ParsedSentences:
    """A batch with all that the aligners ask about it: columns form, lemma, tag and entity (``PERSON``,
    ``ORGANIZATION``, ``LOCATION`` are names), relations, and what is known of its words and phrases."""

    batch: Batch
    relations: RelationBatch
    spellings: WordSpellings
    evidence: WordEvidence
    phrases: PhraseSpans | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentOptions:
    """How pairs of sentences are aligned and scored: hypotheses on the left, references on the right."""

    aligner: str = option("cobalt", "``cobalt`` or ``mwa``", choices=("cobalt", "mwa"))
    pairs: str = option(
        "one-to-one",
        "``one-to-one``, or ``released``: words of names and hyphenated words may have several partners, "
        "each of which counts, so that the score has no maximum",
        choices=("one-to-one", "released"),
    )
    symmetric: bool = option(
        False,
        "also compare children on the left with parents on the right, which the released program of "
        "UPF-Cobalt forgets (MWA's does not)",
    )
    equivalent_types: bool = option(
        True, "whether different relations can match, such as ``agent`` and ``nsubj``"
    )
    uniform_weights: bool = option(
        False, "whether all relations weigh the same, instead of 1, 0.8 or 0.2"
    )
    penalty: str = option(
        "context",
        "``context``, ``none``, or ``fragmentation``, METEOR's penalty for word order",
        choices=_PENALTIES,
    )
    formula: str = option(
        "released",
        "of the context penalty: ``released``, the authors' program, or ``printed``, the paper's Eq. 1 and 2 "
        "to the letter, by which no aligned pair is worth more than 0.01",
        choices=_FORMULAS,
    )
    theta: float = option(
        0.9,
        "share of similarity, against contextual evidence, in the choice of alignments",
        low=0,
        high=1,
    )
    alpha: float = option(0.75, "weight of recall in the score", low=0, high=1)
    beta: float = option(4.0, "weight of the reference's side in the penalty", low=0, high=1000)
    delta: float = option(
        0.7, "weight of content words; function words have 1 − delta", low=0, high=1
    )

    def __post_init__(self) -> None:
        check_options(self, code="MP404")


@dataclass(frozen=True, slots=True, eq=False)
class WordAlignments:
    """Aligned words of many pairs of sentences, with what UPF-Cobalt makes of them.

    ``scores`` has a row for each pair: score, precision, recall, mean similarity, mean penalty. The aligned
    words of pair p are ``pair_offsets[p]:pair_offsets[p + 1]`` of the other columns; ``left`` and
    ``right`` count tokens from 0. Linked phrases follow, of ``left_words`` and ``right_words``.
    ``context_*`` lists the dependency relations of the aligned words, from ``context_offsets``: whose they
    are (``context_pair`` counts within the pair of sentences), their place in the list of the sentence, and
    whether the other word has a counterpart.
    """

    scores: FloatArray
    pair_offsets: Int64Array
    left: Int32Array
    right: Int32Array
    left_words: Int32Array
    right_words: Int32Array
    stage: Uint8Array
    kind: Uint8Array
    similarity: FloatArray
    penalty: FloatArray
    context_offsets: Int64Array
    context_pair: Int32Array
    context_relation: Int32Array
    context_on_right: Uint8Array
    context_child: Uint8Array
    context_matched: Uint8Array

    def pairs(self, index: int) -> list[tuple[int, int]]:
        """The aligned positions of one pair of sentences, in the order of the text; of phrases the first."""
        here = slice(self.pair_offsets[index], self.pair_offsets[index + 1])
        return list(zip(self.left[here].tolist(), self.right[here].tolist(), strict=True))


def align_words(
    sentences: ParsedSentences,
    left: ArrayLike,
    right: ArrayLike,
    *,
    options: AlignmentOptions | None = None,
    threads: int = 1,
) -> WordAlignments:
    """Align row ``left[p]`` with row ``right[p]`` for every p, and show all that came of it."""
    scores, columns = _align(sentences, left, right, options, threads, details=True)
    return WordAlignments(scores, **columns)


def alignment_scores(
    sentences: ParsedSentences,
    left: ArrayLike,
    right: ArrayLike,
    *,
    options: AlignmentOptions | None = None,
    threads: int = 1,
) -> FloatArray:
    """The ``scores`` of :func:`align_words` alone, which is faster."""
    return _align(sentences, left, right, options, threads, details=False)[0]


def relation_weight(label: str) -> float:
    """What a relation counts for in the context penalty: an argument 1, a modifier 0.8, others 0.2."""
    return _core.relation_weight(label)


def is_function_word(form: str, words: AlignerWords | None = None) -> bool:
    """Whether a word weighs 1 − delta in the score: a stop word or punctuation, in any case."""
    return _core.is_function_word(form) if words is None else words.lists.is_function_word(form)


def _align(
    sentences: ParsedSentences,
    left: ArrayLike,
    right: ArrayLike,
    options: AlignmentOptions | None,
    threads: int,
    *,
    details: bool,
) -> tuple[FloatArray, dict[str, NDArray[Any]]]:
    batch, relations, evidence = sentences.batch, sentences.relations, sentences.evidence
    vocabulary, words = sentences.spellings.vocabulary, sentences.spellings.words
    labels = list(relations.labels)
    if len(batch.strings) != len(sentences.spellings.strings):
        raise InputError("MP406", "the spellings are those of another batch.")
    form, lemma, tag, entity = (
        vector(batch.columns[name], np.int32, name) for name in ("form", "lemma", "tag", "entity")
    )
    with refusals():
        packed = _core.Sentences(
            vocabulary,
            vector(batch.offsets, np.int64, "offsets"),
            form,
            lemma,
            tag,
            entity,
            _core.Relations(
                vector(relations.offsets, np.int64, "relation offsets"),
                vector(relations.label, np.int32, "label"),
                vector(relations.governor, np.int32, "governor"),
                vector(relations.dependent, np.int32, "dependent"),
                labels,
                None if words is None else [words.relations.get(label, label) for label in labels],
            ),
        )
        known = _core.Evidence(
            vocabulary,
            _graph(evidence.synonyms, "synonyms"),
            _graph(evidence.paraphrases, "paraphrases"),
            evidence.vectors,
        )
        scores, columns = _core.align(
            packed,
            known,
            None if sentences.phrases is None else _phrases(sentences.phrases),
            vector(left, np.int32, "left"),
            vector(right, np.int32, "right"),
            _options(options or AlignmentOptions()),
            check_threads(threads),
            details,
        )
    return scores.reshape(-1, 5), columns or {}


def _options(options: AlignmentOptions) -> _core.Options:
    return _core.Options(
        mwa=options.aligner == "mwa",
        one_to_one=options.pairs == "one-to-one",
        symmetric=options.symmetric,
        equivalent_types=options.equivalent_types,
        uniform_weights=options.uniform_weights,
        penalty=_PENALTIES.index(options.penalty),
        formula=_FORMULAS.index(options.formula),
        theta=options.theta,
        alpha=options.alpha,
        beta=options.beta,
        delta=options.delta,
    )


def _phrases(spans: PhraseSpans) -> _core.Phrases:
    begin, words, phrase = (
        vector(getattr(spans, name), np.int32, name) for name in ("begin", "words", "phrase")
    )
    offsets = vector(spans.offsets, np.int64, "phrase offsets")
    return _core.Phrases(
        offsets, begin, words, phrase, _graph(spans.paraphrases, "paraphrases of phrases")
    )


def _graph(graph: tuple[Int64Array, Int32Array], name: str) -> tuple[Int64Array, Int32Array]:
    offsets, neighbours = graph
    return vector(offsets, np.int64, f"{name} offsets"), vector(neighbours, np.int32, name)
