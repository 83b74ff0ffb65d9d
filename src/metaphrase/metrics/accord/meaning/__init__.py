"""What changes a meaning, as penalties of ``accord`` (:mod:`.penalties` lists them)."""

from metaphrase.metrics.accord.meaning.penalties import (
    CERTAIN,
    MEANING,
    RUNS,
    described,
    meaning_penalties,
    shifts,
)
from metaphrase.metrics.accord.meaning.words import MeaningWords

__all__ = ["CERTAIN", "MEANING", "RUNS", "MeaningWords", "described", "meaning_penalties", "shifts"]
