"""Engines: what calls a function for each shard, here or elsewhere. They know nothing of jobs."""

from metaphrase.jobs.engines.choice import ENGINES, engine
from metaphrase.jobs.engines.dask import Dask
from metaphrase.jobs.engines.engine import Engine
from metaphrase.jobs.engines.local import Local
from metaphrase.jobs.engines.ray import Ray

__all__ = ["ENGINES", "Dask", "Engine", "Local", "Ray", "engine"]
