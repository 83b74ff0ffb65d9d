"""The server as users start it: in a process of its own, on loopback, stopped and killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from metaphrase.cli import main
from serve.requests import EXAMPLES, ended, evaluated, example, work

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


def workers_of(process: int) -> list[int]:
    """The children of a process, where the system shows them."""
    children = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in children.read_text().split()] if children.exists() else []


def test_twenty_evaluations_at_once_all_end_with_the_numbers_of_the_command_line(
    live: Callable[..., Any], tmp_path: Path
) -> None:
    server = live("--workers", "2")

    def evaluate(number: int) -> tuple[int, bytes]:
        with server.client as client:
            pair = [example("system-a.txt"), example("system-b.txt")]
            id, status = evaluated(client, title=str(number), systems=pair[:: 1 - 2 * (number % 2)])
            assert status["state"] == "done", status
            return number % 2, client.get(f"/api/jobs/{id}/export?format=json").content

    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(evaluate, range(20)))
    expected = []
    for order in (["system-a.txt", "system-b.txt"], ["system-b.txt", "system-a.txt"]):
        files = [str(EXAMPLES / name) for name in order]
        arguments = ["score", str(EXAMPLES / "reference.txt"), "-i", *files, "-m", "chrf"]
        arguments += ["--level", "system", "segment", "--format", "json"]
        assert main([*arguments, "-o", str(tmp_path / "out")]) == 0
        expected.append((tmp_path / "out").read_bytes())
    assert len(results) == 20
    assert all(result == expected[kind] for kind, result in results)
    with server.client as client:
        assert len(client.get("/api/jobs").json()) == 20


@posix
def test_killing_the_server_loses_only_what_was_under_way(live: Callable[..., Any]) -> None:
    server = live("--workers", "1")
    with server.client as client:
        id, status = evaluated(client, title="kept")
        assert status["state"] == "done"
        before = client.get(f"/api/jobs/{id}/export?format=tsv").content
        under_way = [client.post("/api/jobs", json=work()).json()["id"] for _ in range(3)]
    workers = workers_of(server.process.pid)
    server.kill()
    again = live()
    with again.client as client:
        assert client.get(f"/api/jobs/{id}").json()["state"] == "done"
        assert client.get(f"/api/jobs/{id}/export?format=tsv").content == before
        explanation = f"/api/jobs/{id}/explanation?metric=0&system=0&segment=0"
        assert client.get(explanation).json()["metric"] == "chrf"
        for lost in under_way:
            status = client.get(f"/api/jobs/{lost}").json()
            assert (status["state"], status["error"]["code"]) == ("failed", "MP834")
        assert [job["title"] for job in client.get("/api/jobs").json()][-1] == "kept"
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline, "a worker has outlived the server"
        time.sleep(0.05)


@posix
def test_a_worker_that_is_killed_harms_nobody_else(live: Callable[..., Any]) -> None:
    server = live("--workers", "1")
    with server.client as client:
        first, second = (client.post("/api/jobs", json=work()).json()["id"] for _ in range(2))
        deadline = time.monotonic() + 20
        while not (workers := workers_of(server.process.pid)) and time.monotonic() < deadline:
            time.sleep(0.01)
        if not workers:
            pytest.skip("the system does not show the children of a process")
        os.kill(workers[0], signal.SIGKILL)
        status = ended(client, first)
        assert (status["state"], status["error"]["code"]) == ("failed", "MP832")
        assert ended(client, second)["state"] == "done"


@posix
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_when_it_is_asked_to(live: Callable[..., Any], how: int, tmp_path: Path) -> None:
    server = live("--workers", "1")
    with server.client as client:
        id = client.post("/api/jobs", json=work()).json()["id"]
    code, said = server.stop(how)
    assert code == 0
    assert "POST /api/jobs 202" in said
    assert "Traceback" not in said
    record = json.loads((tmp_path / "store" / "evaluations" / id / "record.json").read_text())
    assert (record["state"], record["error"]["code"]) == ("failed", "MP834")


@posix
def test_whoever_asks_twice_need_not_wait_and_sees_no_traceback(live: Callable[..., Any]) -> None:
    server = live()
    port = int(server.address.rstrip("/").rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        # A request that does not end, for which a server that is asked once would wait.
        connection.sendall(
            b"POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"
        )
        while server.process.poll() is None:
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
    assert "Traceback" not in server.stop()[1]


@posix
def test_without_a_store_nothing_stays(
    live: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    server = live("--store", "none")
    with server.client as client:
        assert evaluated(client)[1]["state"] == "done"
    assert any((tmp_path / "temporary").iterdir())
    assert server.stop()[0] == 0
    assert not any((tmp_path / "temporary").iterdir())
    assert not (tmp_path / "state").exists()


@posix
def test_what_a_killed_server_has_kept_for_a_while_goes_with_the_next(
    live: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    kept = temporary / "metaphrase-serve-which-somebody-asked-to-keep"
    for name in (kept, temporary / "metaphrase-serve-of-somebody-else"):
        name.mkdir(parents=True)
        (name / "mine").write_text("mine")
    monkeypatch.setenv("TMPDIR", str(temporary))
    before = set(temporary.iterdir())
    killed, running = live("--store", "none"), live("--store", "none")
    with killed.client as client:
        assert client.post("/api/jobs", json=work()).status_code == 202
    assert len(set(temporary.iterdir()) - before) == 2
    killed.kill()
    again = live("--store", "none")
    assert len(set(temporary.iterdir()) - before) == 2  # those that run
    with running.client as client:
        assert evaluated(client)[1]["state"] == "done"
    assert (again.stop()[0], running.stop()[0]) == (0, 0)
    assert set(temporary.iterdir()) == before
    assert (kept / "mine").exists()


def test_a_request_that_is_cut_off_is_forgotten(live: Callable[..., Any]) -> None:
    server = live()
    port = int(server.address.rstrip("/").rsplit(":", 1)[1])
    head = (
        f"POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall(f"{head}Content-Length: 1000\r\n\r\n{{".encode())
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall(b"\x16\x03\x01\x02\0nonsense\r\n\r\n")
        assert b"400" in line.recv(1000)
    with server.client as client:
        assert client.get("/api/jobs").json() == []


def test_a_port_that_is_taken_is_an_error(live: Callable[..., Any], tmp_path: Path) -> None:
    port = live().address.rstrip("/").rsplit(":", 1)[1]
    command = [sys.executable, "-m", "metaphrase", "serve", "--port", port, "--store", "none"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert "[MP821]" in done.stderr


@pytest.mark.parametrize("port", ["65536", "99999", "-1", "http"])
def test_what_is_no_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["serve", f"--port={port}", "--store", "none"])
    assert caught.value.code == 2
    assert "is not a port" in capsys.readouterr().err


def test_a_folder_that_is_not_a_store_is_refused_untouched(tmp_path: Path) -> None:
    for name in (".git", "experiment-2026-november"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.csv").write_text("mine")
    command = [sys.executable, "-m", "metaphrase", "serve", "--port", "0", "--store", "."]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
    )
    assert done.returncode == 3
    assert "[MP822]" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {".git", "experiment-2026-november"}
    assert len(list(tmp_path.glob("*/results.csv"))) == 2


def test_deleting_what_others_are_reading_is_no_failure_of_ours(live: Callable[..., Any]) -> None:
    server = live("--workers", "1")

    def status(path: str) -> tuple[int, str]:
        with server.client as client:
            answer = client.get(path)
            return answer.status_code, answer.json()["error"]["code"]

    for question in ("export?format=html", "explanation?metric=0&system=0&segment="):
        with server.client as client:
            id, _ = evaluated(client, metrics=["cobalt"])
            asked = [
                f"/api/jobs/{id}/{question}" + (str(n) if question.endswith("=") else "")
                for n in range(4)
            ]
            with ThreadPoolExecutor(4) as pool:
                answers = pool.map(status, asked)
                time.sleep(0.3)
                assert client.delete(f"/api/jobs/{id}").status_code == 204
                assert set(answers) == {(404, "MP829")}
    _, said = server.stop()
    assert "Traceback" not in said


def test_a_token_of_the_environment_is_asked_for_and_never_said(
    live: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METAPHRASE_TOKEN", "Geheimnis")
    server = live("--allow-host", "metrics.example")
    with server.client as client:
        assert client.get("/").status_code == 200
        assert client.post("/api/jobs", json=work()).status_code == 401
        client.headers["Authorization"] = "Bearer Geheimnis"
        client.headers["Host"] = "metrics.example"
        id, status = evaluated(client)
        assert status["state"] == "done"
        assert client.delete(f"/api/jobs/{id}").status_code == 204
    _, said = server.stop()
    assert " 401 " in said
    assert "Geheimnis" not in said
