"""A process that calls a function for numbers that it is sent, seen from both of its ends.

Not of ``multiprocessing``: that runs the user's script once more in each process, which ends badly in scripts
without ``if __name__ == "__main__"``, and its pool gives up all processes when one of them dies.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import Any

#: As in the server: the path is ours, and never the folder in which we run.
_START = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from metaphrase.jobs.engines.process import serve; serve()"
)
#: Libraries that would use all cores in each process.
_LIBRARY_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
#: Seconds to put things in order, such as temporary files, before it is killed.
_GRACE = 5.0

Events = SimpleQueue[tuple["Worker", Any]]


class Ready:
    """What a worker says first."""


class Ended:
    """What is heard of a worker last, however it came to its end."""


class Worker:
    """A process as its parent sees it: it has a pickled function, and what it says goes to ``events``."""

    def __init__(self, function: bytes, events: Events) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *(str(Path(p).resolve()) for p in sys.path if p)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict.fromkeys(_LIBRARY_THREADS, "1") | os.environ,
            # What stops us from the keyboard is for us to pass on.
            start_new_session=os.name == "posix",
        )
        Thread(target=self._listen, args=[events], daemon=True).start()
        self._write(function)

    def ask(self, number: int) -> None:
        """Have the function called; the answer is an event: the number, and what was returned."""
        self._write(pickle.dumps(number))

    def release(self) -> None:
        """Let it go: it ends, whatever it is doing."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def wait(self) -> str:
        """Wait until it has ended, or end it after some seconds; says how it ended."""
        self.release()
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        if code >= 0 or os.name != "posix":
            return f"exit code {code}"
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # we hear of its end
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def _listen(self, events: Events) -> None:
        assert self._process.stdout is not None
        try:
            # Half an answer is none.
            with self._process.stdout as stream, suppress(EOFError, pickle.UnpicklingError):
                while True:
                    events.put((self, pickle.load(stream)))
        finally:
            events.put((self, Ended()))


def serve() -> None:
    """Be the process: read a function and then numbers, and answer each, until there is no more to read."""
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if os.name == "posix":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    numbers: SimpleQueue[int] = SimpleQueue()
    try:
        function = pickle.load(sys.stdin.buffer)
        Thread(target=_read, args=[numbers], daemon=True).start()
        answer: Any = Ready()
        while True:
            answers.write(pickle.dumps(answer))
            answers.flush()
            number = numbers.get()
            answer = number, function(number)
    except (EOFError, BrokenPipeError, SystemExit):
        # Threads of the core may still be at it, and nothing is left to be put in order.
        os._exit(1)


def _read(numbers: SimpleQueue[int]) -> None:
    """Read numbers; where they end, nobody wants an answer: the parent has let go, or is no more."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            numbers.put(pickle.load(sys.stdin.buffer))
    # In the main thread this is an exception, which removes temporary files on its way.
    os.kill(os.getpid(), signal.SIGTERM)
    sleep(_GRACE)
    os._exit(1)
