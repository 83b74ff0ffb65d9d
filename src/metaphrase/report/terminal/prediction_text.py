"""Prediction intervals in words."""

from __future__ import annotations

from metaphrase.metrics import Prediction


def percent(coverage: float) -> str:
    """``90 %``."""
    return f"{100 * coverage:.3g} %"


def between(prediction: Prediction) -> str:
    """``between 27 and 100``, or ``between 0.27 and 1.00``: people differ too much for more digits."""
    digits = 0 if prediction.high > 1 else 2
    return f"between {prediction.low:.{digits}f} and {prediction.high:.{digits}f}"
