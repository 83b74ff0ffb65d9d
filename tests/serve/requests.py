"""Requests as a page or a program sends them, and patience that ends."""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import Any, Protocol

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE = 90.0


class Client(Protocol):
    """What the test client of starlette and that of httpx have in common."""

    def get(self, url: str) -> Any: ...
    def post(self, url: str, *, json: Any) -> Any: ...


def sent(name: str, content: str | bytes) -> dict[str, str]:
    if isinstance(content, str):
        return {"name": name, "text": content}
    return {"name": name, "base64": base64.b64encode(content).decode()}


def example(name: str) -> dict[str, str]:
    return sent(name, (EXAMPLES / name).read_text("utf-8"))


def work(**changes: Any) -> dict[str, Any]:
    """A small evaluation of the bundled example."""
    return {
        "lang": "en",
        "metrics": ["chrf"],
        "references": [example("reference.txt")],
        "systems": [example("system-a.txt"), example("system-b.txt")],
        **changes,
    }


def ended(client: Client, id: str) -> dict[str, Any]:
    """The status of an evaluation when it has ended."""
    deadline = time.monotonic() + PATIENCE
    pause = 0.05
    while time.monotonic() < deadline:
        status: dict[str, Any] = client.get(f"/api/jobs/{id}").json()
        if status["state"] not in ("queued", "running"):
            return status
        time.sleep(pause)
        pause = min(1.0, 1.3 * pause)
    raise AssertionError(f"the evaluation has not ended: {status}")


def evaluated(client: Client, **changes: Any) -> tuple[str, dict[str, Any]]:
    """Send an evaluation and wait for its end; its id and status."""
    answer = client.post("/api/jobs", json=work(**changes))
    assert answer.status_code == 202, answer.text
    id = answer.json()["id"]
    return id, ended(client, id)
