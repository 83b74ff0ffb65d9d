"""All evaluations of a server: those that wait, those that run, those that are done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metaphrase.errors import InputError, MetaphraseError
from metaphrase.serve.evaluation_request import EvaluationRequest
from metaphrase.serve.explaining import Explainers
from metaphrase.serve.limits import Limits
from metaphrase.serve.problems import coded, not_found, to_record
from metaphrase.serve.processes import run_task
from metaphrase.serve.store import UNFINISHED, EvaluationStore, Record, stopped

#: Reports that are made at a time beside the evaluations.
_REPORTS = 1


@dataclass(slots=True)
class _Entry:
    """An evaluation in memory; ``task`` is there until it has ended."""

    record: Record
    stage: str | None = None
    done: int = 0
    total: int | None = None
    task: asyncio.Task[None] | None = None


class Evaluations:
    """Takes evaluations on, as many as the limits allow, and remembers them."""

    def __init__(self, store: EvaluationStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._entries: dict[str, _Entry] = {}
        self._reports: dict[str, asyncio.Task[None]] = {}
        self._workers = asyncio.Semaphore(limits.workers)
        self._report_makers = asyncio.Semaphore(_REPORTS)
        self._explainers = Explainers(store, limits)

    def open(self) -> None:
        """Take up what an earlier server has left."""
        for record in self._store.recover():
            self._entries[record.id] = _Entry(record)

    async def close(self) -> None:
        """Stop whatever runs; it is marked as stopped."""
        tasks = [entry.task for entry in self._entries.values() if entry.task is not None]
        tasks += self._reports.values()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._explainers.close()
        for entry in self._entries.values():
            if entry.record.state in UNFINISHED:
                self._end(entry, "failed", stopped())

    def check_room(self) -> None:
        """Refuse another evaluation while too many wait."""
        if sum(entry.task is not None for entry in self._entries.values()) >= self._limits.queue:
            raise InputError(
                "MP828",
                f"{self._limits.queue} evaluations are waiting already.",
                hint="Try again in a minute.",
            )

    async def submit(self, request: EvaluationRequest) -> str:
        """Keep the files and put the evaluation into the queue."""
        self.check_room()
        record = await asyncio.to_thread(self._store.create, request)
        entry = _Entry(record)
        self._entries[record.id] = entry
        entry.task = asyncio.create_task(self._evaluate(entry))
        return record.id

    def listed(self) -> list[dict[str, Any]]:
        """Every evaluation, newest first."""
        return [
            {name: getattr(entry.record, name) for name in ("id", "title", "state", "created")}
            for entry in reversed(self._entries.values())
        ]

    def status(self, id: str) -> dict[str, Any]:
        """How far an evaluation is."""
        entry = self._entry(id)
        record = entry.record
        return {
            "id": record.id,
            "title": record.title,
            "created": record.created,
            "state": record.state,
            "stage": entry.stage,
            "done": entry.done,
            "total": entry.total,
            "error": record.error,
        }

    async def remove(self, id: str) -> None:
        """Cancel an evaluation that has not ended; delete one that has."""
        entry = self._entry(id)
        if entry.task is not None:
            task = entry.task
            task.cancel()
            await asyncio.wait([task])
            entry.task = None  # one that had not begun could not say so itself
            if entry.record.state in UNFINISHED:
                self._end(entry, "cancelled")
            return
        del self._entries[id]
        if (report := self._reports.pop(id, None)) is not None:
            report.cancel()
            await asyncio.wait([report])
        await self._explainers.forget(id)
        try:
            await asyncio.to_thread(self._store.delete, id)
        except MetaphraseError:
            kept = [*self._entries.items(), (id, entry)]
            self._entries = dict(sorted(kept, key=lambda item: item[1].record.created))
            raise

    def result(self, id: str, name: str) -> Path:
        """A file of the results of an evaluation that is done."""
        self._check_done(id)
        return self._store.result(id, name)

    async def block(self, id: str, name: str) -> bytes:
        """A block of its report."""
        self._check_done(id)
        with self._unless_deleted(id):
            return await asyncio.to_thread(self._store.block, id, name)

    async def explanation(self, id: str, metric: int, system: int, segment: int) -> bytes:
        """The JSON of an explanation."""
        self._check_done(id)
        with self._unless_deleted(id):
            return await self._explainers.explanation(id, metric, system, segment)

    async def report(self, id: str) -> Path:
        """Its self-contained report, which is made when somebody asks for it first."""
        self._check_done(id)
        path = self._store.report(id)
        if not path.exists():
            # Whoever asks while it is being made waits for the same one.
            if id not in self._reports:
                self._reports[id] = asyncio.create_task(self._make_report(id))
            making = self._reports[id]
            try:
                with self._unless_deleted(id):
                    await asyncio.shield(making)
            except asyncio.CancelledError:
                if making.cancelled():
                    raise not_found("such evaluation") from None
                raise
        return path

    async def _make_report(self, id: str) -> None:
        try:
            async with self._report_makers:
                await self._run("report", id, lambda _: None)
        finally:
            self._reports.pop(id, None)

    async def _run(self, task: str, id: str, seen: Callable[[dict[str, Any]], None]) -> None:
        try:
            await run_task(task, self._store.path(id), self._limits, seen)
        finally:
            # What is half written would only take up room, which a full disk needs for the record.
            self._store.clean(id)

    async def _evaluate(self, entry: _Entry) -> None:
        def seen(record: dict[str, Any]) -> None:
            entry.stage, entry.done, entry.total = record["stage"], record["done"], record["total"]

        try:
            async with self._workers:
                entry.record.state = "running"
                await self._run("evaluate", entry.record.id, seen)
            self._end(entry, "done")
        except asyncio.CancelledError:
            pass  # whoever cancelled it says why
        except Exception as error:
            self._end(entry, "failed", coded(error))
        finally:
            entry.task = None
        await self._forget_surplus()

    def _end(self, entry: _Entry, state: str, error: MetaphraseError | None = None) -> None:
        entry.record.state = state
        entry.record.error = None if error is None else to_record(error)
        # A store that cannot be written any more (the disk is full) is no reason to forget the result.
        with suppress(MetaphraseError):
            self._store.update(entry.record)

    async def _forget_surplus(self) -> None:
        ended = [e.record for e in reversed(self._entries.values()) if e.task is None]
        keep, megabytes = self._limits.keep, self._limits.keep_megabytes
        surplus = await asyncio.to_thread(lambda: list(self._store.surplus(ended, keep, megabytes)))
        for record in surplus:
            with suppress(MetaphraseError):
                await self.remove(record.id)

    @contextmanager
    def _unless_deleted(self, id: str) -> Iterator[None]:
        """Whatever fails because somebody has deleted the evaluation meanwhile: it is no longer there."""
        try:
            yield
        except Exception:  # its worker and its files may be gone at any point
            if id not in self._entries:
                raise not_found("such evaluation") from None
            raise

    def _entry(self, id: str) -> _Entry:
        if id not in self._entries:
            raise not_found("such evaluation")
        return self._entries[id]

    def _check_done(self, id: str) -> None:
        state = self._entry(id).record.state
        if state != "done":
            raise InputError("MP830", f"the evaluation is not done but {state}.", hint="Wait.")
