"""A Ray cluster: one that is there, or one of this machine's processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from queue import SimpleQueue
from socket import create_connection
from threading import current_thread, main_thread
from typing import Any

from metaphrase.jobs.engines.engine import Caught, Result, died, lost, package
from metaphrase.threads import check_threads

#: So often a number may take its worker down with it.
_DEATHS = 3
#: Seconds to connect to a cluster.
_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Ray:
    """The cluster at ``address``, as ``ray.init`` takes it, or else ``workers`` processes of this machine.

    Where the program is connected already, that cluster is taken, and left as it is.
    """

    address: str | None = None
    workers: int | None = None

    def map(
        self, function: Callable[[int], int], numbers: Sequence[int]
    ) -> Generator[Result, None, None]:
        """See :class:`Engine`. Ray itself gives what a dead worker had to another one."""
        ray = package("ray", "ray")
        if not numbers:
            return
        with ExitStack() as closing:
            self._connect(ray, closing, len(numbers))
            remote = ray.remote(max_retries=_DEATHS - 1, num_cpus=1)(_call)
            call = ray.put(Caught(function))
            waiting = iter(numbers)
            asked: dict[Any, int] = {}
            # Not ray.wait, which forgets signals that come meanwhile.
            finished: SimpleQueue[Any] = SimpleQueue()
            try:
                while True:
                    # Machines come and go.
                    room = max(2, 2 * int(ray.cluster_resources().get("CPU", 0))) - len(asked)
                    for number in islice(waiting, max(room, 0)):
                        reference = remote.remote(call, number)
                        asked[reference] = number
                        reference.future().add_done_callback(partial(_put, finished, reference))
                    if not asked:
                        return
                    reference, future = finished.get()
                    number = asked.pop(reference)
                    yield number, _result(ray, future, number)
            except ConnectionError as error:
                raise lost(f"the Ray cluster is gone: {error}.") from error
            finally:
                for reference in asked:
                    ray.cancel(reference, force=True)

    def _connect(self, ray: Any, closing: ExitStack, numbers: int) -> None:
        if ray.is_initialized():
            return
        options: dict[str, Any] = {"address": self.address}
        if self.address is not None:
            _check(self.address)
        if self.address is None:
            # It would tell its makers about the machine.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            options = {
                "address": "local",
                "num_cpus": min(check_threads(self.workers), numbers),
                "include_dashboard": False,
                "_node_ip_address": "127.0.0.1",
            }
        try:
            with _own_signals():
                ray.init(**options, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, RuntimeError, ValueError) as error:
            where = "on this machine" if self.address is None else f"at {self.address}"
            raise lost(f"there is no Ray cluster {where}: {error}.") from error
        closing.callback(ray.shutdown)


@contextmanager
def _own_signals() -> Iterator[None]:
    """Leave it to us what SIGTERM means: Ray would end the program with a trace of the stack."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before is not None and current_thread() is main_thread():
            signal.signal(signal.SIGTERM, before)


def _check(address: str) -> None:
    """Raise an error where nobody listens: Ray itself would end the program, after a minute."""
    host, colon, port = address.rpartition(":")
    if not (colon and port.isdecimal()) or "/" in host:
        return
    try:
        create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise lost(f"there is no Ray cluster at {address}: {error}.") from error


def _call(call: Caught, number: int) -> int | Exception:
    return call(number)


def _put(finished: SimpleQueue[Any], reference: Any, future: Future[Any]) -> None:
    finished.put((reference, future))


def _result(ray: Any, future: Future[Any], number: int) -> int | BaseException:
    exceptions = ray.exceptions
    result: int | BaseException
    try:
        result = future.result()
    except (
        exceptions.WorkerCrashedError,
        exceptions.NodeDiedError,
        exceptions.OutOfMemoryError,
    ) as error:
        return died(number, type(error).__name__)
    except exceptions.RayError as error:
        # Among others, a worker that has no metaphrase.
        result = error
    return result
