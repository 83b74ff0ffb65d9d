"""The number of threads that somebody asks for, on which no result depends."""

from __future__ import annotations

from metaphrase.errors import OptionError

#: More threads help nobody, and each needs memory.
_MOST = 256


def check_threads(threads: int, code: str) -> int:
    """A number of threads that can be had; ``code`` is the error's, of whoever is asked."""
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise OptionError(code, f"threads={threads!r} is not a whole number of at least 1.")
    return min(threads, _MOST)
