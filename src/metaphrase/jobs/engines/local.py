"""Processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from metaphrase.errors import ResourceError
from metaphrase.threads import check_threads

#: So often a shard may take its process down with it.
_DEATHS = 3


@dataclass(frozen=True, slots=True)
class Local:
    """As many processes as there are cores, or as ``workers`` says; with one it is this process itself."""

    workers: int | None = None

    def map(
        self, function: Callable[[int], int], numbers: Sequence[int]
    ) -> Iterator[tuple[int, int | BaseException]]:
        """See :class:`Engine`. Whoever dies is replaced, and its number tried again a few times."""
        workers = min(check_threads(self.workers, "MP519"), len(numbers))
        if workers <= 1:
            for number in numbers:
                try:
                    yield number, function(number)
                except Exception as error:
                    yield number, error
            return
        waiting = dict.fromkeys(numbers, 0)
        while waiting:
            # After a death nobody knows whose fault it was: then one by one, if it happens again.
            careful = any(deaths > 1 for deaths in waiting.values())
            yield from self._round(function, waiting, 1 if careful else workers)
            for number in [n for n, deaths in waiting.items() if deaths >= _DEATHS]:
                del waiting[number]
                yield number, ResourceError("MP941", f"the process of shard {number} died each time.")

    @staticmethod
    def _round(
        function: Callable[[int], int], waiting: dict[int, int], workers: int
    ) -> Iterator[tuple[int, int | BaseException]]:
        """Take what can be done from ``waiting``, until all is done or a process dies."""
        # A fork would share threads' locks with us.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            futures = {pool.submit(function, number): number for number in waiting}
            try:
                for future in as_completed(futures):
                    number = futures[future]
                    error = future.exception()
                    if isinstance(error, BrokenProcessPool):
                        waiting[number] += 1
                    else:
                        del waiting[number]
                        yield number, error or future.result()
            finally:
                pool.shutdown(cancel_futures=True)
