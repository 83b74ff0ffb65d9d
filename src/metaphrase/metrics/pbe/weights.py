"""What PBE's phrases weigh: by their length, by tf.idf of their words, by their fit to the document's topics.

That is section 5 of the paper (METRICS 5.3), with the topics of phrases from section 4 (METRICS 5.2).

Dictionaries and topic models are made of one *side*: all segments of a system, or of a reference set.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.metrics.corpus_counts import CorpusCounts, CorpusTotals, Keys, followed, keys_of
from metaphrase.metrics.pbe.phrases import Phrases
from metaphrase.statistics.elementary import exp, log
from metaphrase.trained import topics
from metaphrase.trained.topics import TopicModel, TopicOptions

#: Phrases whose topics are computed at a time: K numbers each.
_PIECE = 1 << 15
#: The group of all documents.
_DOCUMENTS = keys_of(["documents"])


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Segments of one system or one reference set: their sentences and the numbers of their documents.

    ``name`` tells it from other sides, and ``of_corpus`` has what all segments have, if these are a part.
    """

    phrases: Phrases
    rows: Int32Array
    documents: Int64Array
    document_names: Sequence[str]
    name: str = ""
    of_corpus: CorpusTotals | None = None

    @property
    def document_count(self) -> int:
        """How many documents there are here."""
        return len(self.document_names)

    def phrase_places(self) -> tuple[Int64Array, Int64Array]:
        """All phrases, segment by segment, as places in ``phrases``, and the segment of each."""
        return _places(self.phrases.sentences.sentence_offsets, self.rows)

    def token_places(self) -> tuple[Int64Array, Int64Array]:
        """All tokens, segment by segment, as places in the batch, and the segment of each."""
        return _places(self.phrases.batch.offsets, self.rows)


def number_documents(documents: Sequence[str]) -> tuple[Int64Array, tuple[str, ...]]:
    """A number for each document id, and the ids by their numbers."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(name, len(numbers)) for name in documents]
    return np.array(places, dtype=np.int64), tuple(numbers)


def tf_idf_weights(side: Side, *, term: str) -> FloatArray:
    """tf.idf of every phrase: the sum over its words, or that of the phrase as a unit.

    A word's is (1 + ln tf)·ln(N/df), where tf counts it in its document and df the documents that have it.
    """
    found = Terms.of(side, term=term)
    if side.of_corpus is None:
        values = tf_idf(found.terms, found.documents, side.document_count)
    else:
        values = found.values_in(side.of_corpus)
    if term == "phrase":
        return values
    phrases = side.phrases
    places, segments = side.phrase_places()
    # The i-th segment's tokens begin at starts[i] of values, its sentence's at offsets[rows[i]] of the batch.
    sizes = np.diff(phrases.batch.offsets)[side.rows]
    shift = np.cumsum(sizes) - sizes - phrases.batch.offsets[side.rows]
    words, owners = _places(phrases.sentences.phrase_offsets, places)
    at = phrases.tokens[words] + shift[segments[owners]]
    return np.bincount(owners, weights=values[at], minlength=len(places)).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Occurrences of what has a tf.idf on one side: the number of the term and that of its document."""

    side: Side
    terms: NDArray[np.integer]
    documents: Int64Array
    spelled: Sequence[str]

    @classmethod
    def of(cls, side: Side, *, term: str) -> Terms:
        """All words of the side, or all its phrases as units."""
        if term == "phrase":
            places, segments = side.phrase_places()
            units, spelled = _units(side.phrases)
            return cls(side, units[places], side.documents[segments], spelled)
        tokens, segments = side.token_places()
        phrases = side.phrases
        return cls(side, phrases.lemma[tokens], side.documents[segments], phrases.lemmas)

    def gathered(self) -> CorpusCounts:
        """How often each document has each term, in groups of a term: as many as have it, df, are in one.

        Another group has the documents, of which some may have no term at all.
        """
        pairs, counts = np.unique(self._pairs(), return_counts=True)
        keys, groups = self._keys(pairs)
        documents = keys_of(self.side.document_names)
        return CorpusCounts(
            np.concatenate([followed(_DOCUMENTS, documents), keys]),
            np.concatenate([np.ones(len(documents), dtype=np.int64), counts]),
            np.concatenate([np.repeat(_DOCUMENTS, len(documents), axis=0), groups]),
        )

    def values_in(self, corpus: CorpusTotals) -> FloatArray:
        """The tf.idf of each occurrence, by what the whole corpus has."""
        pairs, places = np.unique(self._pairs(), return_inverse=True)
        keys, _ = self._keys(pairs)
        a_document = followed(_DOCUMENTS, keys_of(self.side.document_names[:1]))
        number = int(corpus.kinds_of(a_document)[0])
        return _tf_idf(corpus.counts_of(keys), corpus.kinds_of(keys), number)[places]

    def _pairs(self) -> Int64Array:
        return self.documents * len(self.spelled) + self.terms

    def _keys(self, pairs: Int64Array) -> tuple[Keys, Keys]:
        """The key of a term in a document, and that of the term."""
        if not len(pairs):
            return keys_of(()), keys_of(())
        documents, terms = np.divmod(pairs, len(self.spelled))
        used, places = np.unique(terms, return_inverse=True)
        side = np.repeat(keys_of([f"tf.idf of {self.side.name}"]), len(pairs), axis=0)
        of_terms = keys_of(self.spelled[i] for i in used.tolist())[places]
        of_documents = keys_of(self.side.document_names)[documents]
        return followed(followed(side, of_documents), of_terms), followed(side, of_terms)


