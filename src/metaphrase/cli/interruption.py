"""What may end a program from outside: Ctrl-C, SIGTERM, streams that are closed, memory that runs out."""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from metaphrase.errors import ResourceError


class Terminated(BaseException):
    """Somebody wants us to stop, as Ctrl-C does."""


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM, which schedulers send before they kill, end the work in an orderly way.

    Whoever sends it twice is in a hurry: the second one ends the process at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are not ours
        return

    def stop(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def open_standard_streams() -> None:
    """Put nothing where standard streams are closed: else the next file that is opened would be one of them.

    What some library prints would then land in it.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            with suppress(OSError):
                os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


def out_of_memory(error: BaseException) -> ResourceError | None:
    """The error to tell if it was memory that failed."""
    # A compiled library that is there but finds no room for itself cannot be imported.
    no_room = isinstance(error, ImportError) and (
        "failed to map segment" in str(error) or "cannot allocate memory" in str(error).lower()
    )
    no_pages = isinstance(error, OSError) and error.errno == errno.ENOMEM
    if not (isinstance(error, MemoryError) or no_room or no_pages):
        return None
    return ResourceError(
        "MP980",
        "there is not enough memory.",
        hint="Give fewer texts or metrics at a time, use fewer --threads, or score the corpus as a job.",
    )
