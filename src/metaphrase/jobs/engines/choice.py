"""Engines by name."""

from __future__ import annotations

from difflib import get_close_matches

from metaphrase.errors import OptionError
from metaphrase.jobs.engines.dask import Dask
from metaphrase.jobs.engines.engine import Engine, package
from metaphrase.jobs.engines.local import Local
from metaphrase.jobs.engines.ray import Ray
from metaphrase.threads import check_threads

ENGINES = ("local", "dask", "ray")


def engine(name: str = "local", *, address: str | None = None, workers: int | None = None) -> Engine:
    """An engine that can be used here.

    name: ``local``, ``dask`` or ``ray``
    address: of a cluster that is there; without one it is made of processes of this machine
    workers: how many processes; by default as many as cores. A cluster that is there has its own.
    """
    if name not in ENGINES:
        close = get_close_matches(name, ENGINES, 1)
        raise OptionError(
            "MP939",
            f"there is no engine called {name!r}.",
            hint=f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(ENGINES)}.",
        )
    if workers is not None:
        check_threads(workers, "MP519")
    if address is not None and name == "local":
        raise OptionError(
            "MP939", "processes of this machine have no address.", hint="Name the engine: dask or ray."
        )
    if address is not None and workers is not None:
        raise OptionError(
            "MP939", "the cluster at an address has workers of its own.", hint="Leave one of them out."
        )
    if name == "local":
        return Local(workers)
    if name == "dask":
        package("distributed", "dask")
        return Dask(address, workers)
    package("ray", "ray")
    return Ray(address, workers)
