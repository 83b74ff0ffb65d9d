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
    environment = os.environ | {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_gcs_rpc_server_reconnect_timeout_s": "1",
    }
    # A short name, since there are sockets in it.
    folder = tempfile.mkdtemp(prefix="ray")
    command = f"start --head --block --port {port} --num-cpus 2 --include-dashboard=false"
    command += f" --node-ip-address 127.0.0.1 --disable-usage-stats --temp-dir {folder}"
    program = [sys.executable, "-m", "ray.scripts.scripts", *command.split()]
    with _processes() as started:
        process = subprocess.Popen(program, stdout=-3, stderr=-3, env=environment)
        started.append(process)
        head = psutil.Process(process.pid)
        until(lambda: any(child.name() == "raylet" for child in head.children()))
        store = next(child.pid for child in head.children() if child.name() == "gcs_server")
        yield Cluster("ray", f"127.0.0.1:{port}", store, environment)
    shutil.rmtree(folder, ignore_errors=True)


CLUSTERS = {"dask": dask_cluster, "ray": ray_cluster}


@contextmanager
def _processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes to be ended, with all that they have started."""
    import psutil

    started: list[subprocess.Popen[bytes]] = []
    try:
        yield started
    finally:
        for process in started:
            with suppress(psutil.NoSuchProcess):
                for child in psutil.Process(process.pid).children(recursive=True):
                    with suppress(psutil.NoSuchProcess):
                        child.kill()
            process.kill()
            process.wait()
