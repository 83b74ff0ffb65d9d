"""TER's edits by kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase import Ter
from metaphrase.arrays import FloatArray
from metaphrase.matching.edit_rate import count_edits
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics import Comparison, Metric, Signature
from metaphrase.metrics.count_scores import ter_scores
from metaphrase.metrics.ter.explanation import REFERENCE_PASSES


@dataclass(frozen=True, kw_only=True)
class TerEdits(Metric):
    """Columns: insertions, deletions, substitutions, shifts, reference length, hypothesis length."""

    name: ClassVar[str] = "ter-edits"
    higher_is_better: ClassVar[bool] = False

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Counts of one row per segment; it must have one reference."""
        (texts,) = comparison.references
        numbers: dict[str, int] = {}
        hypotheses = SymbolRows.of_words(map(Ter().words, comparison.hypotheses), numbers)
        reference_words = (Ter().words(text, passes=REFERENCE_PASSES) for text in texts)
        references = SymbolRows.of_words(reference_words, numbers)
        edits = count_edits(hypotheses, references, threads=threads)
        lengths = np.stack([references.lengths, hypotheses.lengths], axis=1)
        return np.concatenate([edits, lengths], axis=1).astype(np.float64)

    def score(self, statistics: FloatArray) -> FloatArray:
        total = np.stack([statistics[..., :4].sum(axis=-1), statistics[..., 4]], axis=-1)
        return ter_scores(total.reshape(-1, 2)).reshape(total.shape[:-1])

    def signature(self, references: int | None = None) -> Signature:
        return Signature.of(self.name, {"nrefs": references})
