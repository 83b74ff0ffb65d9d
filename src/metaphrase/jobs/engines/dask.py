"""A Dask cluster: one that is there, or one of this machine's processes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from secrets import token_hex
from time import monotonic
from typing import Any

from metaphrase.jobs.engines.engine import Caught, Result, died, lost, package
from metaphrase.threads import check_threads

#: Seconds between looks at a cluster that says nothing, and how long one of our own may be without a worker.
_LOOK = 5.0
_PATIENCE = 60.0
#: The first for all, the others for those whose workers died, one at a time.
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Dask:
    """The cluster whose scheduler is at ``address``, or else ``workers`` processes of this machine."""

    address: str | None = None
    workers: int | None = None

    def map(
        self, function: Callable[[int], int], numbers: Sequence[int]
    ) -> Generator[Result, None, None]:
        """See :class:`Engine`. Dask itself gives what a dead worker had to another one."""
        distributed = package("distributed", "dask")
        if not numbers:
            return
        with ExitStack() as closing:
            address = self.address or self._cluster(distributed, closing, len(numbers))
            try:
                client = distributed.Client(address, set_as_default=False)
            except (OSError, ValueError) as error:
                raise lost(f"there is no Dask scheduler at {address}: {error}.") from error
            closing.enter_context(client)
            connection = _Connection(distributed, client, function, is_ours=self.address is None)
            rest, most = list(numbers), None
            for _ in range(_ROUNDS):
                suspects = []
                for number, result in connection.results(rest, most):
                    if isinstance(result, distributed.KilledWorker):
                        # Or another number did it, which the same worker had.
                        suspects.append(number)
                    else:
                        yield number, result
                rest, most = suspects, 1
            for number in rest:
                yield number, died(number)

    def _cluster(self, distributed: Any, closing: ExitStack, numbers: int) -> Any:
        config = package("dask", "dask").config
        try:
            # Whoever dies is a suspect at once, and tried again by us.
            with config.set({"distributed.scheduler.allowed-failures": 0}):
                cluster = distributed.LocalCluster(
                    n_workers=min(check_threads(self.workers), numbers),
                    threads_per_worker=1,
                    processes=True,
                    # Nothing of ours is in Dask's memory, and a metric may need more than its part of all.
                    memory_limit=0,
                    dashboard_address=None,
                )
        except RuntimeError as error:
            raise lost(
                f"Dask's workers do not start ({error}); where a script starts them, it must do so under "
                'if __name__ == "__main__".'
            ) from error
        return closing.enter_context(cluster)


class _Connection:
    """A client, and what it has been asked."""

    def __init__(
        self, distributed: Any, client: Any, function: Callable[[int], int], *, is_ours: bool
    ) -> None:
        self._cancelled = distributed.CancelledError
        self._killed = distributed.KilledWorker
        self._client = client
        self._call = Caught(function)
        self._is_ours = is_ours
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._asked: dict[Any, int] = {}

    def results(self, numbers: Sequence[int], most: int | None = None) -> Iterator[tuple[int, Any]]:
        """Results, or errors of Dask; ``most`` numbers at a time, or two for each thread of the cluster."""
        waiting = iter(numbers)
        try:
            while True:
                # Workers come and go.
                room = (most or max(2, 2 * self._threads())) - len(self._asked)
                for number in islice(waiting, max(room, 0)):
                    self._ask(number)
                if not self._asked:
                    return
                future = self._next()
                number = self._asked.pop(future)
                yield number, self._result(future)
        finally:
            if self._asked and self._client.status == "running":
                self._client.cancel(list(self._asked))
            self._asked.clear()

    def _ask(self, number: int) -> None:
        key = f"metaphrase-{token_hex(4)}-{number}"
        future = self._client.submit(self._call, number, key=key, pure=False)
        self._asked[future] = number
        future.add_done_callback(self._done.put)

    def _next(self) -> Any:
        """What is done next, unless nobody is left to do it."""
        seen = monotonic()
        while True:
            try:
                return self._done.get(timeout=_LOOK)
            except Empty:
                if self._threads() or not self._is_ours:
                    seen = monotonic()
                elif monotonic() - seen > _PATIENCE:
                    raise lost("all workers of Dask have died, and none comes back.") from None

    def _threads(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except (OSError, RuntimeError, self._cancelled) as error:
            raise self._gone() from error

    def _result(self, future: Any) -> Any:
        try:
            error = future.exception()
            return future.result() if error is None else error
        except self._killed as error:  # its result went with its worker, and another try, too
            return error
        except (OSError, RuntimeError, self._cancelled) as error:
            raise self._gone() from error

    def _gone(self) -> Exception:
        return lost(f"the Dask scheduler at {self._client.scheduler.address} is gone.")
