"""MaxSim: n-grams matched one to one so that their similarity is largest.

Yee Seng Chan and Hwee Tou Ng: MAXSIM: A Maximum Similarity Metric for Machine Translation Evaluation.
ACL 2008.

For n = 1, 2, 3 the n-grams of hypothesis and reference are matched, each at most once: first those equal in
lemmas and tags, then those equal in lemmas, then the rest by a maximum-weight matching whose similarities
are those of :mod:`metaphrase.matching.staged_ngrams`. With M the sum of similarities (1 for each of the
first two kinds), X and Y the numbers of n-grams of reference and hypothesis, P = M/Y, R = M/X and
F = P·R/(α·P + (1−α)·R), α = 0.8. A segment's score is the mean of the three F, the system's the mean over
segments, with several references the mean over them. Of the paper's two metrics this is the one without
dependencies.

The authors' program is not available. The stages and the two means are the paper's as it is remembered;
α = 0.8 is TESLA-M's, whose authors describe MaxSim as the case of theirs in which all weights are 1. That
tokens without letter or digit are dropped, and an n for which neither side has n-grams is left out, is as
in TESLA-M. ``matching=optimal`` is that case to the letter: one linear program and no stages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase import lexicon
from metaphrase.analysis import Batch
from metaphrase.arrays import FloatArray
from metaphrase.matching import NgramBags, StagedMatches, ngram_bags, staged_ngrams
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.registry import register
from metaphrase.metrics.tesla_m.bags import TaggedWords, f_measure, tagged_words
from metaphrase.metrics.tesla_m.languages import UNIVERSAL, check_language, tesla_language
from metaphrase.metrics.tesla_m.metric import TeslaM
from metaphrase.options import option, same_as


@register
@dataclass(frozen=True, kw_only=True)
class MaxSim(Metric):
    """N-grams of lemmas, synonyms and tags, matched one to one; a score from 0 to 1.

    >>> metaphrase.MaxSim().sentence_score("The big cat sat.", ["The large cat sat."])
    <Score maxsim 1.0000>
    """

    name: ClassVar[str] = "maxsim"
    summary: ClassVar[str] = "n-grams of lemmas, synonyms and tags, matched one to one"
    citation: ClassVar[str] = "Chan and Ng, ACL 2008"

    lang: str = same_as(TeslaM, "lang")
    analyser: str | None = same_as(TeslaM, "analyser")
    synonyms: str | None = same_as(TeslaM, "synonyms")
    alpha: float = same_as(TeslaM, "alpha")
    matching: str = option(
        "staged",
        "``staged`` as published, or ``optimal``: the largest sum of similarities without stages",
        choices=("staged", "optimal"),
    )
    tokens: str = same_as(TeslaM, "tokens")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_language(self.name, self.lang, self.analyser)

    @property
    def analyser_name(self) -> str:
        """The analyser asked for, or the built-in one of the language."""
        return self.analyser or f"builtin:{self.lang}"

    @property
    def columns(self) -> frozenset[str]:
        """Lemmas, and the language's own tags if it has any."""
        return frozenset({"lemma", self.tag_column})

    @property
    def tag_column(self) -> str:
        """The column of tags that are compared."""
        return "upos" if tesla_language(self.lang).tagsets[0] == UNIVERSAL else "tag"

    @property
    def _synonyms(self) -> str:
        return self.synonyms or tesla_language(self.lang).synonyms

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score and 1."""
        found = self._matches(comparison, threads)
        values = np.stack(
            [f_measure(one.matched, one.reference, one.hypothesis, self.alpha) for one in found]
        )
        present = ~np.isnan(values)
        means = np.where(present, values, 0.0).sum(axis=-1) / np.maximum(present.sum(axis=-1), 1)
        scores = np.where(comparison.blank, 1.0, means.mean(axis=0))
        return np.column_stack([scores, np.ones(len(comparison))])

    def words(self, batch: Batch) -> TaggedWords:
        """The words that are compared; none of them is a function word."""
        return tagged_words(
            batch,
            lexicon.load(self._synonyms),
            tag_column=self.tag_column,
            function_tags=(),
            all_tokens=self.tokens == "all",
        )

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """The matched n-grams, each with the stage that matched it."""
        from metaphrase.metrics.maxsim.explanation import explain

        return explain(self, compare_pair(self, hypothesis, reference))

    def _matches(self, comparison: Comparison, threads: int) -> list[StagedMatches | NgramBags]:
        """One for each reference."""
        analysed = comparison.analysed
        words = comparison.kept_of_all("words", lambda: self.words(analysed.batch))
        found: list[StagedMatches | NgramBags] = []
        for reference in analysed.references:
            if self.matching == "staged":
                found.append(
                    staged_ngrams(
                        words.offsets,
                        words.lemma,
                        words.tag,
                        hypothesis_rows=analysed.hypotheses,
                        reference_rows=reference,
                        synonymy=words.synonymy,
                        threads=threads,
                    )
                )
            else:
                found.append(
                    ngram_bags(
                        words.offsets,
                        words.lemma,
                        words.tag,
                        function=words.function,
                        hypothesis_rows=analysed.hypotheses,
                        reference_rows=reference,
                        synonymy=words.synonymy,
                        divisor=1,
                        threads=threads,
                    )
                )
        return found

    def signed(self) -> dict[str, object]:
        """The lexicon with the hash of its content."""
        return super().signed() | {"synonyms": lexicon.load(self._synonyms)}
