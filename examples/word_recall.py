"""A metric of one's own: metaphrase score reference.txt -i system-a.txt --load word_recall.py -m word-recall"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase.metrics import Comparison, Metric, option


@dataclass(frozen=True, kw_only=True)
class WordRecall(Metric):
    """The share of the reference's words that the translation has, in any order."""

    name: ClassVar[str] = "word-recall"
    summary: ClassVar[str] = "share of the reference's words"
    citation: ClassVar[str] = "an example"

    lowercase: bool = option(True, "whether words are compared in lower case")

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> np.ndarray:
        """Columns: words found and words there were, over all references."""
        rows = np.zeros((len(comparison), 2))
        for references in comparison.references:
            for i, (hypothesis, reference) in enumerate(zip(comparison.hypotheses, references)):
                there = self._words(reference)
                rows[i] += len(there & self._words(hypothesis)), len(there)
        return rows

    def score(self, statistics: np.ndarray) -> np.ndarray:
        found, there = statistics[..., 0], statistics[..., 1]
        return np.divide(found, there, out=np.zeros_like(found), where=there > 0)

    def _words(self, text: str) -> set[str]:
        return set((text.lower() if self.lowercase else text).split())
