"""Explanations on demand: a few workers that keep the texts of whatever is being read, and a small cache."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from contextlib import suppress

from metaphrase.errors import InputError
from metaphrase.serve.limits import MEGABYTE, Limits
from metaphrase.serve.problems import not_found, out_of_time
from metaphrase.serve.processes import Worker
from metaphrase.serve.store import EvaluationStore

#: Evaluations whose texts and metrics are kept loaded, and for how many seconds after the last question.
_WORKERS = 2
_IDLE_SECONDS = 120.0
_CACHE_BYTES = 16 * MEGABYTE

Key = tuple[str, int, int, int]


class _Explainer:
    """The worker of one evaluation; one question at a time."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.lock = asyncio.Lock()
        self.users = 0
        self.ended = False
        self.worker: Worker | None = None
        self.idle: asyncio.TimerHandle | None = None


class Explainers:
    """Answers from the cache, or asks the worker of the evaluation."""

    def __init__(self, store: EvaluationStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._cache: OrderedDict[Key, bytes] = OrderedDict()
        self._bytes = 0
        self._explainers: OrderedDict[str, _Explainer] = OrderedDict()
        self._room = asyncio.Condition()
        self._endings: set[asyncio.Task[None]] = set()

    async def explanation(self, id: str, metric: int, system: int, segment: int) -> bytes:
        """The JSON of what the metric says about the segment of the system, all by their positions."""
        shape = await asyncio.to_thread(self._store.shape, id)
        if any(
            not 0 <= place < size
            for place, size in zip((metric, system, segment), shape, strict=True)
        ):
            raise InputError("MP605", "there is no such metric, system or segment.")
        key = (id, metric, system, segment)
        if key in self._cache:
            return self._cached(key)
        explainer = await self._take(id)
        try:
            async with explainer.lock:
                if key not in self._cache:
                    self._remember(key, await self._ask(explainer, [metric, system, segment]))
                return self._cached(key)
        finally:
            await self._give_back(explainer)

    async def forget(self, id: str) -> None:
        """End the worker of an evaluation, and drop its explanations."""
        for key in [key for key in self._cache if key[0] == id]:
            self._bytes -= len(self._cache.pop(key))
        if (explainer := self._explainers.get(id)) is not None:
            await self._end(explainer)

    async def close(self) -> None:
        """End all workers."""
        for explainer in list(self._explainers.values()):
            await self._end(explainer)
        await asyncio.gather(*self._endings, return_exceptions=True)

    async def _take(self, id: str) -> _Explainer:
        """The worker of the evaluation; the one that nobody has used for longest makes room for it."""
        async with self._room:
            while id not in self._explainers and len(self._explainers) >= _WORKERS:
                unused = [e for e in self._explainers.values() if e.users == 0]
                if unused:
                    await self._end(unused[0])
                else:
                    await self._room.wait()
            explainer = self._explainers.setdefault(id, _Explainer(id))
            self._explainers.move_to_end(id)
            explainer.users += 1
            if explainer.idle is not None:
                explainer.idle.cancel()
        return explainer

    async def _give_back(self, explainer: _Explainer) -> None:
        explainer.users -= 1
        if explainer.users == 0:
            loop = asyncio.get_running_loop()
            explainer.idle = loop.call_later(_IDLE_SECONDS, self._end_idle, explainer)
        async with self._room:
            self._room.notify_all()

    async def _ask(self, explainer: _Explainer, cell: list[int]) -> bytes:
        try:
            return await asyncio.wait_for(
                self._answer(explainer, cell), self._limits.explanation_seconds
            )
        except asyncio.TimeoutError:
            await self._kill(explainer)
            raise out_of_time("the explanation", self._limits.explanation_seconds) from None
        except BaseException:
            # What it may still say would be taken for the answer to the next question.
            await self._kill(explainer)
            raise

    async def _answer(self, explainer: _Explainer, cell: list[int]) -> bytes:
        if explainer.worker is None:
            _check_not_ended(explainer)
            folder = self._store.path(explainer.id)
            explainer.worker = await Worker.start("explain", folder, self._limits)
            _check_not_ended(explainer)
            while "ready" not in await explainer.worker.read():
                pass
        await explainer.worker.write(cell)
        record = await explainer.worker.read()
        return json.dumps(record["explanation"], ensure_ascii=False).encode()

    def _cached(self, key: Key) -> bytes:
        self._cache.move_to_end(key)
        return self._cache[key]

    def _remember(self, key: Key, explanation: bytes) -> None:
        self._cache[key] = explanation
        self._bytes += len(explanation)
        while self._bytes > _CACHE_BYTES and len(self._cache) > 1:
            self._bytes -= len(self._cache.popitem(last=False)[1])

    def _end_idle(self, explainer: _Explainer) -> None:
        ending = asyncio.ensure_future(self._end_unused(explainer))
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)

    async def _end_unused(self, explainer: _Explainer) -> None:
        if explainer.users == 0:
            await self._end(explainer)

    async def _end(self, explainer: _Explainer) -> None:
        explainer.ended = True
        if explainer.idle is not None:
            explainer.idle.cancel()
        if self._explainers.get(explainer.id) is explainer:
            del self._explainers[explainer.id]
        await self._kill(explainer)

    async def _kill(self, explainer: _Explainer) -> None:
        worker, explainer.worker = explainer.worker, None
        if worker is not None:
            with suppress(asyncio.CancelledError):
                await asyncio.shield(worker.kill())


def _check_not_ended(explainer: _Explainer) -> None:
    """Whoever waited for the worker of an evaluation that is deleted now must not start another."""
    if explainer.ended:
        raise not_found("such evaluation")
