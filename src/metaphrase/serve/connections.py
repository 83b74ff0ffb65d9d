"""Connections that cannot be held for nothing: whoever says nothing, or reads nothing, is cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from metaphrase.serve.limits import Limits


class _Deadline:
    """Something that happens unless it is called off in time."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def set(self, loop: asyncio.AbstractEventLoop, seconds: float, act: Callable[[], None]) -> None:
        """Let it happen in ``seconds``, unless it will happen anyway."""
        if self._timer is None:
            self._timer = loop.call_later(seconds, act)

    def clear(self) -> None:
        """Call it off."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Connection(H11Protocol):
    """One connection; uvicorn limits only the time between an answer and the next request."""

    limits: ClassVar[Limits]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.waiting_since = self.loop.time()
        self._head = _Deadline()
        self._unread = _Deadline()

    @property
    def waits(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch_head()
        if len(self.connections) > self.limits.connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head.clear()
        self._unread.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_head()

    def on_response_complete(self) -> None:
        self.waiting_since = self.loop.time()
        super().on_response_complete()
        if not self.waits:  # the next request had come already
            self._watch_head()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread.set(self.loop, self.limits.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._unread.clear()
        super().resume_writing()

    def _watch_head(self) -> None:
        """From its first byte on, or that of the connection, a request has so long to say what it wants."""
        if not self.waits:
            self._head.clear()
        elif not self.transport.is_closing():
            self._head.set(self.loop, self.limits.head_seconds, self.transport.abort)

    def _make_room(self) -> None:
        """Cut off whoever has waited for longest without a request."""
        waiting = [
            other
            for other in self.connections
            if isinstance(other, _Connection) and other.waits and not other.transport.is_closing()
        ]
        if waiting:
            min(waiting, key=lambda other: other.waiting_since).transport.abort()


def connections(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol of a server with these limits."""
    return type("Connection", (_Connection,), {"limits": limits})
