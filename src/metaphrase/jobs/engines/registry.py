"""Engines by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from metaphrase.errors import OptionError
from metaphrase.extras import not_installed
from metaphrase.jobs.engines.dask import Dask
from metaphrase.jobs.engines.engine import Engine
from metaphrase.jobs.engines.local import Local
from metaphrase.jobs.engines.ray import Ray
from metaphrase.threads import check_threads


@dataclass(frozen=True, slots=True)
class _Kind:
    """How an engine is made of a number of workers and an address, and the package that it needs.

    The extra that brings the package is called after the engine.
    """

    make: Callable[[int | None, str | None], Engine]
    package: str | None = None


def _local(workers: int | None, address: str | None) -> Engine:
    if address is not None:
        raise OptionError("MP939", "local processes have no address.", hint="Leave --address out.")
    return Local(workers)


def _dask(workers: int | None, address: str | None) -> Engine:
    return Dask(address, workers)


def _ray(workers: int | None, address: str | None) -> Engine:
    return Ray(address, workers)


ENGINES = {
    "local": _Kind(_local),
    "dask": _Kind(_dask, "distributed"),
    "ray": _Kind(_ray, "ray"),
}


def named_engine(name: str, *, workers: int | None = None, address: str | None = None) -> Engine:
    """The engine called ``name``, with so many workers of its own or at the address of a cluster.

    >>> named_engine("local", workers=2)
    Local(workers=2)
    """
    if name not in ENGINES:
        known = ", ".join(ENGINES)
        raise OptionError("MP939", f"there is no engine {name!r}.", hint=f"There are: {known}.")
    kind = ENGINES[name]
    if workers is not None:
        check_threads(workers)
        if address is not None:
            raise OptionError(
                "MP939",
                "the cluster at an address has workers of its own.",
                hint="Give either an address or a number of workers.",
            )
    if kind.package is not None and find_spec(kind.package) is None:
        raise not_installed(
            f"{kind.package} is not installed, which the engine {name} needs.", name
        )
    return kind.make(workers, address)
