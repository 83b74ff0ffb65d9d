"""TER with sacreBLEU's numbers, counted by the compiled core.

Matthew Snover, Bonnie Dorr, Richard Schwartz, Linnea Micciulla and John Makhoul: A Study of Translation Edit
Rate with Targeted Human Annotation. AMTA 2006.

TER = edits / words of the reference. Words are those of sacreBLEU's tokeniser, edits those that its search
finds (:mod:`metaphrase.matching.edit_rate`). With several references the fewest edits count, and their mean
length. Means are added without rounding where sacreBLEU rounds after each, which shows in the last digit of a
system's score if the number of references is no power of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from metaphrase._core.ngrams import WordNumbers
from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.analysis.metric_text.sacrebleu_tokens import tokenise_for_ter
from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import InputError
from metaphrase.matching.edit_rate import count_edits
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.count_scores import ter_scores
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.registry import register
from metaphrase.metrics.sacrebleu_metrics import SacreBleuMetric
from metaphrase.metrics.ter.explanation import REFERENCE_PASSES, explain
from metaphrase.options import option

#: Languages whose words sacreBLEU's tokeniser splits.
_IDEOGRAPHIC = frozenset({"ja", "yue", "zh"})


@register
@dataclass(frozen=True, kw_only=True)
class Ter(SacreBleuMetric):
    """TER (Snover et al., AMTA 2006): edits with shifts per reference word, in per cent; lower is better.

    >>> metaphrase.Ter().sentence_score("a cat sat on a mat", ["a cat sat on the mat"])
    <Score ter 16.6667>
    """

    name: ClassVar[str] = "ter"
    summary: ClassVar[str] = "edits with shifts per reference word, lower is better"
    citation: ClassVar[str] = "Snover et al., AMTA 2006"
    sacrebleu_class: ClassVar[str] = "TER"
    own_options: ClassVar[frozenset[str]] = frozenset({"lang", "longest", "characters"})
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    #: An edit for each word of the reference.
    worst: ClassVar[float] = 100.0
    #: The reference that takes fewest edits counts.
    combines_references: ClassVar[str] = "best"

    normalized: bool | None = option(
        None, "whether texts are tokenised; by default Chinese and Japanese ones"
    )
    no_punct: bool = option(False, "whether punctuation is left out")
    asian_support: bool | None = option(
        None, "whether Chinese and Japanese characters are words; by default in these languages"
    )
    characters: bool | None = option(
        None,
        "whether all characters are words; by default in other languages without spaces, such as Thai",
    )
    case_sensitive: bool = option(False, "whether case counts")
    longest: int = option(
        100_000,
        "segments of more words are refused, as the search for shifts would take seconds and hundreds of "
        "megabytes; the number does not influence scores",
        low=1,
    )

    @property
    def normalises(self) -> bool:
        """``normalized``, or what the language asks for."""
        return self._splits_ideographs if self.normalized is None else self.normalized

    @property
    def _splits_ideographs(self) -> bool:
        return base_language(self.lang) in _IDEOGRAPHIC

    @property
    def _compares_characters(self) -> bool:
        if self.characters is not None:
            return self.characters
        return base_language(self.lang) in UNSPACED - _IDEOGRAPHIC

    def arguments(self, segment_level: bool) -> dict[str, Any]:
        """What the language decides is sacreBLEU's to know."""
        return super().arguments(segment_level) | self._tokenising

    @property
    def _tokenising(self) -> dict[str, bool]:
        """The options of the tokeniser."""
        asian = self._splits_ideographs if self.asian_support is None else self.asian_support
        return {
            "normalized": self.normalises,
            "no_punct": self.no_punct,
            "asian_support": asian,
            "case_sensitive": self.case_sensitive,
        }

    def unsaid(self) -> dict[str, object]:
        """Whether characters are words, of which sacreBLEU knows nothing."""
        return {"characters": True} if self._compares_characters else {}

    def words(self, text: str, *, passes: int = 1) -> list[str]:
        """What is compared of a text: the words of sacreBLEU's tokeniser, after so many passes of it."""
        (words,) = tokenise_for_ter([text], **self._tokenising, passes=passes).texts()
        return list(words.replace(" ", "")) if self._compares_characters else words.split()

    def _rows(
        self, texts: Sequence[str], numbers: WordNumbers, *, passes: int = 1, threads: int = 1
    ) -> SymbolRows:
        """The words of all texts by their numbers."""
        tokenised = tokenise_for_ter(texts, **self._tokenising, passes=passes, threads=threads)
        if self._compares_characters:
            return SymbolRows.of_characters([text.replace(" ", "") for text in tokenised.texts()])
        return SymbolRows.of_tokenised(tokenised, numbers)

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Edits and reference words; see ``longest``."""
        # The words of all systems share their numbers with those of the references.
        numbers = comparison.kept_of_all("numbers", WordNumbers)
        hypotheses, references = comparison.sides(
            lambda texts: self._rows(texts, numbers, threads=threads),
            lambda texts: self._rows(texts, numbers, passes=REFERENCE_PASSES, threads=threads),
        )
        lengths = [rows.lengths for rows in (hypotheses, *references)]
        self._check_lengths(comparison, lengths)
        edits = [count_edits(hypotheses, rows, threads=threads).sum(axis=1) for rows in references]
        statistics = np.empty((len(comparison), 2))
        statistics[:, 0] = reduce(np.minimum, edits)
        statistics[:, 1] = sum(lengths[1:]) / len(references)
        return statistics

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """The shifts and edits that turn the hypothesis into the reference."""
        return explain(self, compare_pair(self, hypothesis, reference))

    def _check_lengths(self, comparison: Comparison, sides: Sequence[Int64Array]) -> None:
        for lengths in sides:
            if lengths.size and (most := int(lengths.max())) > self.longest:
                row = int(lengths.argmax())
                error = InputError(
                    "MP518",
                    f"{comparison.place(row)} or a reference of it has {most:,} words, with which ter "
                    "would take long.",
                    hint="Split it, or allow it with -m ter:longest=NUMBER.",
                )
                raise comparison.blamed(row, error)

    def _count_scores(self, counts: FloatArray, segment_level: bool) -> FloatArray:
        return ter_scores(counts)
