"""What PBE's phrases weigh: by their length, by tf.idf of their words, by their fit to the document's topics.

Dictionaries and topic models are made of one *side*: all segments of a system, or of a reference set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.metrics.pbe.phrases import Phrases
from metaphrase.trained import topics
from metaphrase.trained.topics import TopicModel, TopicOptions

#: Phrases whose topics are computed at a time: K numbers each.
_PIECE = 1 << 15


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Segments of one system or one reference set: their sentences and the numbers of their documents."""

    phrases: Phrases
    rows: Int32Array
    documents: Int64Array
    document_count: int

    def phrase_places(self) -> tuple[Int64Array, Int64Array]:
        """All phrases, segment by segment, as places in ``phrases``, and the segment of each."""
        return _places(self.phrases.sentences.sentence_offsets, self.rows)

    def token_places(self) -> tuple[Int64Array, Int64Array]:
        """All tokens, segment by segment, as places in the batch, and the segment of each."""
        return _places(self.phrases.batch.offsets, self.rows)


def number_documents(documents: Sequence[str]) -> tuple[Int64Array, int]:
    """A number for each document id, and how many there are."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(name, len(numbers)) for name in documents]
    return np.array(places, dtype=np.int64), len(numbers)


def tf_idf_weights(side: Side, *, term: str) -> FloatArray:
    """tf.idf of every phrase: the sum over its words, or that of the phrase as a unit.

    A word's is (1 + ln tf)·ln(N/df), where tf counts it in its document and df the documents that have it.
    """
    phrases = side.phrases
    places, segments = side.phrase_places()
    if term == "phrase":
        return tf_idf(_units(phrases)[places], side.documents[segments], side.document_count)
    tokens, token_segments = side.token_places()
    values = tf_idf(phrases.lemma[tokens], side.documents[token_segments], side.document_count)
    # The i-th segment's tokens begin at starts[i] of values, its sentence's at offsets[rows[i]] of the batch.
    sizes = np.diff(phrases.batch.offsets)[side.rows]
    shift = np.cumsum(sizes) - sizes - phrases.batch.offsets[side.rows]
    words, owners = _places(phrases.sentences.phrase_offsets, places)
    at = phrases.tokens[words] + shift[segments[owners]]
    return np.bincount(owners, weights=values[at], minlength=len(places)).astype(np.float64)


def tf_idf(terms: NDArray[np.integer], documents: Int64Array, document_count: int) -> FloatArray:
    """The tf.idf of each occurrence of a term, given the number of its document."""
    if not len(terms):
        return np.zeros(0)
    vocabulary = int(terms.max()) + 1
    pairs, places, frequency = np.unique(
        documents * vocabulary + terms, return_inverse=True, return_counts=True
    )
    document_frequency = np.bincount(pairs % vocabulary, minlength=vocabulary)[pairs % vocabulary]
    values = (1 + np.log(frequency)) * np.log(document_count / document_frequency)
    return np.asarray(values[places])


def topic_cosines(side: Side, options: TopicOptions) -> FloatArray:
    """The cosine between the topics of every phrase and of its document.

    P(z|p) ∝ ∏ P(w|z) over the phrase's content words; a phrase without any has cosine 0.
    """
    phrases = side.phrases
    model = topic_model(side, options)
    content = phrases.has_topic()
    with np.errstate(divide="ignore"):
        logarithms = np.log(model.topic_words.T)
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
        vectors = np.exp(sums - sums.max(axis=1, keepdims=True))
        document = side.documents[segments[piece]]
        dot = np.einsum("pk,pk->p", vectors, model.document_topics[document])
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


def _units(phrases: Phrases) -> Int64Array:
    """A number for each phrase; those with the same lemmas have the same."""
    lemma = phrases.lemma[phrases.tokens].tolist()
    table: dict[tuple[int, ...], int] = {}
    units = [
        table.setdefault(tuple(lemma[first:last]), len(table))
        for first, last in pairwise(phrases.sentences.phrase_offsets.tolist())
    ]
    return np.array(units, dtype=np.int64)
