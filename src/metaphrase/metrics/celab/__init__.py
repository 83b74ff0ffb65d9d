"""TESLA-CELAB, for Chinese and other text without spaces."""

from metaphrase.metrics.celab.metric import Celab

__all__ = ["Celab"]
