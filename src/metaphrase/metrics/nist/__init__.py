"""NIST."""

from metaphrase.metrics.nist.metric import Nist

__all__ = ["Nist"]
