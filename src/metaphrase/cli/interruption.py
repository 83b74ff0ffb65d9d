"""What may end a program from outside: Ctrl-C, SIGTERM, streams that are closed."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


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
