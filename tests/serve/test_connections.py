"""Whoever says nothing must not keep others from being heard."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

uvicorn = pytest.importorskip("uvicorn")

from uvicorn.server import ServerState  # noqa: E402

from metaphrase.serve.connections import connections  # noqa: E402
from metaphrase.serve.limits import Limits  # noqa: E402

PATIENCE = 30.0
REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
LARGE = 50_000_000
Talk = Callable[[int], Awaitable[None]]


async def application(scope: Any, receive: Any, send: Any) -> None:
    size = LARGE if scope["path"] == "/large" else 4
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(max(1, size // 1_000_000)):
        part = b"here" * (min(size, 1_000_000) // 4)
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def talk(talking: Talk, **limits: Any) -> ServerState:
    """Serve for as long as ``talking``, which is given the port, goes on."""
    state = ServerState()

    async def run() -> None:
        config = uvicorn.Config(
            application,
            http=connections(Limits(**limits)),
            ws="none",
            lifespan="off",
            log_config=None,
            timeout_keep_alive=PATIENCE,
        )
        config.load()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: config.http_protocol_class(config=config, server_state=state, app_state={}),
            "127.0.0.1",
            0,
        )
        async with server:
            await asyncio.wait_for(talking(server.sockets[0].getsockname()[1]), PATIENCE)
            while state.tasks:
                await asyncio.sleep(0.01)

    asyncio.run(run())
    return state


async def cut_off(reader: asyncio.StreamReader) -> bool:
    """Wait for the end of a connection on which nothing was said."""
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("said", [b"", REQUEST[:20]])
def test_a_connection_without_a_whole_request_ends(said: bytes) -> None:
    async def talking(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        assert await cut_off(reader)
        writer.close()

    talk(talking, head_seconds=0.2)


def test_the_next_request_has_no_more_time() -> None:
    async def talking(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST)
        assert b"here" in await reader.readuntil(b"\r\n0\r\n\r\n")
        writer.write(REQUEST[:20])
        assert await cut_off(reader)
        writer.close()

    talk(talking, head_seconds=0.2)


def test_many_who_say_nothing_make_room_for_one_who_does() -> None:
    async def talking(port: int) -> None:
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        for _ in range(3):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(REQUEST)
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            writer.close()
        assert await cut_off(silent[0][0])
        for _, writer in silent:
            writer.close()

    # Nobody is cut off for having been silent too long before the test is over.
    talk(talking, connections=5, head_seconds=2 * PATIENCE)


def test_an_answer_that_nobody_reads_is_given_up() -> None:
    async def talking(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1000)
        writer.write(REQUEST.replace(b" / ", b" /large "))
        await asyncio.sleep(1)
        got = 0
        try:
            while part := await reader.read(1_000_000):
                got += len(part)
        except ConnectionResetError:
            pass
        assert got < LARGE
        writer.close()

    talk(talking, unread_seconds=0.2)
