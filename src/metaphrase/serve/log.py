"""The log of the server: lines on standard error that nobody has to wait for."""

from __future__ import annotations

import sys
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread

#: Lines that may wait. If whoever reads them does not keep up, further ones are lost.
_WAITING = 1000


class Log:
    """Writes lines from a thread: a reader that has stopped reading must not stop the server."""

    def __init__(self) -> None:
        self._lines: Queue[str] = Queue(_WAITING)
        self._over = Event()
        self._thread = Thread(target=self._write, daemon=True)
        self._thread.start()

    def __call__(self, line: str) -> None:
        """Log a line."""
        with suppress(Full):
            self._lines.put_nowait(line)

    def close(self) -> None:
        """Write what is waiting, unless that takes more than a moment."""
        self._over.set()
        self._thread.join(1.0)

    def _write(self) -> None:
        while True:
            try:
                line = self._lines.get(timeout=0.1)
            except Empty:
                if self._over.is_set():
                    return
                continue
            try:
                print(f"metaphrase: {line}", file=sys.stderr, flush=True)
            except (OSError, ValueError):
                continue  # nobody reads it any more
