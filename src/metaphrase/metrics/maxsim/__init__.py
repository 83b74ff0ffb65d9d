"""MaxSim."""

from metaphrase.metrics.maxsim.metric import MaxSim

__all__ = ["MaxSim"]
