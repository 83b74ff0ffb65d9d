"""accord: everything that the other metrics see, weighed as people judge.

Hypothesis and reference are compared once in every way that agrees with people: characters, words, edits,
aligned words and their syntactic contexts, bags of n-grams, word vectors. What comes out are losses, each 0
for identical texts (:mod:`metaphrase.metrics.accord.features`), and

    score = 100 − Σ weight · loss,     at least 0.

No weight is negative, so that nothing that goes wrong is ever rewarded. The weights are learnt from direct
assessments, MQM and rankings (:mod:`metaphrase.learning.accord`). 100 is a translation that reads as the
reference does, and 50 the mean of those that people judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from metaphrase import lexicon
from metaphrase.arrays import FloatArray
from metaphrase.errors import OptionError
from metaphrase.lexicon import VectorSource
from metaphrase.matching import ngram_bags
from metaphrase.matching.word_alignment import align_words
from metaphrase.metrics.accord.features import (
    GROUPS,
    LOSSES,
    SurfaceTexts,
    VectorWords,
    alignment_losses,
    bag_losses,
    surface_losses,
    vector_losses,
)
from metaphrase.metrics.base import Metric, best_rows
from metaphrase.metrics.cobalt.metric import Cobalt
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.registry import register
from metaphrase.metrics.tesla_m.metric import TeslaM
from metaphrase.options import option
from metaphrase.trained.accord_model import AccordModel

#: Which losses are in which group.
_MEMBERS = np.array([[name in losses for name in LOSSES] for losses in GROUPS.values()])


@register
@dataclass(frozen=True, kw_only=True)
class Accord(Metric):
    """Losses of many kinds, weighed as people judge; 100 for equal texts, 50 for the mean of those judged."""

    name: ClassVar[str] = "accord"
    summary: ClassVar[str] = "characters, words, alignment and vectors, weighed as people judge"
    citation: ClassVar[str] = "metaphrase"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    combines_references: ClassVar[str] = "best"

    model: str = option("en", "the weights: ``en``, which ship, or ``file:PATH``")
    vectors: str = option("glove", "word vectors: ``glove``, ``file:PATH`` or ``spacy:NAME``")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lang != "en":
            raise OptionError(
                "MP845",
                f"accord knows English only, not {self.lang!r}.",
                hint="chrf works in every language.",
            )
        if self.vectors == "none":
            raise OptionError(
                "MP507",
                "accord: vectors=none would take every word that is not the same for a wrong one.",
                hint="Leave the option out, or give vectors of your own.",
            )

    @property
    def trained(self) -> AccordModel:
        """The model that is asked."""
        return AccordModel.find(self.model)

    @property
    def columns(self) -> frozenset[str]:
        """All that aligned words and bags need."""
        return self.aligner.columns | self._matcher.columns

    @property
    def analyser_name(self) -> str:
        """The built-in analyser of the language."""
        return self.aligner.analyser_name

    @cached_property
    def aligner(self) -> Cobalt:
        """What aligns the words."""
        return Cobalt(lang=self.lang)

    @cached_property
    def _matcher(self) -> TeslaM:
        return TeslaM(lang=self.lang)

    @property
    def _vectors(self) -> VectorSource:
        return lexicon.load_vectors(self.vectors)

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score, 1, and the points lost by group; of the best reference."""
        weights = self.trained.weights(LOSSES)
        rows = []
        for reference in range(len(comparison.references)):
            points = self.losses(comparison, reference, threads=threads) * weights
            lost = np.stack([_added(points[:, group]) for group in _MEMBERS], axis=1)
            score = np.maximum(100.0 - _added(lost), 0.0)
            rows.append(np.column_stack([score, np.ones(len(score)), lost]))
        return best_rows(rows, lambda found: found[:, 0])

    def losses(self, comparison: Comparison, reference: int, *, threads: int = 1) -> FloatArray:
        """A row for each segment with its losses, in the order of ``LOSSES``."""
        analysed = comparison.analysed
        batch, rows = analysed.batch, (analysed.hypotheses, analysed.references[reference])
        numbers: dict[str, int] = comparison.kept("numbers", dict)
        references = comparison.kept(
            "surfaces", lambda: [SurfaceTexts(texts, numbers) for texts in comparison.references]
        )
        hypotheses = SurfaceTexts(comparison.hypotheses, numbers)
        parsed = comparison.kept(
            "parsed sentences", lambda: self.aligner.prepare(batch, threads=threads)
        )
        words = comparison.kept("words", lambda: self._matcher.words(batch))
        vectors = comparison.kept("vectors", lambda: VectorWords(batch, self._vectors))
        aligned = align_words(
            parsed, *rows, options=self.aligner.alignment_options, threads=threads
        )
        bags = ngram_bags(
            words.offsets,
            words.lemma,
            words.tag,
            function=words.function,
            sense=words.sense,
            synonymy=words.synonymy,
            hypothesis_rows=rows[0],
            reference_rows=rows[1],
            divisor=self._matcher.function_divisor,
            threads=threads,
        )
        return np.concatenate(
            [
                surface_losses(hypotheses, references[reference], threads=threads),
                alignment_losses(aligned, parsed.batch, rows, self.aligner.delta),
                bag_losses(bags),
                vector_losses(vectors, rows, threads=threads),
            ],
            axis=1,
        )

    def signed(self) -> dict[str, object]:
        """The model and the lexicons with the hashes of their content."""
        aligner = self.aligner.signed()
        return super().signed() | {
            "model": self.trained,
            "synonyms": aligner["synonyms"],
            "paraphrases": aligner["paraphrases"],
            "vectors": self._vectors,
        }

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """What each group of losses costs, and the aligned words."""
        from metaphrase.metrics.accord.explanation import explain

        return explain(self, compare_pair(self, hypothesis, reference))


def _added(columns: FloatArray) -> FloatArray:
    """The sum of each row, added up from left to right whatever the machine."""
    total = np.zeros(len(columns))
    for column in columns.T:
        total += column
    return total
