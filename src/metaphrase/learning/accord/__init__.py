"""Training of ``accord`` on human scores and rankings."""

from metaphrase.learning.accord.data import JudgedLosses, Untrained, judged_losses
from metaphrase.learning.accord.training import (
    Recipe,
    Validation,
    coverages,
    fit_weights,
    train_accord,
    validate,
)

__all__ = [
    "JudgedLosses",
    "Recipe",
    "Untrained",
    "Validation",
    "coverages",
    "fit_weights",
    "judged_losses",
    "train_accord",
    "validate",
]
