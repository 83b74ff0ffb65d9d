"""UPF-Cobalt."""

from metaphrase.metrics.cobalt.metric import Cobalt

__all__ = ["Cobalt"]
