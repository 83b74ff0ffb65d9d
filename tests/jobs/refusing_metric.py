"""Metrics that refuse a text with a certain word, for a job to load."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase.metrics import Bleu, Comparison, Nist

REFUSED = "refused"


def check(comparison: Comparison) -> None:
    for texts in (comparison.hypotheses, *comparison.references):
        if any(REFUSED in text for text in texts):
            raise ValueError("this text cannot be scored")


@dataclass(frozen=True, kw_only=True)
class RefusingBleu(Bleu):
    """BLEU that refuses a text."""

    name: ClassVar[str] = "refusing-bleu"

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> np.ndarray:
        check(comparison)
        return super().statistics(comparison, threads=threads)


@dataclass(frozen=True, kw_only=True)
class RefusingNist(Nist):
    """NIST, which looks at the whole corpus first, that refuses a text."""

    name: ClassVar[str] = "refusing-nist"

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> np.ndarray:
        check(comparison)
        return super().statistics(comparison, threads=threads)
