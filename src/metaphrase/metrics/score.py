"""The score of one segment or one system, as a metric's methods return it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from metaphrase.metrics.prediction import Prediction
from metaphrase.metrics.signature import Signature

if TYPE_CHECKING:
    from metaphrase.metrics.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Score:
    """A number with what made it, and where people's judgement lies if the metric can tell.

    ``refusals`` are the segments that it says nothing about, because the metric refused them.

    >>> score = metaphrase.Ter().sentence_score("a cat sat", ["a cat slept"])
    >>> score
    <Score ter 33.3333>
    >>> f"{score:.1f}", float(score), score.higher_is_better
    ('33.3', 33.33333333333333, False)
    """

    name: str
    score: float
    signature: Signature
    higher_is_better: bool
    prediction: Prediction | None = None
    refusals: tuple[Refusal, ...] = ()

    @property
    def skipped(self) -> int:
        """How many segments were refused and left out."""
        return len({refusal.segment for refusal in self.refusals})

    def __float__(self) -> float:
        return self.score

    def __format__(self, specification: str) -> str:
        return format(self.score, specification) if specification else str(self)

    def __repr__(self) -> str:
        people = "" if self.prediction is None else f" {self.prediction}"
        return f"<Score {self.name} {self.score:.4f}{people}>"

    def __str__(self) -> str:
        return f"{self.signature} = {self.score:.4f}"
