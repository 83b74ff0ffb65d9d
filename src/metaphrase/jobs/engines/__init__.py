"""Engines: what calls a function for each shard, here or elsewhere. They know nothing of jobs."""

from metaphrase.jobs.engines.engine import Engine
from metaphrase.jobs.engines.local import Local

__all__ = ["Engine", "Local"]