def tf_idf(terms: NDArray[np.integer], documents: Int64Array, document_count: int) -> FloatArray:
    """The tf.idf of each occurrence of a term, given the number of its document."""
    if not len(terms):
        return np.zeros(0)
    vocabulary = int(terms.max()) + 1
    pairs, places, frequency = np.unique(
        documents * vocabulary + terms, return_inverse=True, return_counts=True
    )
    document_frequency = np.bincount(pairs % vocabulary, minlength=vocabulary)[pairs % vocabulary]
    return _tf_idf(frequency, document_frequency, document_count)[places]


def _tf_idf(frequency: Int64Array, document_frequency: Int64Array, documents: int) -> FloatArray:
    return (1 + log(frequency)) * log(documents / document_frequency)


def topic_cosines(side: Side, options: TopicOptions) -> FloatArray:
    """The cosine between the topics of every phrase and of its document.

    P(z|p) ∝ ∏ P(w|z) over the phrase's content words; a phrase without any has cosine 0.
    """
    phrases = side.phrases
    model = topic_model(side, options)
    content = phrases.has_topic()
    logarithms = log(model.topic_words.T)
    lengths = np.linalg.norm(model.document_topics, axis=1)
    places, segments = side.phrase_places()
    cosines = np.zeros(len(places))
    for first in range(0, len(places), _PIECE):
        piece = slice(first, first + _PIECE)
        words, owners = _places(phrases.sentences.phrase_offsets, places[piece])
        tokens = phrases.tokens[words]
        known = content[tokens]
        sums = np.zeros((len(places[piece]), options.topics))
        np.add.at(sums, owners[known], logarithms[phrases.lemma[tokens[known]]])
        # The largest becomes 1: only the direction matters, and products of many words would vanish.
        vectors = exp(sums - sums.max(axis=1, keepdims=True))
        document = side.documents[segments[piece]]
        dot = (vectors * model.document_topics[document]).sum(axis=1)
        found = dot / (np.linalg.norm(vectors, axis=1) * lengths[document])
        has_topic = np.bincount(owners[known], minlength=len(found)) > 0
        cosines[piece] = np.where(has_topic, np.minimum(found, 1.0), 0.0)
    return cosines


def topic_model(side: Side, options: TopicOptions) -> TopicModel:
    """Topics of the side's documents, each the lemmas of its content words."""
    tokens, segments = side.token_places()
    known = side.phrases.has_topic()[tokens]
    documents = side.documents[segments[known]]
    order = np.argsort(documents, kind="stable")
    ends = np.cumsum(np.bincount(documents, minlength=side.document_count))
    words = side.phrases.lemma[tokens[known]][order]
    return topics.find_topics(np.split(words, ends[:-1]), side.phrases.lemmas, options=options)


def _places(offsets: Int64Array, rows: NDArray[np.integer]) -> tuple[Int64Array, Int64Array]:
    """What belongs to each of ``rows``, one after another, and the place in ``rows`` that it belongs to."""
    sizes = np.diff(offsets)[rows]
    owners = np.repeat(np.arange(len(rows)), sizes)
    shift = offsets[rows] - (np.cumsum(sizes) - sizes)
    return np.arange(len(owners)) + shift[owners], owners


def _units(phrases: Phrases) -> tuple[Int64Array, list[str]]:
    """A number for each phrase, the same for those with the same lemmas; and what each number stands for."""
    lemma = phrases.lemma[phrases.tokens].tolist()
    table: dict[tuple[int, ...], int] = {}
    units = [
        table.setdefault(tuple(lemma[first:last]), len(table))
        for first, last in pairwise(phrases.sentences.phrase_offsets.tolist())
    ]
    spelled = [json.dumps([phrases.lemmas[i] for i in unit]) for unit in table]
    return np.array(units, dtype=np.int64), spelled
