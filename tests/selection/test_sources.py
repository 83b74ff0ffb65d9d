"""Metrics that read the source get that of the sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Metric
from metaphrase.metrics.comparison import Comparison
from metaphrase.selection import Candidates, Chooser


@dataclass(frozen=True, kw_only=True, repr=False)
class Copies(Metric):
    """1 for a hypothesis that repeats the source."""

    name = "copies"
    summary = "whether the source is repeated"
    citation = "none"

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        sources = comparison.sources or [""] * len(comparison)
        pairs = zip(comparison.hypotheses, sources, strict=True)
        return np.array([[float(text == source), 1.0] for text, source in pairs])


def test_each_sentence_has_its_own() -> None:
    texts = ["a", "b", "c"]
    sentences = [Candidates(texts=texts, source=source) for source in ("b", "c", None)]
    found = Chooser(metrics=[Copies()]).choose(sentences)
    assert [one.text for one in found] == ["b", "c", "a"]
