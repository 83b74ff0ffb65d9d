"""A server that is killed, starved or left alone while it evaluates: what it told of is there, nothing half.

The library of ``faulty_calls.c`` is loaded into a real server and its workers, which count together; a call
that kills may be that of either.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from faults.injection import Fault, litter, preloaded, spread
from faults.test_interrupted_outputs import DEADLY, FAULTS, tried
from serve.requests import ended, evaluated, sent, work
from serve.server_process import LiveServer, NotServingError, live_servers
from serve.test_live_server import workers_of

pytest.importorskip("starlette")

#: Faults of a server's calls: some in the suite, where a server takes seconds to start, or all that are not
#: about two commands in one folder.
SERVED = (
    [what for what in FAULTS if FAULTS[what][0] not in ("stop", "short", "interrupt")]
    if "METAPHRASE_FAULTS" in os.environ
    else ["killed", "killed within a write", "not permitted any more", "terminated"]
)
#: Moments of each fault that are not all even if all are asked for: each takes ten seconds.
MANY = 24
Start = Callable[..., LiveServer]


@dataclass
class Told:
    """What a client was told of each evaluation last, and the scores that it was given."""

    states: dict[str, str] = field(default_factory=dict)
    errors: list[dict[str, Any]] = field(default_factory=list)
    scores: dict[str, bytes] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)


@contextmanager
def starting(folder: Path, library: Path) -> Iterator[Start]:
    """Starts servers on one store, with a fault or without; the library counts calls in a file beside it."""
    counter = folder / "counter"
    with live_servers(folder) as live:

        def started(fault: Fault | None = None) -> LiveServer:
            counter.write_bytes(bytes(8))
            environment = preloaded(library, counter, folder / "store", fault or Fault())
            return live("--workers", "1", environment=environment)

        yield started


@pytest.fixture
def start(tmp_path: Path, library: Path) -> Iterator[Start]:
    with starting(tmp_path, library) as start:
        yield start


@pytest.fixture(scope="module")
def undisturbed(library: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, bytes]:
    """How many calls a server makes that is used, and the scores that it gives."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with starting(folder, library) as start:
        server = start()
        told = use(server)
        assert [*told.states.values()] == ["done", "being deleted"]
        assert server.stop()[0] == 0
    (scores,) = told.scores.values()
    return calls(folder), scores


def calls(folder: Path) -> int:
    (found,) = struct.unpack("q", (folder / "counter").read_bytes())
    return int(found)


def use(server: LiveServer) -> Told:
    """Send an evaluation, wait for its end and fetch its scores; send another one and delete it."""
    told = Told()
    with suppress(httpx.TransportError), server.client as client:
        for deletes in (False, True):
            answer = client.post("/api/jobs", json=work())
            if answer.status_code != 202:
                told.errors.append(answer.json()["error"])
                continue
            id = answer.json()["id"]
            told.states[id] = "queued"
            status = ended(client, id)
            told.states[id] = status["state"]
            if status["error"] is not None:
                told.errors.append(status["error"])
            if deletes:
                told.states[id] = "being deleted"
                answer = client.delete(f"/api/jobs/{id}")
                if answer.status_code == 204:
                    told.deleted.append(id)
                else:
                    told.errors.append(answer.json()["error"])
            elif status["state"] == "done":
                told.scores[id] = client.get(f"/api/jobs/{id}/export?format=tsv").content
    return told


def assert_whole(server: LiveServer, folder: Path, told: Told) -> None:
    """A server that has taken over the store has all that a client was told of, and nothing half."""
    with server.client as client:
        found = {job["id"]: job["state"] for job in client.get("/api/jobs").json()}
        assert set(found.values()) <= {"done", "failed"}
        for id, state in told.states.items():
            if id in told.deleted:
                assert id not in found
            elif state != "being deleted":
                assert found.get(id) in (["done"] if state == "done" else ["failed", "done"])
        for id, scores in told.scores.items():
            assert client.get(f"/api/jobs/{id}/export?format=tsv").content == scores
        kept = folder / "store" / "evaluations"
        assert sorted(path.name for path in kept.iterdir()) == sorted(found)
        for id in found:
            saved = json.loads((kept / id / "request.json").read_text("utf-8"))
            for name in (*saved["references"], *saved["systems"]):
                assert (kept / id / "files" / name).stat().st_size
        assert litter(folder / "store") == []


@pytest.mark.parametrize("what", SERVED)
def test_what_a_client_was_told_of_is_there_afterwards(
    start: Start, undisturbed: tuple[int, bytes], what: str, tmp_path: Path, most: int | None
) -> None:
    action, lasting = FAULTS[what]
    number, scores = undisturbed

    def survives(at: int) -> None:
        shutil.rmtree(tmp_path / "store", ignore_errors=True)
        try:
            server = start(Fault(at, action, lasting=lasting))
        except NotServingError as error:
            told = Told()
            if error.code >= 0 and "[MP822]" not in error.said:
                raise  # it has neither ended by a signal nor said why it cannot use the folder
        else:
            told = use(server)
            for error_of in told.errors:
                assert error_of["code"] in ("MP822", "MP832", "MP833", "MP834"), error_of
            try:
                with server.client as client:
                    assert client.get("/api/jobs").status_code == 200
                server.stop()
            except httpx.TransportError:
                # Only a signal may end it; asked to stop a second time, it would not put things in order.
                assert action in (*DEADLY, "terminate")
                server.process.wait(60)
            assert "Traceback" not in "".join(server.said)
        assert all(given == scores for given in told.scores.values())
        again = start()
        assert_whole(again, tmp_path, told)
        with again.client as client:
            assert evaluated(client)[1]["state"] == "done"
        assert again.stop()[0] == 0

    if most is None and what != "killed":
        most = MANY
    moments = 1 if "METAPHRASE_FAULTS" not in os.environ else most
    tried(survives, spread(number, moments, seed=len(what)))


