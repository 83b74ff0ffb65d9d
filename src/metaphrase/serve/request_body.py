"""The body of a request, within the limits of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from tempfile import SpooledTemporaryFile

from starlette.requests import ClientDisconnect, Request

from metaphrase.errors import InputError
from metaphrase.serve.limits import Limits

#: Seconds for a refused body to end, so that its sender hears why instead of finding the line cut.
_DRAIN = 2.0


async def read_body(request: Request, body: SpooledTemporaryFile[bytes], limits: Limits) -> None:
    """Write what comes into ``body``."""
    announced = request.headers.get("content-length", "")
    stream = request.stream()
    size = 0
    deadline = asyncio.get_running_loop().time() + limits.body_seconds
    try:
        while True:
            if size > limits.upload_bytes or _is_more(announced, limits.upload_bytes):
                await _drain(stream)
                raise InputError(
                    "MP824",
                    f"the request has more than {limits.megabytes} megabytes.",
                    hint="Give fewer segments, or start the server with a larger --max-megabytes.",
                )
            left = deadline - asyncio.get_running_loop().time()
            block = await asyncio.wait_for(_next(stream), min(limits.pause_seconds, max(0.0, left)))
            if block is None:
                return
            size += len(block)
            body.write(block)
    except asyncio.TimeoutError:
        raise InputError(
            "MP825", "the request took too long to come.", hint="Send it again, or compress it."
        ) from None


def _is_more(announced: str, most: int) -> bool:
    """Whether a length is above ``most``; what is no number says nothing."""
    return announced.isdecimal() and (len(announced) > 18 or int(announced) > most)


async def _next(stream: AsyncIterator[bytes]) -> bytes | None:
    async for block in stream:
        return block
    return None


async def _drain(stream: AsyncIterator[bytes]) -> None:
    async def rest() -> None:
        async for _ in stream:
            pass

    try:
        await asyncio.wait_for(rest(), _DRAIN)
    except (asyncio.TimeoutError, ClientDisconnect):
        return
