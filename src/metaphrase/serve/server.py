"""The server itself: a socket, an application, and an end that leaves nothing behind."""

from __future__ import annotations

import os
import socket
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

import uvicorn

from metaphrase.errors import ResourceError
from metaphrase.serve.api import make_app
from metaphrase.serve.connections import connections
from metaphrase.serve.guard import is_loopback
from metaphrase.serve.limits import Limits
from metaphrase.serve.log import Log
from metaphrase.serve.store import EvaluationStore
from metaphrase.serve.temporary_store import temporary_store

_BACKLOG = 128
#: Seconds for answers that are under way when the server is asked to stop.
_GRACE = 5


class _Server(uvicorn.Server):
    """Ends quietly when it is asked to: being stopped is how a server ends."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit  # whoever asks twice is in a hurry
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self.force_exit:
            self.lifespan.logger.disabled = (
                True  # it would show where the application was cut short
            )


def serve(
    *,
    host: str,
    port: int,
    store: Path | None,
    limits: Limits,
    allowed_hosts: Sequence[str] = (),
    token: str | None = None,
    open_browser: bool = False,
) -> None:
    """Serve until the process is asked to stop; without a ``store``, evaluations go with the server."""
    with ExitStack() as stack:
        stack.callback(os.umask, os.umask(0o077))
        listener = stack.enter_context(_listener(host, port))
        if store is None:
            kept = stack.enter_context(temporary_store())
        else:
            kept = EvaluationStore(store)
            stack.callback(kept.close)
        log = Log()
        stack.callback(log.close)
        config = uvicorn.Config(
            make_app(kept, limits, host=host, allowed_hosts=allowed_hosts, token=token, log=log),
            http=connections(limits),
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=_BACKLOG,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=_GRACE,
        )
        address = _address(host, listener)
        log(f"serving at {address} (stop with Ctrl+C)")
        for reached in [*([] if is_loopback(host) else [host]), *allowed_hosts]:
            if token is None:
                log(
                    f"warning: {reached} can be reached from other machines, and whoever reaches it sees "
                    "all evaluations and can delete them (--token asks for a token)"
                )
        if open_browser:
            # The socket listens already: the browser waits until the server answers.
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
        _Server(config).run([listener])


def _listener(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise _cannot_listen(host, port, error) from None
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise _cannot_listen(host, port, error) from None
    return listener


def _cannot_listen(host: str, port: int, error: Exception) -> ResourceError:
    return ResourceError(
        "MP821",
        f"the server cannot listen on port {port} of {host}: {getattr(error, 'strerror', None) or error}.",
        hint="Choose another --port (0: any that is free) or --host.",
    )


def _address(host: str, listener: socket.socket) -> str:
    name = f"[{host.strip('[]')}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}/"
