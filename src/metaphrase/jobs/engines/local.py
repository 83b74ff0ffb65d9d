"""Processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from metaphrase.errors import ResourceError
from metaphrase.threads import check_threads

#: So often a shard may take its process down with it.
_DEATHS = 3
#: Seconds that a process has to clean up when it is told to stop.
_PATIENCE = 10.0
#: Libraries that would use all cores in each process.
_LIBRARY_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Local:
    """As many processes as there are cores, or as ``workers`` says; with one it is this process itself."""

    workers: int | None = None

    def map(
        self, function: Callable[[int], int], numbers: Sequence[int]
    ) -> Iterator[tuple[int, int | BaseException]]:
        """See :class:`Engine`. A process that dies is replaced, and its number tried again a few times."""
        workers = min(check_threads(self.workers, "MP519"), len(numbers))
        if workers > 1:
            yield from _by_processes(function, numbers, workers)
            return
        for number in numbers:
            try:
                yield number, function(number)
            except Exception as error:
                yield number, error


@dataclass(slots=True)
class _Worker:
    """A process, the pipe to it, and the number that it is at."""

    process: Any
    pipe: Connection
    number: int | None = None

    def stop(self, patience: float) -> None:
        """Tell it to stop, and make it stop."""
        self.process.terminate()
        self.process.join(patience)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        self.pipe.close()


def _by_processes(
    function: Callable[[int], int], numbers: Sequence[int], count: int
) -> Iterator[tuple[int, int | BaseException]]:
    waiting = deque(numbers)
    deaths = dict.fromkeys(numbers, 0)
    workers: list[_Worker] = []
    try:
        while waiting or any(worker.number is not None for worker in workers):
            while waiting and len(workers) < count:
                workers.append(_start(function))
            for worker in workers:
                if worker.number is None and waiting:
                    worker.number = waiting.popleft()
                    with suppress(OSError):  # it is dead, which shows below
                        worker.pipe.send(worker.number)
            for pipe in wait([worker.pipe for worker in workers if worker.number is not None]):
                worker = next(one for one in workers if one.pipe is pipe)
                number = worker.number
                assert number is not None
                try:
                    result = worker.pipe.recv()
                except (EOFError, OSError):
                    workers.remove(worker)
                    worker.stop(_PATIENCE)
                    deaths[number] += 1
                    if deaths[number] < _DEATHS:
                        waiting.append(number)
                        continue
                    result = _died(number, worker.process.exitcode)
                worker.number = None
                yield number, result
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.stop(_PATIENCE)


def _start(function: Callable[[int], int]) -> _Worker:
    # A fork would share threads' locks with us.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(function, theirs), daemon=True)
    with _one_thread_each():
        process.start()
    theirs.close()
    return _Worker(process, ours)


def _work(function: Callable[[int], int], pipe: Connection) -> None:
    """What a process does until nobody has anything to do for it."""
    # Ctrl-C reaches all processes of a terminal: the first one decides what becomes of the others. What it
    # tells them is an exception here, so that temporary files are removed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(EOFError, OSError):
        while True:
            number = pipe.recv()
            result: int | BaseException
            try:
                result = function(number)
            except Exception as error:
                result = _portable(error)
            pipe.send(result)


def _portable(error: Exception) -> Exception:
    """The error, or what can be said of it if it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _died(number: int, code: int | None) -> ResourceError:
    how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
    return ResourceError(
        "MP941",
        f"The process of shard {number} died {_DEATHS} times, {how}.",
        hint="Give it more memory, or fewer --workers; a script must call run() below "
        'if __name__ == "__main__".',
    )


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Whoever starts now uses one core, unless the user says otherwise."""
    added = [name for name in _LIBRARY_THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]
