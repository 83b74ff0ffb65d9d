"""Servers to ask: one in this process, and real ones in processes of their own, on loopback."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from metaphrase.serve.api import make_app
from metaphrase.serve.limits import Limits
from metaphrase.serve.store import EvaluationStore
from serve.server_process import LiveServer, live_servers

with warnings.catch_warnings():
    # It would rather have a successor of httpx, which is too young to be pinned.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


@dataclass
class Served:
    """A server in this process with the lines that it has logged."""

    client: TestClient
    store: EvaluationStore
    log: list[str] = field(default_factory=list)


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts a server with limits of one's own."""
    with ExitStack() as stack:

        def start(**limits: Any) -> Served:
            store = EvaluationStore(tmp_path / "store")
            stack.callback(store.close)
            log: list[str] = []
            app = make_app(store, Limits(**{"workers": 2, **limits}), log=log.append)
            client = TestClient(
                app, base_url="http://127.0.0.1:8765", raise_server_exceptions=False
            )
            return Served(stack.enter_context(client), store, log)

        yield start


@pytest.fixture
def served(serving: Callable[..., Served]) -> Served:
    return serving()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Callable[..., LiveServer]]:
    with live_servers(tmp_path) as start:
        yield start
