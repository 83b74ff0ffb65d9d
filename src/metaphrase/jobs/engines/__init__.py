"""Engines: what calls a function for each shard, here or elsewhere. They know nothing of jobs."""

from metaphrase.jobs.engines.engine import Engine
from metaphrase.jobs.engines.local import Local
from metaphrase.jobs.engines.registry import ENGINES, named_engine

__all__ = ["ENGINES", "Engine", "Local", "named_engine"]
