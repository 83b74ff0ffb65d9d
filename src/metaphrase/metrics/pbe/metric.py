"""PBE: noun and verb phrases mapped one to one, weighed by what they say about their document.

Liangyou Li, Zhengxian Gong and Guodong Zhou: Phrase-Based Evaluation for Machine Translation. COLING 2012.

The phrases of reference and hypothesis are mapped so that the sum of similarities s is largest. With w the
phrases' weights, P_t = Σws/Σw over the hypothesis's phrases and P_r over the reference's, m pairs in so many
blocks (runs of pairs that are adjacent on both sides), the score is

    (α·P_t + (1 − α)·P_r)·(1 − γ·((blocks − 1)/m)^β)      α = 0.2, β = γ = 0.5

Documents and systems are scored from the sums of all these numbers over their segments.

P_t, P_r, the penalty and the score (section 3) are computed in ``maps.py``, similarities of phrases
(section 4) in ``core/phrase_maps/phrase_similarity.hpp``, weights (section 5) in ``weights.py``, the map
(sections 6 and 7.3) in ``core/phrase_maps/lexicographic_map.hpp`` and ``fewest_blocks_map.hpp``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from metaphrase import analysis, lexicon
from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.corpus import Corpus
from metaphrase.corpus.normalisation import NormalisedText
from metaphrase.errors import OptionError
from metaphrase.lexicon.english_stems import DEFAULT_STEMMER, ENGLISH_STEMMERS
from metaphrase.matching.phrase_maps import RULES
from metaphrase.metrics.base import Metric, best_rows
from metaphrase.metrics.comparison import Comparison, check_documents, compare, single_pair
from metaphrase.metrics.corpus_counts import CorpusCounts
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.pbe.maps import MappedPhrases, gathered, mapped_phrases, score_of
from metaphrase.metrics.pbe.published import DEPARTURES, SUBSTITUTED
from metaphrase.metrics.published import PAPER, Difference
from metaphrase.metrics.ragged_references import scored_parts
from metaphrase.metrics.registry import register
from metaphrase.options import option, options, same_as, shared
from metaphrase.trained.topics import TopicOptions, sampler_version

WEIGHTS = ("ngram", "tfidf", "ngram+topic", "tfidf+topic")
#: What the paper found best for the share of a phrase's own words in similarity, beside topics.
PUBLISHED_THETA = 0.8


def _variants() -> dict[str, dict[str, Any]]:
    """``ngram`` or ``tfidf``, then ``+topic`` for topics in weights and ``+sim`` for topics in similarity.

    The paper's is first: ``pbe:paper:weights=tfidf:theta=0.8`` has its name, and says what it replaces.
    """
    paper: dict[str, dict[str, Any]] = {PAPER: {"stemmer": "porter", "normalise": False}}
    plain: dict[str, dict[str, Any]] = {weights: {"weights": weights} for weights in WEIGHTS}
    topical = {
        f"{name}+sim": options | {"theta": PUBLISHED_THETA} for name, options in plain.items()
    }
    return paper | plain | topical


#: Rows of a corpus, what is compared of them, and their phrases by reference with their statistics.
_MappedPart = tuple[Int64Array, Comparison, list[tuple[MappedPhrases, FloatArray]]]


@register
@dataclass(frozen=True, kw_only=True)
class Pbe(Metric):
    """Noun and verb phrases mapped one to one by similarity, with a penalty for broken order; from 0 to 1.

    Weights by tf.idf or topics, and topics in similarity, need document ids, and then the whole corpus is
    scored at once. Several references: the best of each segment counts.

    >>> metaphrase.Pbe().sentence_score("The cat sat on the mat.", ["The cat sat on the mat."])
    <Score pbe 1.0000>
    >>> metaphrase.create("pbe:tfidf").needs_documents
    True
    """

    name: ClassVar[str] = "pbe"
    summary: ClassVar[str] = (
        "noun and verb phrases mapped one to one, weighed by document and topic"
    )
    citation: ClassVar[str] = "Li, Gong and Zhou, COLING 2012"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = _variants()
    substituted: ClassVar[tuple[Difference, ...]] = SUBSTITUTED
    departures: ClassVar[tuple[Difference, ...]] = DEPARTURES
    combines_references: ClassVar[str] = "best"

    signed_first: ClassVar[tuple[str, ...]] = (
        "lang", "analyser", "similarity", "parts", "weights", "term",
    )  # fmt: skip

    lang: str = same_as(
        Metric, "lang", meaning="the language of the texts; its analyser must find phrases"
    )
    analyser: str | None = option(
        None,
        "which analyser lemmatises and finds phrases; by default the built-in one of ``lang``",
    )
    weights: str = option(
        "ngram",
        "of phrases: ``ngram`` (number of words), ``tfidf``, and either times the cosine of the topics of "
        "phrase and document, ``ngram+topic``, ``tfidf+topic``",
        choices=WEIGHTS,
    )
    theta: float = option(
        1.0,
        "share of the words in the similarity of phrases, the rest being that of their topics: 1 leaves "
        "topics out, published is 0.8",
        low=0,
        high=1,
    )
    similarity: str | None = option(
        None,
        "of words with different lemmas and stems: ``wordnet`` (Lin's; English only, and its default) or "
        "``none``",
        choices=("wordnet", "none"),
    )
    same_part: bool = option(
        False,
        "whether only senses of a word's own part of speech count in WordNet",
        signed="parts",
    )
    term: str = option(
        "word",
        "whose tf.idf: ``word``, summed over the phrase, or ``phrase``, as a unit",
        choices=("word", "phrase"),
    )
    alpha: float = option(
        0.2, "weight of the hypothesis's phrases; the reference's have 1 − alpha", low=0, high=1
    )
    beta: float = option(0.5, "exponent of the penalty", low=0, high=1000)
    gamma: float = option(0.5, "weight of the penalty", low=0, high=1)
    document_penalty: str = option(
        "segments",
        "of several segments: ``segments`` adds up each one's blocks − 1, ``document`` counts blocks − 1 of "
        "all of them together",
        choices=("segments", "document"),
        signed="penalty",
    )
    topics: int = same_as(TopicOptions, "topics")
    iterations: int = same_as(TopicOptions, "iterations")
    seed: int = same_as(TopicOptions, "seed")
    stemmer: str = option(
        DEFAULT_STEMMER,
        "of English words: ``porter2`` (Snowball's) or ``porter``, Porter's first, which is the paper's",
        choices=tuple(ENGLISH_STEMMERS),
    )
    formula: str = option(
        "corrected",
        "of the penalty: ``corrected``, γ·((blocks − 1)/m)^β, or ``printed``, γ·(blocks − 1/m)^β, which "
        "makes scores negative",
        choices=("corrected", "printed"),
    )
    map: str = option(
        "first",
        "which of several maps with the greatest sum: the ``first`` one, or the one with the "
        "``fewest-blocks``",
        choices=RULES,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.similarity == "wordnet" and self.lang != "en":
            raise OptionError(
                "MP531",
                f"pbe: similarity=wordnet is for English, not for {self.lang!r}.",
                hint="Leave it out: words of other languages are compared by their lemmas.",
            )
        if self.stemmer == "porter" and self.lang != "en":
            raise OptionError(
                "MP569",
                f"pbe: stemmer=porter, and with it pbe:paper, is for English, not for {self.lang!r}.",
                hint="Choose pbe: words of other languages are compared by their lemmas.",
            )
        self._check_effect()
        # English has phrases, and needs no model in memory for the answer.
        if self.analyser is None and self.lang != "en":
            _check_phrases(self.analyser_name)

    @property
    def _idle_options(self) -> list[str]:
        """Options about what the variant leaves out."""
        idle = []
        if not self.uses_topics:
            idle += ["topics", "iterations", "seed"]
        if not self.weights.startswith("tfidf"):
            idle.append("term")
        if self.similarity_name == "none":
            idle.append("same_part")
        if self.formula == "printed":
            idle.append("document_penalty")
        return idle

    def _check_effect(self) -> None:
        """Refuse options that have none."""
        for name, one in options(self).items():
            if name in self._idle_options and getattr(self, name) != one.default:
                raise OptionError(
                    "MP565",
                    f"pbe: {name} has no effect on {self.specification}.",
                    hint="Leave it out, or choose a variant: `metaphrase metrics pbe` lists them.",
                )

    @property
    def bounds(self) -> tuple[float, float]:
        """0 and 1; the printed penalty grows with every block, and no score is too low for it."""
        unbounded = self.formula == "printed" and self.gamma > 0 and self.beta > 0
        return (-inf, 1.0) if unbounded else (0.0, 1.0)

    @property
    def uses_topics(self) -> bool:
        """Whether topics count, in weights or in similarity."""
        return self.theta < 1 or self.weights.endswith("+topic")

    @property
    def needs_whole_corpus(self) -> bool:
        """Dictionaries and topic models are made of all that a system said."""
        return self.uses_topics or self.weights != "ngram"

    @property
    def needs_documents(self) -> bool:
        """They say which document a phrase weighs something in."""
        return self.needs_whole_corpus

    @property
    def gathers(self) -> bool:
        """Words of documents can be counted piece by piece; topics are sought in all texts at once."""
        return self.needs_whole_corpus and not self.uses_topics

    @property
    def similarity_name(self) -> str:
        """Where similarity of words comes from, as the lexicons call it."""
        return self.similarity or ("wordnet" if self.lang == "en" else "none")

    @property
    def topic_options(self) -> TopicOptions:
        """How topics are sought."""
        return shared(TopicOptions, self)

    @property
    def columns(self) -> frozenset[str]:
        """Lemmas and phrases; universal tags where topics or parts of speech count."""
        tags = {"upos"} if self.uses_topics or self.same_part else set()
        return frozenset({"lemma", "chunk"} | tags)

    @property
    def analyser_name(self) -> str:
        """The analyser asked for, or the built-in one of the language."""
        return self.analyser or f"builtin:{self.lang}"

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Those of the best reference; ``pbe_maps.COLUMNS`` names the columns."""
        found = mapped_phrases(self, comparison, threads=threads)
        sought = self.map == "fewest-blocks"
        rows = (phrases.statistics(with_unproven=sought) for phrases in found)
        return best_rows(rows, self.score)

    def caution(self, total: FloatArray) -> str | None:
        """In how many segments the search for the map with the fewest blocks ended at its limit."""
        if self.map == "first" or not total[-1]:
            return None
        return (
            "[MP568] too many maps of phrases have the greatest sum to find the one with the fewest blocks: "
            f"the first of them counts. Segments: {total[-1]:.0f}."
        )

    def gather(self, comparisons: Sequence[Comparison]) -> CorpusCounts:
        """How often each document has each word, or phrase, of each side."""
        return gathered(self, comparisons)

    def score(self, statistics: FloatArray) -> FloatArray:
        """The formula, applied once to whatever was summed; 0 where a side has no phrase."""
        return score_of(statistics, self)

    def signed(self) -> dict[str, object]:
        """The lexicon with the hash of its content, and of the other options those that have an effect."""
        items = super().signed() | {
            "similarity": lexicon.load(self.similarity_name),
            "parts": "same" if self.same_part else "any",
            "sampler": f"tomotopy@{sampler_version()}" if self.uses_topics else None,
        }
        # Younger than signatures that people keep: what is not chosen is not said.
        items |= {
            name: None
            for name in ("stemmer", "formula", "map")
            if getattr(self, name) == options(self)[name].default
        }
        if self.formula == "printed":
            items["penalty"] = None  # of documents, which it has no effect on
        return items | dict.fromkeys(self._idle_options)

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """The phrases and their map; variants that need documents explain with :meth:`explainer` only."""
        corpus = single_pair(hypothesis, reference)
        check_documents(
            corpus,
            self,
            hint="Two sentences are no document: call explainer with the whole corpus.",
        )
        return self.viewer(corpus)("hypothesis", 0, 0)

    def viewer(self, corpus: Corpus) -> Callable[[str, int, int], Explanation]:
        """Explains segments with the weights and topics that they have in ``corpus``."""
        from metaphrase.metrics.located_words import as_given
        from metaphrase.metrics.pbe.explanation import explain

        comparisons = dict(zip(corpus.systems, compare(corpus, self), strict=True))
        mapped: dict[str, list[_MappedPart]] = {}

        def explain_segment(system: str, row: int, reference: int) -> Explanation:
            if system not in mapped:
                mapped[system] = [
                    (rows, part, [(phrases, phrases.statistics()) for phrases in found])
                    for rows, part in scored_parts(self, comparisons[system])
                    for found in [mapped_phrases(self, part, ties=True)]
                ]
            texts = corpus.systems[system][row], corpus.text(reference, row)
            rows, part, found = next(one for one in mapped[system] if row in one[0])
            place = int(np.searchsorted(rows, row))
            number = corpus.references_of(row).index(reference)
            explanation = explain(self, part, found, place, number)
            if not self.normalise:
                return explanation
            return as_given(explanation, *map(NormalisedText.of, texts))

        return explain_segment


def _check_phrases(analyser: str) -> None:
    """Refuse an analyser that does not find phrases."""
    if "chunk" not in analysis.shared(analyser).columns:
        raise OptionError(
            "MP561",
            f"pbe compares noun and verb phrases, and {analyser} finds none.",
            hint="Name an analyser that does: analyser=conllu:FILE with Chunk= in the last column.",
        )
