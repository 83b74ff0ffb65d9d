"""A metric simple enough to know its prediction intervals by heart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Comparison, Metric


@dataclass(frozen=True, kw_only=True)
class WordShare(Metric):
    """Of 100 words, those that the reference has; four of five people differ from it by up to 40/√n."""

    name = "word-share"
    summary = "words that the reference has"
    citation = ""

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, 100.0

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        rows = []
        for text, reference in zip(comparison.hypotheses, comparison.references[0], strict=True):
            words = text.split()
            rows.append([100 * sum(word in reference.split() for word in words) / len(words), 1])
        return np.array(rows, dtype=np.float64)

    def prediction_interval(
        self, scores: FloatArray, segments: FloatArray
    ) -> tuple[FloatArray, FloatArray] | None:
        reach = 40 / np.sqrt(segments)
        return np.maximum(scores - reach, 0.0), np.minimum(scores + reach, 100.0)

    @property
    def prediction_coverage(self) -> float | None:
        return 0.8
