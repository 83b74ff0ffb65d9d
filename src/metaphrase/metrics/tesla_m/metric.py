"""TESLA-M: bags of n-grams matched by linear programming.

Chang Liu, Daniel Dahlmeier and Hwee Tou Ng: TESLA: Translation Evaluation of Sentences with
Linear-programming-based Analysis. WMT 2010.

For n = 1, 2, 3 and two similarities (s_ms: lemma, synonym and tag; s_pos: tag) the n-grams of hypothesis
and reference, each function word in an n-gram dividing its weight by ten, are matched so that the matched
weight S is largest; F = P·R/(α·P + (1−α)·R) of P = S/Y and R = S/X, α = 0.8. The segment's score is the
mean of the six F values, the system's the mean over segments, with several references the mean over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metaphrase import analysis, lexicon
from metaphrase.arrays import FloatArray
from metaphrase.errors import OptionError
from metaphrase.matching import ngram_bags
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.published import PAPER, Difference
from metaphrase.metrics.registry import register
from metaphrase.metrics.tesla_m.bags import (
    EMPTY_BAGS,
    TaggedWords,
    f_measure,
    tagged_words,
)
from metaphrase.metrics.tesla_m.languages import (
    FUNCTION_TAGS,
    UNIVERSAL,
    TeslaLanguage,
    check_language,
    tesla_language,
)
from metaphrase.metrics.tesla_m.published import DEPARTURES, SUBSTITUTED
from metaphrase.options import option, same_as

#: The six features in the order of the statistics: similarity, then n.
FEATURES = ("ms1", "ms2", "ms3", "pos1", "pos2", "pos3")


@register
@dataclass(frozen=True, kw_only=True)
class TeslaM(Metric):
    """Bags of n-grams of lemmas and tags, matched exactly; a score from 0 to 1.

    >>> explanation = metaphrase.TeslaM().explain("the big house", "a large house")
    >>> [link.kind for link in explanation.layer("ms1")]
    ['tag', 'synonym with tag', 'lemma']
    """

    name: ClassVar[str] = "tesla-m"
    summary: ClassVar[str] = "n-grams of lemmas, synonyms and tags, matched by linear programming"
    citation: ClassVar[str] = "Liu, Dahlmeier and Ng, WMT 2010"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {PAPER: {"normalise": False}}
    substituted: ClassVar[tuple[Difference, ...]] = SUBSTITUTED
    departures: ClassVar[tuple[Difference, ...]] = DEPARTURES

    lang: str = same_as(
        Metric,
        "lang",
        meaning="the language of the texts: en, de, fr, es, cs or zh, or another with an ``analyser``",
    )
    analyser: str | None = option(
        None, "which analyser tags and lemmatises; by default the built-in one of ``lang``"
    )
    synonyms: str | None = option(
        None,
        "where synonyms come from: ``wordnet``, ``none``, ``file:PATH``, ``mythes:LANGUAGE`` or "
        "``mythes:PATH``; by default ``wordnet`` for English, else ``none``",
    )
    compounds: bool | None = option(
        None,
        "whether German nouns are cut into the words they are made of; by default they are",
        signed=False,  # the analyser's name says so
    )
    alpha: float = option(0.8, "weight of recall in F", low=0, high=1)
    tagset: str | None = option(
        None,
        "for s_pos and function words: ``universal`` or the language's own tags (``penn``, ``stts``, "
        "``pdt``, ``ictclas``, ``ctb``), which are the default where there are any",
        choices=lambda metric: metric.language.tagsets,
    )
    function_tags: tuple[str, ...] | None = option(
        None,
        "tags of function words; by default prepositions, articles, pronouns and the like",
        names_files=False,
        signed="function",
    )
    function_divisor: int = option(
        10,
        "what a function word divides the weight of its n-grams by",
        low=1,
        high=100,
        signed="divisor",
    )
    tokens: str = option(
        "alphanumeric",
        "``alphanumeric`` drops tokens without letter or digit, ``all`` keeps them",
        choices=("alphanumeric", "all"),
    )
    lowercase: bool = option(True, "whether lemmas are compared in lower case")
    synonym_parts: str = option(
        "any",
        "``any``: synsets of all parts of speech count, ``same``: those of the word's own tag",
        choices=("any", "same"),
        signed="parts",
    )
    empty_bags: str = option(
        "skip",
        "a feature for which neither side has an n-gram is left out (``skip``), or ``zero``, or ``one``",
        choices=tuple(EMPTY_BAGS),
        signed="empty",
    )
    empty_segments: float = option(
        0.0,
        "the score when no feature is left, though one side has text",
        low=0,
        high=1,
        signed=False,
    )
    features: tuple[str, ...] = option(
        FEATURES, "which of the six features count, for ablations", choices=FEATURES
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_language(self.name, self.lang, self.analyser)
        if self.compounds and not self._may_split:
            raise OptionError(
                "MP507",
                "tesla-m: compounds=yes is for German and its built-in analyser.",
                hint="Leave the option out.",
            )

    @property
    def language(self) -> TeslaLanguage:
        """What the language has by default."""
        return tesla_language(self.lang)

    @property
    def tag_column(self) -> str:
        """Where the tags that are compared stand in a sentence."""
        return "upos" if self._tagset == UNIVERSAL else "tag"

    @property
    def _tagset(self) -> str:
        return self.tagset or self.language.tagsets[0]

    @property
    def _synonyms(self) -> str:
        return self.synonyms or self.language.synonyms

    @property
    def _may_split(self) -> bool:
        return self.language.compounds and self.analyser is None

    @property
    def _function_tags(self) -> tuple[str, ...]:
        if self.function_tags is not None:
            return self.function_tags
        return FUNCTION_TAGS[self._tagset]

    @property
    def columns(self) -> frozenset[str]:
        """Lemmas, and the tags that ``tagset`` names."""
        return frozenset({"lemma", self.tag_column})

    @property
    def analyser_name(self) -> str:
        """The analyser asked for, or the built-in one of the language."""
        split = self._may_split and self.compounds is not False
        return self.analyser or f"builtin:{self.lang}{'+compounds' if split else ''}"

    def words(self, batch: analysis.Batch) -> TaggedWords:
        """The tokens that count, under this metric's options."""
        return tagged_words(
            batch,
            lexicon.load(self._synonyms),
            tag_column=self.tag_column,
            function_tags=self._function_tags,
            all_tokens=self.tokens == "all",
            lowercase=self.lowercase,
            same_part_only=self.synonym_parts == "same",
        )

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score, 1, then for the six features the sum of F and how many F there were."""
        features = self.f_values(comparison, threads=threads)
        features[..., [name not in self.features for name in FEATURES]] = np.nan
        present = ~np.isnan(features)
        values = np.where(present, features, 0.0)
        count = present.sum(axis=-1)
        mean = values.sum(axis=-1) / np.maximum(count, 1)
        score = np.where(count > 0, mean, self.empty_segments).mean(axis=0)
        statistics = np.empty((len(score), 2 + 2 * len(FEATURES)))
        statistics[:, 0] = np.where(comparison.blank, 1.0, score)
        statistics[:, 1] = 1.0
        statistics[:, 2 : 2 + len(FEATURES)] = values.mean(axis=0)
        statistics[:, 2 + len(FEATURES) :] = present.mean(axis=0)
        return statistics

    def f_values(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """F of each feature, shape (references, segments, 6); NaN where it is left out.

        Sections 3.1 to 3.3 of the paper: s_ms and s_pos for n = 1, 2, 3.
        """
        analysed = comparison.analysed
        words = comparison.kept_of_all("words", lambda: self.words(analysed.batch))
        features = []
        for reference in analysed.references:
            bags = ngram_bags(
                words.offsets,
                words.lemma,
                words.tag,
                function=words.function,
                sense=words.sense,
                synonymy=words.synonymy,
                hypothesis_rows=analysed.hypotheses,
                reference_rows=reference,
                divisor=self.function_divisor,
                threads=threads,
            )
            features.append(
                np.concatenate(
                    [
                        f_measure(matched, bags.reference, bags.hypothesis, self.alpha)
                        for matched in (bags.matched, bags.matched_tags)
                    ],
                    axis=1,
                )
            )
        values = np.stack(features)
        values[np.isnan(values)] = EMPTY_BAGS[self.empty_bags]
        return values

    def signed(self) -> dict[str, object]:
        """The lexicon with the hash of its content, the tags that are compared, and what is not as usual."""
        is_usual = set(self.features) == set(FEATURES)
        return super().signed() | {
            "synonyms": lexicon.load(self._synonyms),
            "tagset": self._tagset,
            "function": "default" if self.function_tags is None else sorted(self.function_tags),
            "empty": f"{self.empty_bags},{float(self.empty_segments)}",
            "features": "all" if is_usual else sorted(set(self.features)),
        }

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """Which n-gram was matched with which, at what similarity and weight, and what was left."""
        from metaphrase.metrics.tesla_m.explanation import explain

        return explain(self, compare_pair(self, hypothesis, reference))
