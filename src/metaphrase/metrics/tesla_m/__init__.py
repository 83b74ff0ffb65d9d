"""TESLA-M: bags of n-grams."""

from metaphrase.metrics.tesla_m.metric import TeslaM

__all__ = ["TeslaM"]
