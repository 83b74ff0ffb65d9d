"""Engines: what calls a function for each shard, here or elsewhere. They know nothing of jobs."""

from metaphrase.jobs.engines.dask import Dask
from metaphrase.jobs.engines.engine import Engine
from metaphrase.jobs.engines.local import Local
from metaphrase.jobs.engines.ray import Ray
from metaphrase.jobs.engines.registry import ENGINES, named_engine

__all__ = ["ENGINES", "Dask", "Engine", "Local", "Ray", "named_engine"]
