"""Bodies of requests come in time and within the limit, or not at all."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from metaphrase.errors import MetaphraseError
from metaphrase.serve.limits import Limits
from metaphrase.serve.request_body import read_body

LIMITS = Limits(megabytes=1, body_seconds=0.3, pause_seconds=0.1)


def received(parts: list[tuple[float, bytes]], length: int | None = None) -> bytes:
    """What is read of a body whose ``parts`` come after so many seconds each; ``parts`` are taken away."""

    async def receive() -> Message:
        pause, part = parts.pop(0)
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    headers = [] if length is None else [(b"content-length", str(length).encode())]
    scope: dict[str, Any] = {"type": "http", "method": "POST", "headers": headers}
    with SpooledTemporaryFile() as body, ThreadPoolExecutor(1) as thread:
        # In a thread of its own, because tests of pages leave an event loop running in this one.
        reading = read_body(Request(scope, receive), body, LIMITS)
        thread.submit(asyncio.run, reading).result()
        body.seek(0)
        return body.read()


def test_parts_are_put_together() -> None:
    assert received([(0, b"a"), (0.01, b"b"), (0, b"")]) == b"ab"


@pytest.mark.parametrize(
    "parts",
    [[(0, b"a"), (5, b"b")], [(0.05, b"a")] * 50],
    ids=["a long pause", "many short ones"],
)
def test_a_slow_body_is_given_up(parts: list[tuple[float, bytes]]) -> None:
    with pytest.raises(MetaphraseError) as caught:
        received(parts)
    assert caught.value.code == "MP825"


def test_a_large_body_is_not_kept_whether_it_says_so_or_not() -> None:
    for parts, length in (([(0.0, b"x" * 400_000)] * 4, None), ([(0.0, b"x")] * 2, 1_000_001)):
        with pytest.raises(MetaphraseError) as caught:
            received(parts, length)
        assert caught.value.code == "MP824"
        assert parts == []  # so that the sender hears why
