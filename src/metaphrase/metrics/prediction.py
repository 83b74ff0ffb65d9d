"""Where people's judgement of a translation lies, as far as a metric can tell.

A prediction interval is about people: how far they may differ from the score. A confidence interval
(:mod:`metaphrase.statistics.resampling`) is about segments: how far the score may differ with others.
"""

from __future__ import annotations

from dataclasses import dataclass

from metaphrase.arrays import BoolArray, FloatArray, one_line, spread


@dataclass(frozen=True, slots=True)
class Prediction:
    """People's judgement lies between ``low`` and ``high`` in the share ``coverage`` of cases."""

    low: float
    high: float
    coverage: float

    def __str__(self) -> str:
        return f"[{self.low:.4g}–{self.high:.4g}]"


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """The predictions of many scores, in their order."""

    low: FloatArray
    high: FloatArray
    coverage: float

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, place: int) -> Prediction:
        return Prediction(float(self.low[place]), float(self.high[place]), self.coverage)

    def spread(self, kept: BoolArray) -> Predictions:
        """The same of more scores, of which only those that are ``kept`` have a prediction."""
        return Predictions(spread(self.low, kept), spread(self.high, kept), self.coverage)
