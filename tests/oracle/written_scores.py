"""A metric whose scores are written down in its texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Comparison, Metric
from metaphrase.options import option


@dataclass(frozen=True, kw_only=True)
class WrittenScores(Metric):
    """The hypothesis is a list of scores, the reference says which: ``"0.5 nan"`` with ``"0"`` gets 0.5.

    A hypothesis with a single score gets it with all references.
    """

    name: ClassVar[str] = "written"
    summary: ClassVar[str] = "what the hypothesis says"
    citation: ClassVar[str] = "nobody"

    falls: bool = option(False, "whether lower is better")

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return not self.falls

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        rows = []
        (references,) = comparison.references
        for hypothesis, reference in zip(comparison.hypotheses, references, strict=True):
            scores = [float(number) for number in hypothesis.split()]
            rows.append([scores[0] if len(scores) == 1 else scores[int(reference)], 1.0])
        return np.array(rows).reshape(len(comparison), 2)
