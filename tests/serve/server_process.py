"""``metaphrase serve`` in a process of its own, on a port of loopback that is free."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import httpx


@dataclass
class LiveServer:
    """A server that answers at ``address``."""

    process: subprocess.Popen[str]
    address: str
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # Whoever does not listen to a program's output stops it in the end.
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            self.said.extend(stream)

    @property
    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=60, trust_env=False)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)
        self._listener.join(20)

    def stop(self, how: int = signal.SIGTERM) -> tuple[int, str]:
        """Ask it to stop; the exit code, and what it had said since its start."""
        self.process.send_signal(how)
        self.process.wait(30)
        self._listener.join(20)
        return self.process.returncode, "".join(self.said)


class NotServingError(AssertionError):
    """The process has ended before it served; what it said, and its exit code."""

    def __init__(self, said: str, code: int) -> None:
        super().__init__(f"{code}: {said}")
        self.said, self.code = said, code


@contextmanager
def live_servers(folder: Path) -> Iterator[Callable[..., LiveServer]]:
    """A function that starts servers in ``folder``; those that still run are killed in the end."""
    started: list[LiveServer] = []

    def start(*options: str, environment: Mapping[str, str] | None = None) -> LiveServer:
        command = [sys.executable, "-m", "metaphrase", "serve", "--port", "0"]
        if "--store" not in options:
            command += ["--store", str(folder / "store")]
        process = subprocess.Popen(
            [*command, *options],
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "XDG_STATE_HOME": str(folder / "state"), **(environment or {})},
        )
        assert process.stderr is not None
        line = process.stderr.readline()
        if "serving at" not in line:
            line += process.communicate(timeout=60)[1]
            raise NotServingError(line, process.returncode)
        server = LiveServer(process, line.split("serving at ")[1].split()[0])
        started.append(server)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                with server.client as client:
                    client.get("/api/jobs")
                return server
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    try:
        yield start
    finally:
        for server in started:
            server.kill()
