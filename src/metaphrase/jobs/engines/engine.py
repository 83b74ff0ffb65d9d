"""What an engine is, and what all of them have to do about errors."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from metaphrase.errors import ResourceError
from metaphrase.extras import not_installed

#: Modules that both ends have. A file with somebody's metric is loaded only where shards are scored.
_EVERYWHERE = {*sys.stdlib_module_names, "metaphrase", "numpy", "pyarrow"}
#: A number, and what was returned or raised for it.
Result = tuple[int, int | BaseException]


class Engine(Protocol):
    """Calls a function for each of several numbers, in any order, on any machine.

    An error of the function is a result like any other. Where the machine dies instead, another one takes
    the number over, a few times; what then is still not done is an MP941. If the whole engine is gone,
    that is raised (MP944): what was yielded before is done. Who closes the generator wants no more results:
    processes of the engine's own end.
    """

    def map(
        self, function: Callable[[int], int], numbers: Sequence[int]
    ) -> Generator[Result, None, None]:
        """Each number, as soon as it is done, with what the function returned or the error that it raised."""


@dataclass(frozen=True, slots=True)
class Caught:
    """A function that returns its errors: an engine that tries again what went wrong does so after deaths."""

    function: Callable[[int], int]

    def __call__(self, number: int) -> int | Exception:
        """Call it."""
        try:
            return self.function(number)
        except Exception as error:
            return _portable(error)


def _portable(error: Exception) -> Exception:
    """The error as another process can know it; of others it is told in words."""
    if type(error).__module__.partition(".")[0] in _EVERYWHERE:
        with suppress(Exception):
            copy = pickle.loads(pickle.dumps(error))
            if isinstance(copy, type(error)):
                return copy
    return RuntimeError(f"{type(error).__name__}: {error}")


def died(number: int, how: str = "") -> ResourceError:
    """The result of a number that took down whoever tried it."""
    return ResourceError(
        "MP941",
        f"the process of shard {number} died each time{f' ({how})' if how else ''}.",
        hint="If memory was short, try fewer workers, or plan smaller shards.",
    )


def lost(what: str) -> ResourceError:
    """The error of an engine that is gone, or never was there."""
    return ResourceError(
        "MP944", what, hint="Shards that are done stay done: run the job again for the others."
    )


def package(module: str, extra: str) -> Any:
    """A package that only this engine needs."""
    try:
        return import_module(module)
    except ImportError:
        raise not_installed(f"{module} is not installed.", extra) from None
