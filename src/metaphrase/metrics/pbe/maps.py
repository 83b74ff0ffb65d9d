"""From sentences to PBE's statistics: weights of both sides, the map of their phrases, sums over it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metaphrase import lexicon
from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.lexicon.wordnet import WordNet
from metaphrase.matching.phrase_maps import PhraseMaps, phrase_maps
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.corpus_counts import CorpusCounts
from metaphrase.metrics.pbe.phrases import Phrases
from metaphrase.metrics.pbe.weights import (
    Side,
    Terms,
    number_documents,
    tf_idf_weights,
    topic_cosines,
)
from metaphrase.statistics.elementary import power

if TYPE_CHECKING:
    from metaphrase.metrics.pbe.metric import Pbe

#: The statistics of a segment. For either side the weight of mapped phrases times similarity and of all
#: phrases; the same with numbers of words for weights; pairs, breaks between blocks, and blocks.
COLUMNS = (
    *("hypothesis_matched", "hypothesis_weight", "reference_matched", "reference_weight"),
    *("hypothesis_matched_words", "hypothesis_words", "reference_matched_words", "reference_words"),
    *("pairs", "breaks", "blocks"),
)
#: One more, if the map with the fewest blocks is sought: 1 where the search ended at its limit.
UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True, eq=False)
class WeighedPhrases:
    """All phrases of one side, segment by segment: place among phrases, words, tf.idf, cosine, weight.

    ``offsets`` has the first phrase of each segment. Without tf.idf or topics these are ``None``.
    """

    rows: Int32Array
    offsets: Int64Array
    places: Int64Array
    lengths: FloatArray
    tf_idf: FloatArray | None
    cosines: FloatArray | None
    weights: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class MappedPhrases:
    """Segments of a system mapped to one reference set."""

    phrases: Phrases
    hypothesis: WeighedPhrases
    reference: WeighedPhrases
    maps: PhraseMaps

    def statistics(self, *, with_unproven: bool = False) -> FloatArray:
        """A row for each segment; see ``COLUMNS`` and ``UNPROVEN``."""
        maps = self.maps
        owners = np.repeat(np.arange(len(maps)), np.diff(maps.offsets))
        words = []
        for side, mapped in (
            (self.hypothesis, maps.hypothesis),
            (self.reference, maps.reference),
        ):
            values = maps.similarity * side.lengths[side.offsets[owners] + mapped]
            words.append(np.bincount(owners, weights=values, minlength=len(maps)))
            segments = np.repeat(np.arange(len(maps)), np.diff(side.offsets))
            words.append(np.bincount(segments, weights=side.lengths, minlength=len(maps)))
        weighed = (
            maps.hypothesis_matched,
            maps.hypothesis_weight,
            maps.reference_matched,
            maps.reference_weight,
        )
        columns: list[NDArray[Any]] = [*weighed, *words, maps.pairs, maps.breaks, maps.blocks]
        if with_unproven:
            columns.append(1 - maps.proven)
        return np.stack(columns, axis=1)


def mapped_phrases(
    metric: Pbe, comparison: Comparison, *, ties: bool = False, threads: int = 1
) -> Iterator[MappedPhrases]:
    """The hypotheses mapped to each reference set in turn; ``ties`` are counted for explanations."""
    analysed = comparison.analysed
    phrases = _phrases(metric, comparison)
    name = f"system {comparison.system}"
    hypothesis = _weigh(metric, phrases, analysed.hypotheses, comparison, name)
    for number, rows in enumerate(analysed.references):
        name = f"reference {number}"

        def weigh(rows: Int32Array = rows, name: str = name) -> WeighedPhrases:
            return _weigh(metric, phrases, rows, comparison, name)

        reference = comparison.kept(name, weigh)
        with_topics = metric.theta < 1
        maps = phrase_maps(
            phrases.sentences,
            phrases.similarity,
            analysed.hypotheses,
            rows,
            hypothesis_weights=hypothesis.weights,
            reference_weights=reference.weights,
            hypothesis_topics=hypothesis.cosines if with_topics else None,
            reference_topics=reference.cosines if with_topics else None,
            theta=metric.theta,
            rule=metric.map,
            maps=True,
            ties=ties,
            threads=threads,
        )
        yield MappedPhrases(phrases, hypothesis, reference, maps)


def gathered(metric: Pbe, comparisons: Sequence[Comparison]) -> CorpusCounts:
    """What tf.idf needs to know of all sides: terms by document, and the documents."""
    comparison = comparisons[0]
    phrases = _phrases(metric, comparison)
    sides = {f"system {one.system}": one.analysed.hypotheses for one in comparisons}
    sides |= {f"reference {n}": rows for n, rows in enumerate(comparison.analysed.references)}
    return CorpusCounts.joined(
        [
            Terms.of(_side(phrases, rows, comparison, name), term=metric.term).gathered()
            for name, rows in sides.items()
        ]
    )


def score_of(statistics: FloatArray, metric: Pbe) -> FloatArray:
    """The formula of section 3 for (sums of) rows of statistics (METRICS 5.5, 5.6).

    If all weights of a side are 0, as those by tf.idf are in a single document, its numbers of words take
    their place (METRICS 5.3).
    """
    columns = dict(zip(COLUMNS, np.moveaxis(statistics, -1, 0), strict=False))
    hypothesis, reference = (
        np.where(
            columns[f"{side}_weight"] > 0,
            _ratio(columns[f"{side}_matched"], columns[f"{side}_weight"]),
            _ratio(columns[f"{side}_matched_words"], columns[f"{side}_words"]),
        )
        for side in ("hypothesis", "reference")
    )
    mean = metric.alpha * hypothesis + (1 - metric.alpha) * reference
    return np.asarray(mean * (1 - penalty_of(statistics, metric)))


def penalty_of(statistics: FloatArray, metric: Pbe) -> FloatArray:
    """γ·(breaks/pairs)^β, from 0 to γ; as printed γ·(blocks − 1/pairs)^β, which has no upper bound."""
    pairs, breaks, blocks = (statistics[..., COLUMNS.index(n)] for n in COLUMNS[-3:])
    if metric.document_penalty == "document":
        breaks = np.maximum(blocks - 1, 0)
    if metric.formula == "printed":
        share = blocks - _ratio(np.ones_like(pairs), pairs)
    else:
        share = _ratio(breaks, pairs)
    return np.asarray(
        metric.gamma * power(np.where(share > 0, share, 0), metric.beta) * (share > 0)
    )


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _taxonomy(metric: Pbe) -> WordNet | None:
    source = lexicon.load(metric.similarity_name)
    return source if isinstance(source, WordNet) else None


def _phrases(metric: Pbe, comparison: Comparison) -> Phrases:
    """Those of all sentences."""
    return comparison.kept_of_all(
        "phrases",
        lambda: Phrases.of(
            comparison.analysed.batch,
            taxonomy=_taxonomy(metric),
            stemmer=metric.stemmer if metric.lang == "en" else None,
            same_part=metric.same_part,
        ),
    )


def _side(phrases: Phrases, rows: Int32Array, comparison: Comparison, name: str) -> Side:
    assert comparison.documents is not None
    numbers, names = number_documents(comparison.documents)
    return Side(phrases, rows, numbers, names, name, comparison.of_corpus)


def _weigh(
    metric: Pbe, phrases: Phrases, rows: Int32Array, comparison: Comparison, name: str
) -> WeighedPhrases:
    sentences = phrases.sentences
    places = sentences.phrases(rows)
    counts = np.diff(sentences.sentence_offsets)[rows]
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    weights = lengths = sentences.phrase_lengths[places].astype(np.float64)
    tf_idf = cosines = None
    if metric.needs_documents:
        side = _side(phrases, rows, comparison, name)
        if metric.weights.startswith("tfidf"):
            weights = tf_idf = tf_idf_weights(side, term=metric.term)
        if metric.uses_topics:
            cosines = topic_cosines(side, metric.topic_options)
        if metric.weights.endswith("+topic"):
            assert cosines is not None
            weights = weights * cosines
    return WeighedPhrases(rows, offsets, places, lengths, tf_idf, cosines, weights)
