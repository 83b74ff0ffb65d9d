"""Training of ``accord`` on human scores and rankings."""

from metaphrase.learning.accord.data import JudgedLosses, judged_losses
from metaphrase.learning.accord.training import Fit, fit_weights, leave_one_out, train_accord

__all__ = ["Fit", "JudgedLosses", "fit_weights", "judged_losses", "leave_one_out", "train_accord"]
