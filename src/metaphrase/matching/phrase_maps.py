"""Which phrase of a reference stands for which of a hypothesis.

That is the ground of PBE (Li, Gong & Zhou: Phrase-Based Evaluation for Machine Translation, COLING 2012).
Words are similar by ``sim(w, v)``: 1 if they share lemma or stem, else Lin's similarity (1998) in a taxonomy.
Phrases p = w_1…w_m and q = v_1…v_n are similar by ``[S(p, q) + S(q, p)] / 2``, where ``S(p, q)`` is the mean
over i of ``max_j sim(w_i, v_j)``; if topics count, by ``θ`` times that plus ``1 − θ`` times
``1 − |cos(p, d) − cos(q, d′)|``, the cosines of each phrase with its own document.

The map is one-to-one with the greatest sum of similarities; among all such maps it gives the first phrase of
the reference the earliest partner, then the second, and so on (METRICS 5.4). By the rule ``fewest-blocks`` it
is the first in this order of those that have the fewest blocks, runs of pairs that are neighbours on both
sides (the paper's section 7.3). Phrases without any similarity are no pair.
Ties are exact: the map is chosen by similarities of words rounded to 2.5 · 10⁻¹¹ and added up in integers, in
which what is equal in real numbers is equal (``src/core/phrase_maps/phrase_similarity.hpp``). Scores add up
doubles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import phrase_maps as _core
from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.errors import InputError, OptionError
from metaphrase.lexicon.english_stems import DEFAULT_STEMMER, ENGLISH_STEMMERS
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.threads import check_threads

if TYPE_CHECKING:
    from metaphrase.lexicon.subsumers import SubsumerSource, WordSubsumers

#: Which of the maps with the greatest sum: the first, or that with the fewest blocks.
RULES = ("first", "fewest-blocks")
#: So many maps that tie are counted, and of sentences of up to so many phrases.
MOST_TIES, MOST_PHRASES = _core.most_ties, _core.most_phrases
#: How far a cosine may lie outside its range because of rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class PhraseSentences:
    """Sentences as lists of phrases.

    Sentence ``i`` has phrases ``sentence_offsets[i]`` to ``sentence_offsets[i + 1] - 1``, phrase ``k`` the
    words ``words[phrase_offsets[k]:phrase_offsets[k + 1]]``, numbers in a :class:`WordSimilarity`.
    """

    sentence_offsets: Int64Array
    phrase_offsets: Int64Array
    words: Int32Array

    def __len__(self) -> int:
        return len(self.sentence_offsets) - 1

    @property
    def phrase_lengths(self) -> Int64Array:
        """Words of each phrase."""
        return np.diff(self.phrase_offsets)

    def phrases(self, rows: ArrayLike) -> Int64Array:
        """The phrases of these sentences, one sentence after the other: the order of all weights and topics.

        A sentence that occurs in several pairs has its phrases listed for each, because the same text weighs
        differently in different documents.
        """
        chosen = vector(rows, np.int32, "rows")
        if len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(self):
            raise InputError("MP403", f"a row is not in 0 to {len(self) - 1}.")
        first = self.sentence_offsets[chosen]
        counts = self.sentence_offsets[chosen + 1] - first
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        return np.repeat(first - ends + counts, counts) + np.arange(total, dtype=np.int64)

    def words_of(self, phrase: int) -> Int32Array:
        """The words of one phrase."""
        return self.words[self.phrase_offsets[phrase] : self.phrase_offsets[phrase + 1]]


class WordSimilarity:
    """How similar the words of a vocabulary are; they are numbered from 0. Threads may share it."""

    def __init__(
        self, lemmas: ArrayLike, stems: ArrayLike, subsumers: WordSubsumers | None = None
    ) -> None:
        lemma_ids = vector(lemmas, np.int32, "lemmas")
        columns: tuple[ArrayLike, ...] = ([0] * (len(lemma_ids) + 1), [], [], [])
        if subsumers is not None:
            columns = (subsumers.offsets, subsumers.subsumers, subsumers.least, subsumers.contents)
        offsets, numbers, least, contents = columns
        with refusals():
            self._core = _core.WordSimilarity(
                lemma_ids,
                vector(stems, np.int32, "stems"),
                vector(offsets, np.int64, "offsets"),
                vector(numbers, np.int32, "subsumers"),
                vector(least, np.float64, "least"),
                vector(contents, np.float64, "contents"),
            )

    def __len__(self) -> int:
        return len(self._core)

    def matrix(self, words: ArrayLike, others: ArrayLike) -> FloatArray:
        """Similarities of all words to all others, ``(words, others)``."""
        with refusals():
            return self._core.matrix(
                vector(words, np.int32, "words"), vector(others, np.int32, "others")
            )


def word_similarity(
    lemmas: Sequence[str],
    taxonomy: SubsumerSource | None = None,
    *,
    forms: Sequence[str] | None = None,
    parts: Sequence[str] | None = None,
    stemmer: str = DEFAULT_STEMMER,
) -> WordSimilarity:
    """Similarity of the words with these lemmas, all in lower case.

    ``taxonomy`` is WordNet, or nothing: then words are similar only if they share lemma or stem. ``forms``
    are the words as they stand in the text, for their stems by ``stemmer``, one of
    :data:`~metaphrase.lexicon.english_stems.ENGLISH_STEMMERS`; without them stems do not count.
    ``parts`` (a letter per word: "n", "v", "a", "r", "" for any) restricts the senses of each word.
    """
    if forms is not None and len(forms) != len(lemmas):
        raise InputError("MP406", f"There are {len(lemmas)} lemmas for {len(forms)} forms.")
    lemma_ids = _numbered(lemmas)
    if forms is None:
        stem_ids = lemma_ids
    else:
        with refusals():
            stem_ids = _numbered(ENGLISH_STEMMERS[stemmer](list(forms)))
    subsumers = None if taxonomy is None else taxonomy.subsumers(lemmas, parts=parts)
    return WordSimilarity(lemma_ids, stem_ids, subsumers)


@dataclass(frozen=True, slots=True, eq=False)
class PhraseMaps:
    """What the scores of many pairs of sentences are made of; each column has a cell a pair.

    ``*_weight`` is the weight of all phrases of a side, ``*_matched`` that of its mapped phrases, each times
    its similarity; ``pairs`` the number of mapped phrases, ``blocks`` the number of runs of pairs that are
    neighbours on both sides. If maps were asked for, that of pair p is ``offsets[p]:offsets[p + 1]`` of
    ``reference``, ``hypothesis`` (phrases, counted from 0 within the sentence) and ``similarity``, in the
    order of the reference; else these are empty. If ties were asked for, ``ties`` is how many maps have the
    greatest sum, at most ``MOST_TIES``, and -1 where there may be several and more than ``MOST_PHRASES``
    phrases on a side. Then, or by the rule ``fewest-blocks``, there are the blocks of the first of these maps
    and of that with the fewest; where the search for it ended at its limit, ``proven`` is 0, and the first
    map is taken for it.
    """

    hypothesis_matched: FloatArray
    hypothesis_weight: FloatArray
    reference_matched: FloatArray
    reference_weight: FloatArray
    pairs: Int32Array
    blocks: Int32Array
    ties: Int32Array
    first_blocks: Int32Array
    fewest_blocks: Int32Array
    proven: Int32Array
    offsets: Int64Array
    reference: Int32Array
    hypothesis: Int32Array
    similarity: FloatArray

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def breaks(self) -> Int32Array:
        """Places where one block ends and another begins: max(blocks - 1, 0)."""
        return np.maximum(self.blocks - 1, 0)

    def map(self, pair: int) -> list[tuple[int, int, float]]:
        """Mapped phrases of one pair: reference, hypothesis, similarity."""
        here = slice(self.offsets[pair], self.offsets[pair + 1])
        columns = (self.reference[here], self.hypothesis[here], self.similarity[here])
        return list(zip(*(column.tolist() for column in columns), strict=True))


def phrase_maps(
    sentences: PhraseSentences,
    similarity: WordSimilarity,
    hypotheses: ArrayLike,
    references: ArrayLike,
    *,
    hypothesis_weights: ArrayLike | None = None,
    reference_weights: ArrayLike | None = None,
    hypothesis_topics: ArrayLike | None = None,
    reference_topics: ArrayLike | None = None,
    theta: float = 1.0,
    rule: str = "first",
    maps: bool = False,
    ties: bool = False,
    threads: int = 1,
) -> PhraseMaps:
    """Map the phrases of many pairs of sentences, given as rows of ``sentences``.

    Weights, and cosines of topics if ``theta`` is below 1, come phrase by phrase in the order of
    ``sentences.phrases(hypotheses)`` and ``sentences.phrases(references)``. Without weights a phrase weighs
    as many as it has words. ``rule`` is one of ``RULES``. The result does not depend on the
    number of threads.
    """
    _check_rule(rule)
    if not 0.0 <= theta <= 1.0:
        raise OptionError("MP404", f"theta is {theta!r}; it must be a number from 0 to 1.")

    def side(
        rows: ArrayLike, weights: ArrayLike | None, topics: ArrayLike | None, name: str
    ) -> _core.Side:
        numbers = vector(rows, np.int32, name)
        return _core.Side(numbers, _weights(weights, sentences, numbers), _cosines(topics, theta))

    packed = _core.Sentences(
        vector(sentences.sentence_offsets, np.int64, "sentence_offsets"),
        vector(sentences.phrase_offsets, np.int64, "phrase_offsets"),
        vector(sentences.words, np.int32, "words"),
    )
    with refusals():
        sums, counts, offsets, reference, hypothesis, found = _core.map_phrases(
            similarity._core,
            packed,
            side(hypotheses, hypothesis_weights, hypothesis_topics, "hypotheses"),
            side(references, reference_weights, reference_topics, "references"),
            theta,
            check_threads(threads),
            maps,
            _core.MapRule(rule == "fewest-blocks", ties),
        )
    return PhraseMaps(
        hypothesis_matched=sums[:, 0],
        hypothesis_weight=sums[:, 1],
        reference_matched=sums[:, 2],
        reference_weight=sums[:, 3],
        pairs=counts[:, 0],
        blocks=counts[:, 1],
        ties=counts[:, 2],
        first_blocks=counts[:, 3],
        fewest_blocks=counts[:, 4],
        proven=counts[:, 5],
        offsets=offsets,
        reference=reference,
        hypothesis=hypothesis,
        similarity=found,
    )


def word_partners(
    similarity: WordSimilarity, words: ArrayLike, others: ArrayLike
) -> tuple[Int64Array, FloatArray]:
    """For each word of a phrase its most similar word of another, the first of equals, and how similar it is.

    The position is -1 where no word is similar.
    """
    matrix = similarity.matrix(words, others)
    if matrix.shape[1] == 0:
        return np.full(len(matrix), -1, np.int64), np.zeros(len(matrix))
    best = matrix.argmax(axis=1)
    values = matrix[np.arange(len(matrix)), best]
    return np.where(values > 0, best, -1), values


def lexicographic_map(similarities: ArrayLike) -> Int32Array:
    """The column of each row in the first of all maximum maps, -1 for a row that is in no pair.

    ``similarities`` are from 0 to 1; a stack of matrices ``(…, rows, columns)`` gives ``(…, rows)``. Ties are
    exact between sums of decimals of six digits and of similarities of phrases of up to twelve words.

    >>> lexicographic_map([[0.5, 1.0], [0.5, 1.0]]).tolist()
    [0, 1]
    """
    return _maximum_maps(similarities, "first")[0]


@dataclass(frozen=True, slots=True, eq=False)
class TiedMaps:
    """A map of each matrix; ``proven`` and ``ties`` are as in :class:`PhraseMaps`."""

    columns: Int32Array
    proven: Int32Array
    ties: Int32Array


def fewest_blocks_map(similarities: ArrayLike) -> TiedMaps:
    """Of all maximum maps that with the fewest blocks and, of several, the first.

    >>> fewest_blocks_map([[1, 1, 0], [0, 0, 1]]).columns.tolist()
    [1, 2]
    >>> lexicographic_map([[1, 1, 0], [0, 0, 1]]).tolist()
    [0, 2]
    """
    maps, about = _maximum_maps(similarities, "fewest-blocks")
    return TiedMaps(maps, about[..., 0], about[..., 1])


def _maximum_maps(similarities: ArrayLike, rule: str) -> tuple[Int32Array, Int32Array]:
    try:
        stack = np.asarray(similarities, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError("MP401", f"similarities are not an array: {error}.") from error
    if stack.ndim < 2:
        raise InputError("MP401", f"similarities have {stack.ndim} dimensions, not 2 or more.")
    *outer, rows, columns = stack.shape
    count = math.prod(outer)
    with refusals():
        maps, about = _core.maximum_maps(
            np.ascontiguousarray(stack.reshape(count, rows, columns)), rule == "fewest-blocks"
        )
    return maps.reshape(*outer, rows), about.reshape(*outer, 2)


def _check_rule(rule: str) -> None:
    if rule not in RULES:
        raise OptionError("MP404", f"rule is {rule!r}.", hint=f"Choose {' or '.join(RULES)}.")


def _numbered(strings: Sequence[str]) -> Int32Array:
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(string, len(numbers)) for string in strings]
    return np.array(ids, dtype=np.int32)


def _weights(weights: ArrayLike | None, sentences: PhraseSentences, rows: Int32Array) -> FloatArray:
    if weights is None:
        return sentences.phrase_lengths[sentences.phrases(rows)].astype(np.float64)
    return vector(weights, np.float64, "weights")


def _cosines(topics: ArrayLike | None, theta: float) -> FloatArray:
    if theta == 1.0:
        return np.zeros(0)
    if topics is None:
        raise OptionError(
            "MP444",
            f"theta is {theta}, but the phrases have no cosines of topics.",
            hint="Give them for both sides, or set theta to 1.",
        )
    cosines = vector(topics, np.float64, "topics")
    if len(cosines) and not (cosines.min() >= -_ROUNDING and cosines.max() <= 1 + _ROUNDING):
        raise InputError("MP443", "a cosine of topics is not from 0 to 1.")
    return np.clip(cosines, 0.0, 1.0)
