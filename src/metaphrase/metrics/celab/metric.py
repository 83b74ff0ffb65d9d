"""TESLA-CELAB: characters, words and phrases that cover each other, without deciding where words end.

Chang Liu and Hwee Tou Ng: Character-Level Machine Translation Evaluation for Languages with Ambiguous Word
Boundaries. ACL 2012.

Spans of up to N = 4 characters of hypothesis and reference match if they are spelt alike, are synonyms, or
are composed of such pieces in the same order. A linear program gives weights to matches, no span more than
1, so that the spans covered by matched ones (they and those within them) are worth most:

    score = (sum of c(X) over reference spans + f * sum of c(Y) over hypothesis spans) / Z,   f = 0.25,

where Z is the same sum with every c = 1 (section 3.4; ``matching/covering.py`` has the program). The
system's score is the mean over segments, with several references the mean over them. TESLA-CELAB− is the same
without synonyms: ``celab:minus``, or ``dictionary=none``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metaphrase import analysis
from metaphrase.analysis.languages.codes import base_language
from metaphrase.arrays import FloatArray
from metaphrase.errors import OptionError
from metaphrase.matching import SpanSentences, covering
from metaphrase.metrics.base import Metric
from metaphrase.metrics.celab.lexicon import DictionaryChoice, span_lexicon
from metaphrase.metrics.celab.published import DEPARTURES, SUBSTITUTED
from metaphrase.metrics.celab.weights import CHINESE_FUNCTION_WORDS, TokenWeighting
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.published import Difference
from metaphrase.metrics.registry import register
from metaphrase.options import option

#: The tokeniser for each choice of ``words``.
_TOKENISERS = {
    "whole": "characters",
    "letters": "characters:letters",
    "parts": "characters:de+compounds",
}
#: Variants that need Cilin.
_OF_CILIN = ("celab:paper", "celab:released")


@register
@dataclass(frozen=True, kw_only=True)
class Celab(Metric):
    """Spans of characters that match by spelling, synonymy or composition; a score from 0 to 1.

    >>> celab = metaphrase.Celab(lang="zh", dictionary="none")
    >>> celab.sentence_score("我买了雨伞", ["我买了雨伞"])
    <Score celab:dictionary=none 1.0000>
    """

    name: ClassVar[str] = "celab"
    summary: ClassVar[str] = "characters and synonyms that cover each other, by linear programming"
    citation: ClassVar[str] = "Liu and Ng, ACL 2012"
    columns: ClassVar[frozenset[str]] = frozenset({"form"})
    #: ``paper``: four levels, because section 4.5 has 工作 = 上班, whose codes differ in the fifth;
    #: ``released``: what the authors' program does; ``minus``: TESLA-CELAB− of the paper.
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {"level": 4, "line_types": "=#@", "normalise": False},
        "released": {"released_dp": True, "line_types": "=#@", "normalise": False},
        "minus": {"dictionary": "none", "normalise": False},
    }
    substituted: ClassVar[tuple[Difference, ...]] = SUBSTITUTED
    departures: ClassVar[tuple[Difference, ...]] = DEPARTURES

    dictionary: str | None = option(
        None,
        "where synonyms come from: ``cilin`` (the default for Chinese), ``cilin:PATH``, ``file:PATH`` or "
        "``none`` (the default for other languages)",
    )
    level: int = option(
        5,
        "words of Cilin are synonyms if this many levels of their codes agree; 5: of one line",
        low=1,
        high=5,
        signed=False,  # as the next two, part of what is said of the dictionary
    )
    line_types: str = option(
        "=",
        "which of Cilin's lines count: ``=`` synonyms, ``#`` related words",
        names_files=False,
        signed=False,
    )
    similarity: str = option(
        "equal",
        "``equal``: synonyms are as good as the word itself, as published; ``graded``: half as good for "
        "every step up to what their codes in Cilin have in common, whatever ``level`` says; or numbers for "
        "5, 4, … common levels: ``0.5,0.25,0.125``",
        names_files=False,
        signed=False,
    )
    order: int = option(4, "the longest span, in tokens", low=1, high=4)
    hypothesis_weight: float = option(
        0.25,
        "f, what covering the hypothesis is worth beside covering the reference",
        low=0,
        signed="f",
    )
    released_dp: bool = option(
        False, "find only the phrases that the authors' program finds", signed="dp"
    )
    presegmented: bool = option(
        False,
        "tokens stand between spaces; otherwise every character is one, and every word of a script with "
        "spaces, and every number",
        signed=False,  # the analyser's name says so
    )
    words: str = option(
        "whole",
        "units of words of scripts with spaces: ``whole`` words, their ``letters``, or ``parts``: German "
        "compounds are cut into the words they are made of, all in lower case",
        choices=("whole", "letters", "parts"),
        signed=False,  # so it does of these
    )
    weights: str = option(
        "none",
        "``none``, or ``df:PATH``: tokens count less the more lines of this text they are in",
    )
    function_words: tuple[str, ...] | None = option(
        None,
        "words that ``function_weight`` is for; by default particles, prepositions and punctuation of "
        "Chinese",
        names_files=False,
        signed=False,  # as the next one, part of what is said of weights
    )
    function_weight: float = option(
        1.0, "what a function word is worth beside other tokens", low=0, signed=False
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_variant()
        self._check_words()
        # Made here so that what makes no sense is refused before anything is scored.
        _ = self.dictionary_choice, self.weighting

    def _check_variant(self) -> None:
        if self.dictionary is None and not self._is_chinese and self.variant_name in _OF_CILIN:
            raise OptionError(
                "MP445",
                f"{self.variant_name} takes synonyms from Cilin, which is Chinese, and the language is "
                f"{self.lang!r}.",
                hint="Say -l zh (lang='zh'). For other languages celab:minus is the paper's metric "
                "without synonyms, and celab:dictionary=file:PATH takes those of a file.",
            )

    def _check_words(self) -> None:
        if self.words == "parts" and base_language(self.lang) != "de":
            raise OptionError(
                "MP446",
                f"celab: words=parts cuts German compounds, and the language is {self.lang!r}.",
                hint="Choose words=letters, or -l de for German.",
            )
        if self.words != "whole" and self.presegmented:
            raise OptionError(
                "MP446",
                f"celab: words={self.words} cuts words that presegmented=yes says are cut already.",
                hint="Leave out one of the two.",
            )

    @property
    def _is_chinese(self) -> bool:
        return base_language(self.lang) == "zh"

    @property
    def analyser_name(self) -> str:
        """The tokeniser into characters and words or what these are cut into, or at spaces."""
        return "characters:presegmented" if self.presegmented else _TOKENISERS[self.words]

    @property
    def dictionary_choice(self) -> DictionaryChoice:
        """The dictionary and which of its words are synonyms, under this metric's options."""
        name = self.dictionary or ("cilin" if self._is_chinese else "none")
        lowercase = self.words == "parts"
        return DictionaryChoice(name, self.level, self.line_types, self.similarity, lowercase)

    @property
    def weighting(self) -> TokenWeighting:
        """How much each token counts, under this metric's options."""
        words = CHINESE_FUNCTION_WORDS if self.function_words is None else self.function_words
        return TokenWeighting(self.weights, self.analyser_name, words, self.function_weight)

    def sentences(self, batch: analysis.Batch) -> SpanSentences:
        """The batch's tokens with their weights."""
        return SpanSentences(
            batch.offsets,
            batch.columns["form"],
            batch.strings,
            self.weighting.of(batch.strings),
        )

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score, 1, then the shares of the reference and of the hypothesis that are covered.

        The last one is 1 where the score is a lower bound.
        """
        analysed = comparison.analysed
        sentences = comparison.kept_of_all("spans", lambda: self.sentences(analysed.batch))
        lexicon = span_lexicon(self.dictionary_choice)
        rows = np.zeros((len(analysed.hypotheses), 5))
        rows[:, 1] = 1.0
        for reference in analysed.references:
            found = covering(
                sentences,
                hypothesis_rows=analysed.hypotheses,
                reference_rows=reference,
                lexicon=lexicon,
                order=self.order,
                released=self.released_dp,
                threads=threads,
            )
            covered = found.covered_reference + self.hypothesis_weight * found.covered_hypothesis
            total = found.total_reference + self.hypothesis_weight * found.total_hypothesis
            rows[:, 0] += _share(covered, total)
            rows[:, 2] += _share(found.covered_reference, found.total_reference)
            rows[:, 3] += _share(found.covered_hypothesis, found.total_hypothesis)
            rows[:, 4] = np.maximum(rows[:, 4], ~found.exact)
        rows[:, [0, 2, 3]] /= len(analysed.references)
        rows[comparison.blank, 0] = 1.0
        return rows

    def caution(self, total: FloatArray) -> str | None:
        """How many scores are lower bounds."""
        if not total[-1]:
            return None
        return (
            f"{total[-1]:.0f} of {total[1]:.0f} segments are too long and repetitive for the exact "
            "program: their celab scores are lower bounds."
        )

    def signed(self) -> dict[str, object]:
        """The dictionary and the weights with the hashes of their content, and which phrases are found."""
        return super().signed() | {
            "dictionary": self.dictionary_choice.signature,
            "dp": "released" if self.released_dp else "paper",
            "weights": self.weighting.signature,
        }

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """Which spans matched and how, and what covers the others."""
        from metaphrase.metrics.celab.explanation import explain

        return explain(self, compare_pair(self, hypothesis, reference))


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """The objective divided by Z (section 3.4; METRICS 4.4)."""
    # part <= whole, so more than 1 is rounding.
    shares = np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)
    return np.minimum(shares, 1.0)
