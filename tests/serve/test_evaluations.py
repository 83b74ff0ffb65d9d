"""Evaluations whose workers fail, or are deleted while somebody asks about them."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import MetaphraseError
from metaphrase.serve import evaluations as module
from metaphrase.serve import explaining
from metaphrase.serve.evaluation_request import EvaluationRequest, SentFile
from metaphrase.serve.evaluations import Evaluations
from metaphrase.serve.explaining import Explainers
from metaphrase.serve.limits import Limits
from metaphrase.serve.problems import coded, status_of
from metaphrase.serve.store import EvaluationStore

SUBMISSION = EvaluationRequest(
    "title", "en", ("chrf",), (SentFile("r.txt", b"a\n"),), (SentFile("s.txt", b"b\n"),)
)
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def half_written(folder: Path) -> None:
    """What a worker leaves behind that could not finish."""
    (folder / ".results").mkdir()
    (folder / ".results" / "blocks").write_bytes(b"half")
    (folder / f".metaphrase-{'0' * 16}.tmp").write_bytes(b"half")


async def failing(task: str, folder: Path, *_: object) -> None:
    half_written(folder)
    raise coded(FULL)


async def endless(task: str, folder: Path, *_: object) -> None:
    half_written(folder)
    await asyncio.Event().wait()


@pytest.fixture
def store(tmp_path: Path) -> EvaluationStore:
    return EvaluationStore(tmp_path / "store")


def after(
    store: EvaluationStore, do: Callable[[Evaluations, str], Awaitable[None]]
) -> dict[str, Any]:
    """The status of an evaluation of which its worker has begun, after ``do``."""

    async def run() -> dict[str, Any]:
        evaluations = Evaluations(store, Limits())
        id = await evaluations.submit(SUBMISSION)
        while evaluations.status(id)["state"] == "queued":
            await asyncio.sleep(0)
        await do(evaluations, id)
        status = evaluations.status(id)
        await evaluations.close()
        store.close()
        assert not list(store.path(id).glob(".*"))
        return status

    return asyncio.run(run())


def test_a_full_disk_is_told_and_what_is_half_written_goes(
    store: EvaluationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait(evaluations: Evaluations, id: str) -> None:
        while evaluations.status(id)["state"] == "running":
            await asyncio.sleep(0)

    monkeypatch.setattr(module, "run_task", failing)
    status = after(store, wait)
    assert (status["state"], status["error"]["code"]) == ("failed", "MP822")


def test_one_that_is_cancelled_leaves_nothing_half_written(
    store: EvaluationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "run_task", endless)
    assert after(store, Evaluations.remove)["state"] == "cancelled"


def test_nor_does_one_that_is_stopped_with_the_server(
    store: EvaluationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def close(evaluations: Evaluations, id: str) -> None:
        await evaluations.close()

    monkeypatch.setattr(module, "run_task", endless)
    assert after(store, close)["error"]["code"] == "MP834"


def test_a_full_disk_has_its_code_wherever_it_is_found(tmp_path: Path) -> None:
    with pytest.raises(MetaphraseError) as caught, atomic_writer(tmp_path / "report.html"):
        raise FULL
    for error in (FULL, caught.value):
        found = coded(error)
        assert (found.code, status_of(found), found.path) == ("MP822", 507, None)
    for unusable in (errno.EIO, errno.EROFS, errno.EACCES):
        assert coded(OSError(unusable, "x")).code == "MP822"
    assert coded(OSError(errno.ENOENT, "x")).code == "MP699"


def test_nobody_starts_a_worker_for_an_evaluation_that_is_deleted(
    store: EvaluationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []

    class Mute:
        """A worker that says nothing until it is killed."""

        def __init__(self) -> None:
            self._dead = asyncio.Event()

        @classmethod
        async def start(cls, task: str, *_: object) -> Mute:
            started.append(task)
            return cls()

        async def read(self) -> dict[str, Any]:
            await self._dead.wait()
            raise MetaphraseError("MP832", "killed.")

        async def kill(self) -> None:
            self._dead.set()

    async def run() -> list[str | BaseException]:
        explainers = Explainers(store, Limits())
        asked = [asyncio.create_task(explainers.explanation("id", 0, 0, n)) for n in range(3)]
        while not started:
            await asyncio.sleep(0.01)
        await explainers.forget("id")
        answers = await asyncio.gather(*asked, return_exceptions=True)
        await explainers.close()
        return [getattr(answer, "code", answer) for answer in answers]

    monkeypatch.setattr(store, "shape", lambda id: (1, 1, 3), raising=False)
    monkeypatch.setattr(explaining, "Worker", Mute)
    assert asyncio.run(run()) == ["MP832", "MP829", "MP829"]
    assert started == ["explain"]
    store.close()
