"""TER."""

from metaphrase.metrics.ter.metric import Ter

__all__ = ["Ter"]
