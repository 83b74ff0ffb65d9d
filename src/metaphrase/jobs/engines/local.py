"""Processes of this machine."""

from __future__ import annotations

import pickle
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from queue import SimpleQueue

from metaphrase.jobs.engines.engine import Caught, Result, died, lost
from metaphrase.jobs.engines.process import Ended, Events, Ready, Worker
from metaphrase.threads import check_threads

#: So often a number may take its process down with it, and so many processes in a row may not even start.
_DEATHS = 3


@dataclass(frozen=True, slots=True)
class Local:
    """As many processes as there are cores, or as ``workers`` says; with one it is this process itself."""

    workers: int | None = None

    def map(
        self, function: Callable[[int], int], numbers: Sequence[int]
    ) -> Generator[Result, None, None]:
        """See :class:`Engine`. A process that dies is replaced, and nothing happens to the others."""
        workers = min(check_threads(self.workers), len(numbers))
        if workers > 1:
            yield from _Crew(function, numbers, workers).results()
            return
        for number in numbers:
            try:
                yield number, function(number)
            except Exception as error:
                yield number, error


class _Crew:
    """Workers and what they do; each has one number at a time, so that it is known who died of what."""

    def __init__(
        self, function: Callable[[int], int], numbers: Sequence[int], workers: int
    ) -> None:
        self._function = pickle.dumps(Caught(function))
        self._most = workers
        self._waiting = deque(numbers)
        # Maybe memory is short: these have it for themselves when all others are done.
        self._suspects: deque[int] = deque()
        self._deaths: Counter[int] = Counter()
        self._events: Events = SimpleQueue()
        self._starting: set[Worker] = set()
        self._idle: set[Worker] = set()
        self._busy: dict[Worker, int] = {}
        self._failed_starts = 0

    def results(self) -> Iterator[Result]:
        """Every number with its result."""
        try:
            while self._waiting or self._suspects or self._busy:
                self._start()
                self._assign()
                worker, event = self._events.get()
                if isinstance(event, Ready):
                    self._failed_starts = 0
                    self._starting.remove(worker)
                    self._idle.add(worker)
                elif isinstance(event, Ended):
                    yield from self._bury(worker)
                else:
                    del self._busy[worker]
                    self._idle.add(worker)
                    yield event
        finally:
            everybody = [*self._starting, *self._idle, *self._busy]
            for worker in everybody:
                worker.release()
            for worker in everybody:
                worker.wait()

    def _start(self) -> None:
        """Have as many workers as there is work for."""
        there = len(self._starting) + len(self._idle) + len(self._busy)
        if self._failed_starts >= _DEATHS:
            if not there:
                raise lost("the processes that score shards end as soon as they are started.")
            return
        todo = len(self._busy) + len(self._waiting) + bool(self._suspects)
        try:
            for _ in range(min(self._most, todo) - there):
                self._starting.add(Worker(self._function, self._events))
        except OSError as error:  # too many processes, or too little memory
            self._failed_starts = _DEATHS
            if not (there or self._starting):
                raise lost(f"no process can be started: {error.strerror}.") from error

    def _assign(self) -> None:
        while self._idle:
            if self._waiting:
                number = self._waiting.popleft()
            elif self._suspects and not self._busy:
                number = self._suspects.popleft()
            else:
                return
            worker = self._idle.pop()
            self._busy[worker] = number
            worker.ask(number)

    def _bury(self, worker: Worker) -> Iterator[Result]:
        how = worker.wait()
        if worker in self._starting:
            self._failed_starts += 1
        self._starting.discard(worker)
        self._idle.discard(worker)
        number = self._busy.pop(worker, None)
        if number is None:
            return
        self._deaths[number] += 1
        if self._deaths[number] == _DEATHS:
            yield number, died(number, how)
        elif self._deaths[number] == _DEATHS - 1:
            self._suspects.append(number)
        else:
            self._waiting.append(number)