def test_a_full_disk_is_told_and_room_is_used_when_there_is_some_again(
    start: Start, tmp_path: Path
) -> None:
    server = start()
    with server.client as client:
        id, status = evaluated(client)
        assert status["state"] == "done"
    begun = calls(tmp_path)
    assert server.stop()[0] == 0
    shutil.rmtree(tmp_path / "store")
    action, lasting = FAULTS["no space any more"]
    # While files are sent, and while the worker writes its results.
    for share in (0.25, 0.8):
        full = start(Fault(int(begun * share), action, lasting=lasting))
        with full.client as client:
            answer = client.post("/api/jobs", json=work())
            if answer.status_code == 202:
                status = ended(client, answer.json()["id"])
                assert (status["state"], status["error"]["code"]) == ("failed", "MP822"), status
            else:
                assert (answer.status_code, answer.json()["error"]["code"]) == (507, "MP822")
            # Somebody makes room: calls before the one of that number go well.
            (tmp_path / "counter").write_bytes(struct.pack("q", -(1 << 40)))
            id, status = evaluated(client)
            assert status["state"] == "done"
        assert full.stop()[0] == 0
    assert_whole(start(), tmp_path, Told({id: "done"}))


def long_work() -> dict[str, Any]:
    """An evaluation of a minute."""
    text = "".join(
        f"In the {n}th year of the old war the king sold {n} ships to his cousins .\n"
        for n in range(4000)
    )
    return work(
        metrics=["tesla-m", "cobalt", "ppda"],
        references=[sent("r.txt", text)],
        systems=[sent("s.txt", text)],
    )


def test_workers_end_with_a_server_that_is_asked_to_stop(start: Start, tmp_path: Path) -> None:
    server = start()
    with server.client as client:
        id = client.post("/api/jobs", json=long_work()).json()["id"]
        deadline = time.monotonic() + 60
        while client.get(f"/api/jobs/{id}").json()["stage"] is None:  # the worker has not begun
            assert time.monotonic() < deadline
            time.sleep(0.05)
        workers = workers_of(server.process.pid)
    assert workers
    code, said = server.stop(signal.SIGTERM)
    assert (code, "Traceback" in said) == (0, False)
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]
    again = start()
    assert_whole(again, tmp_path, Told({id: "failed"}))
    with again.client as client:
        assert client.get(f"/api/jobs/{id}").json()["error"]["code"] == "MP834"


def test_a_client_that_goes_away_leaves_nothing_half(start: Start, tmp_path: Path) -> None:
    server = start()
    port = int(server.address.rstrip("/").rsplit(":", 1)[1])
    body = json.dumps(work()).encode()
    head = (
        f"POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    )
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    # In the head, in the body, and without waiting for the answer.
    for size in (40, len(request) // 2, len(request) - 1, len(request)):
        go_away_after(port, request[:size], 0)
    with server.client as client:
        text = "".join(f"This is line {number} .\n" for number in range(20_000))
        id, status = evaluated(
            client, references=[sent("r.txt", text)], systems=[sent("s.txt", text)]
        )
        assert status["state"] == "done"
        question = f"/api/jobs/{id}/export?format=json"
        whole = client.get(question).content
        assert len(whole) > 1 << 20  # more than lies in the buffers of a connection
        for size in (1, 100, 5000):
            go_away_after(
                port, f"GET {question} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode(), size
            )
        assert client.get(question).content == whole
        listed = client.get("/api/jobs").json()
        # The request that was complete may have been taken on, the others were not.
        assert len(listed) <= 2
        told = Told({job["id"]: ended(client, job["id"])["state"] for job in listed})
    code, said = server.stop()
    assert (code, "Traceback" in said) == (0, False)
    assert_whole(start(), tmp_path, told)


def go_away_after(port: int, request: bytes, size: int) -> None:
    """Send something, read so many bytes of the answer, and break the connection off."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with line:
        line.settimeout(20)
        line.connect(("127.0.0.1", port))
        line.sendall(request)
        while size > 0:
            size -= len(line.recv(size))


def test_a_worker_that_is_killed_at_its_results_harms_nobody_else(
    start: Start, tmp_path: Path
) -> None:
    server = start()
    with server.client as client:
        ids = [client.post("/api/jobs", json=work()).json()["id"] for _ in range(2)]
        deadline = time.monotonic() + 60
        while not (workers := workers_of(server.process.pid)):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(workers[0], signal.SIGKILL)
        states = [ended(client, id)["state"] for id in ids]
    assert states == ["failed", "done"]
    server.kill()
    assert_whole(start(), tmp_path, Told(dict(zip(ids, states, strict=True))))
