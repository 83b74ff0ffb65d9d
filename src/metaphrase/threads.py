"""The number of threads that somebody asks for, on which no result depends."""

from __future__ import annotations

import os

from metaphrase.errors import OptionError

#: More threads help nobody, and each needs memory.
_MOST = 256


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int | None) -> int:
    """A number of threads that can be had: as many as there are cores if nobody says how many."""
    if threads is None:
        return min(available_cores(), _MOST)
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise OptionError("MP519", f"threads={threads!r} is not a whole number of at least 1.")
    return min(threads, _MOST)
