"""accord, the learned metric."""

from metaphrase.metrics.accord.metric import Accord

__all__ = ["Accord"]
