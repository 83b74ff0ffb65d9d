"""TESLA: pivot languages, language models and weights learnt from rankings."""

from metaphrase.metrics.tesla.metric import Tesla

__all__ = ["Tesla"]
