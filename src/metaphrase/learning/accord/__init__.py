"""Training of ``accord`` on human scores and rankings."""

from metaphrase.learning.accord.adaptation import Adaptation, adapt
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
    "Adaptation",
    "JudgedLosses",
    "Recipe",
    "Untrained",
    "Validation",
    "adapt",
    "coverages",
    "fit_weights",
    "judged_losses",
    "train_accord",
    "validate",
]
