"""PBE."""

from metaphrase.metrics.pbe.metric import Pbe

__all__ = ["Pbe"]
