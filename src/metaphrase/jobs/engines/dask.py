"""A Dask cluster: one that is there, or one of this machine's processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import Any

from metaphrase.errors import ResourceError
from metaphrase.jobs.engines.engine import Caught, died, lost, package
from metaphrase.threads import check_threads


@dataclass(frozen=True, slots=True)
class Dask:
    """The cluster whose scheduler is at ``address``, or else ``workers`` processes of this machine."""

    address: str | None = None
    workers: int | None = None

    def map(
        self, function: Callable[[int], int], numbers: Sequence[int]
    ) -> Iterator[tuple[int, int | BaseException]]:
        """See :class:`Engine`. Dask itself gives what a dead worker had to another one."""
        distributed = package("distributed", "dask")
        if not numbers:
            return
        with ExitStack() as closing:
            client = self._client(distributed, closing, len(numbers))
            call, suspects = Caught(function), []
            for number, result in _results(distributed, client, call, numbers, None):
                if isinstance(result, distributed.KilledWorker):
                    # Or another number did it, that the same worker had.
                    suspects.append(number)
                else:
                    yield number, result
            for number, result in _results(distributed, client, call, suspects, 1):
                killed = isinstance(result, distributed.KilledWorker)
                yield number, died(number) if killed else result

    def _client(self, distributed: Any, closing: ExitStack, numbers: int) -> Any:
        address: Any = self.address
        if address is None:
            address = closing.enter_context(
                distributed.LocalCluster(
                    n_workers=min(check_threads(self.workers, "MP519"), numbers),
                    threads_per_worker=1,
                    processes=True,
                    # Nothing of ours is in Dask's memory, and a metric may need more than its part of this
                    # machine's.
                    memory_limit=0,
                    dashboard_address=None,
                )
            )
        try:
            return closing.enter_context(distributed.Client(address, set_as_default=False))
        except (OSError, ValueError) as error:
            raise lost(f"there is no Dask scheduler at {address}: {error}.") from error


def _results(
    distributed: Any, client: Any, call: Caught, numbers: Sequence[int], most: int | None
) -> Iterator[tuple[int, Any]]:
    """Results, or the errors of Dask; at most ``most`` numbers, or two for each thread, are on their way."""
    waiting = iter(numbers)
    asked: dict[str, int] = {}

    def ask(count: int) -> list[Any]:
        futures = []
        for number in islice(waiting, max(count, 0)):
            future = client.submit(call, number, pure=False)
            asked[future.key] = number
            futures.append(future)
        return futures

    def room() -> int:
        # Workers come and go.
        return (most or max(2, 2 * sum(client.nthreads().values()))) - len(asked)

    running = distributed.as_completed(ask(room()), loop=client.loop)
    try:
        for future in running:
            number = asked.pop(future.key)
            if future.status not in ("finished", "error"):
                raise _gone(client)
            yield number, future.exception() or future.result()
            for following in ask(room()):
                running.add(following)
    except (distributed.FutureCancelledError, OSError, RuntimeError) as error:
        raise _gone(client) from error
    finally:
        client.cancel(list(running.futures))


def _gone(client: Any) -> ResourceError:
    return lost(f"the Dask scheduler at {client.scheduler.address} is gone.")
