"""Workers as the server sees them: started, listened to, and killed when their time is over."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from metaphrase.errors import MetaphraseError, ResourceError
from metaphrase.serve.limits import MEGABYTE, Limits
from metaphrase.serve.problems import from_record, out_of_time
from metaphrase.serve.worker import out_of_memory

#: The path is that of the server, and never the folder in which it runs: that may hold somebody's files.
_START = (
    "import sys; sys.path[:] = sys.argv[4:]; "
    "from metaphrase.serve.worker import main; main(*sys.argv[1:4])"
)
#: Bytes of the longest line, that is, of the largest explanation.
_LONGEST_LINE = 64 * MEGABYTE


class Worker:
    """One process. It must be killed in the end, whatever happens."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, task: str, folder: Path, limits: Limits) -> Worker:
        """Begin a ``task`` of the evaluation in ``folder``."""
        options = {
            "segments": limits.segments,
            "megabytes": limits.megabytes,
            "worker_megabytes": limits.worker_megabytes,
            "threads": limits.threads,
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _START,
            task,
            str(folder.resolve()),
            json.dumps(options),
            *(os.path.abspath(place) for place in sys.path if place),  # noqa: PTH100
            stdin=PIPE,
            stdout=PIPE,
            stderr=None if os.environ.get("METAPHRASE_DEBUG") else DEVNULL,
            limit=_LONGEST_LINE,
            # What stops the server from the keyboard is for the server to pass on.
            start_new_session=os.name == "posix",
        )
        return cls(process)

    async def read(self) -> dict[str, Any]:
        """The next line; an error that it tells, or that it has died, is raised."""
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            raise ResourceError("MP833", "a worker said more than can be kept.") from None
        if not line.endswith(b"\n"):
            raise await self._died()
        record: dict[str, Any] = json.loads(line)
        if "error" in record:
            raise from_record(record["error"])
        return record

    async def write(self, value: object) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        with suppress(ConnectionError):  # reading will say that it has died
            self._process.stdin.write(json.dumps(value).encode() + b"\n")
            await self._process.stdin.drain()

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.returncode is None

    async def kill(self) -> None:
        """End it at once, if it has not ended."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self.alive:
            with suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()

    async def _died(self) -> MetaphraseError:
        code = await self._process.wait()
        # The system ends whoever takes the last of its memory; a failed allocation in the core aborts.
        if os.name == "posix" and code in (-signal.SIGKILL, -signal.SIGABRT):
            return out_of_memory()
        return ResourceError(
            "MP833",
            f"the worker of this evaluation ended unexpectedly ({code}).",
            hint="Try again; if it happens again, please report it.",
        )


@asynccontextmanager
async def _working(task: str, folder: Path, limits: Limits) -> AsyncIterator[Worker]:
    worker = await Worker.start(task, folder, limits)
    try:
        yield worker
    finally:
        # A second cancellation must not leave the process behind.
        await asyncio.shield(worker.kill())


async def run_task(
    task: str, folder: Path, limits: Limits, seen: Callable[[dict[str, Any]], None]
) -> None:
    """Have ``task`` done within the time limit; ``seen`` is told how far it is."""
    async with _working(task, folder, limits) as worker:
        try:
            await asyncio.wait_for(_until_finished(worker, seen), limits.seconds)
        except asyncio.TimeoutError:
            raise out_of_time("the evaluation", limits.seconds) from None


async def _until_finished(worker: Worker, seen: Callable[[dict[str, Any]], None]) -> None:
    while "finished" not in (record := await worker.read()):
        seen(record)


async def ask_refusal(
    metrics: Sequence[str], lang: str, folder: Path, limits: Limits
) -> dict[str, Any] | None:
    """The error, if metrics cannot be had; like the offer, found out where memory does not matter."""
    async with _working("check", folder, limits) as worker:
        await worker.write({"metrics": metrics, "lang": lang})
        answer = await asyncio.wait_for(worker.read(), limits.explanation_seconds)
        refusal: dict[str, Any] | None = answer["refusal"]
        return refusal


async def ask_offer(folder: Path, limits: Limits) -> list[dict[str, Any]]:
    """The metrics that can be chosen; finding out takes memory that the server itself does not need."""
    async with _working("offer", folder, limits) as worker:
        metrics: list[dict[str, Any]] = (await worker.read())["metrics"]
        return metrics
