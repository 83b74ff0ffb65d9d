"""TER's edits by kind. sacreBLEU's search finds them, but only reports how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from sacrebleu.metrics.lib_ter import _MAX_SHIFT_CANDIDATES, BeamEditDistance, _shift
from sacrebleu.metrics.ter import TER

from metaphrase.metrics import Comparison, Metric, Signature
from metaphrase.metrics.base import FloatArray
from metaphrase.metrics.count_scores import ter_scores

#: How a trace spells insertions, deletions and substitutions.
_KINDS = "ids"


@dataclass(frozen=True, kw_only=True)
class TerEdits(Metric):
    """Columns: insertions, deletions, substitutions, shifts, reference length, hypothesis length."""

    name: ClassVar[str] = "ter-edits"
    higher_is_better: ClassVar[bool] = False

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Counts of one row a segment; it must have one reference."""
        (references,) = comparison.references
        words = TER()._preprocess_segment
        rows = [
            edits(words(hypothesis).split(), words(reference).split())
            for hypothesis, reference in zip(comparison.hypotheses, references, strict=True)
        ]
        return np.array(rows, dtype=np.float64)

    def score(self, statistics: FloatArray) -> FloatArray:
        total = np.stack([statistics[..., :4].sum(axis=-1), statistics[..., 4]], axis=-1)
        return ter_scores(total.reshape(-1, 2)).reshape(total.shape[:-1])

    def signature(self, references: int | None = None) -> Signature:
        return Signature.of(self.name, {"nrefs": references})


def edits(hypothesis: list[str], reference: list[str]) -> tuple[int, ...]:
    """Shift words for as long as it brings the sides nearer, as sacreBLEU does, and then count."""
    lengths = len(reference), len(hypothesis)
    if not reference:
        return 0, len(hypothesis), 0, 0, *lengths
    distance = BeamEditDistance(reference)
    shifts = tried = 0
    while True:
        gain, shifted, tried = _shift(hypothesis, reference, distance, tried)
        if gain <= 0 or tried >= _MAX_SHIFT_CANDIDATES:
            break
        hypothesis = shifted
        shifts += 1
    _, trace = distance(hypothesis)
    return *map(trace.count, _KINDS), shifts, *lengths
