"""Clusters of two workers on this machine, as somebody would start them from a shell."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jobs.troubled_jobs import until


@dataclass(frozen=True)
class Cluster:
    """How to reach it from a shell, and the process without which there is no cluster."""

    engine: str
    address: str
    head: int
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


@contextmanager
def dask_cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory() as name, _processes() as started:
        file = Path(name, "scheduler.json")
        common = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard"]
        modules = [["dask_scheduler", "--port", "0"]]
        modules += [["dask_worker", "--nthreads", "1", "--local-directory", name]] * 2
        for module, *options in modules:
            command = [sys.executable, "-m", f"distributed.cli.{module}", *options, *common]
            started.append(subprocess.Popen(command, stdout=-3, stderr=-3))
        until(lambda: file.exists() and file.read_text())
        yield Cluster("dask", json.loads(file.read_text())["address"], started[0].pid)


@contextmanager
def ray_cluster() -> Iterator[Cluster]:
    import psutil

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = with_token() | {"RAY_gcs_rpc_server_reconnect_timeout_s": "1"}
    # A short name, since there are sockets in it.
    folder = tempfile.mkdtemp(prefix="ray")
    command = f"start --head --block --port {port} --num-cpus 2 --include-dashboard=false"
    command += f" --node-ip-address 127.0.0.1 --disable-usage-stats --temp-dir {folder}"
    program = [sys.executable, "-m", "ray.scripts.scripts", *command.split()]
    with _temporary(folder), _processes() as started:
        options: dict[str, Any] = {"env": environment, "start_new_session": True}
        process = subprocess.Popen(program, stdout=-3, stderr=-3, **options)
        started.append(process)
        head = psutil.Process(process.pid)
        until(lambda: any(child.name() == "raylet" for child in head.children()))
        store = next(child.pid for child in head.children() if child.name() == "gcs_server")
        yield Cluster("ray", f"127.0.0.1:{port}", store, environment)


def with_token() -> dict[str, str]:
    """An environment in which Ray asks for a token of this test, and leaves the user's alone."""
    return os.environ | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}


CLUSTERS = {"dask": dask_cluster, "ray": ray_cluster}


@contextmanager
def _temporary(folder: str) -> Iterator[None]:
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes to be ended, with all that they have started, and with orphans of their sessions."""
    import psutil

    started: list[subprocess.Popen[bytes]] = []
    try:
        yield started
    finally:
        for process in started:
            ours = []
            for other in psutil.process_iter():
                with suppress(OSError):
                    if os.getsid(other.pid) == process.pid:
                        ours.append(other)
            with suppress(psutil.NoSuchProcess):
                ours += psutil.Process(process.pid).children(recursive=True)
            process.kill()
            for other in ours:
                with suppress(psutil.NoSuchProcess):
                    other.kill()
            process.wait()
