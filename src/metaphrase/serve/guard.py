"""What stands before every page: is a request meant for this server, is there room, what may a browser do.

A page of somebody else's must not be able to use a server on the reader's own machine: not by a name that
leads there (so ``Host`` is checked), nor by sending forms to it (so ``Origin`` is). Where there is a token,
whoever lacks it gets the page, which asks for it, and nothing else.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
import time
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metaphrase.errors import InputError, MetaphraseError
from metaphrase.serve.problems import status_of, to_record

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_SAFE_METHODS = ("GET", "HEAD")
#: What goes with a status; of ``Retry-After``, the seconds.
_STATUS_HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "5"}}


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach it."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def problem_response(error: MetaphraseError) -> JSONResponse:
    """The answer that an error is."""
    status = status_of(error)
    return JSONResponse({"error": to_record(error)}, status, _STATUS_HEADERS.get(status))


class Guard:
    """Wraps the application: checks, counts and logs every request, and adds the headers of every answer."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        host: str,
        allowed_hosts: Iterable[str] = (),
        token: str | None = None,
        open_requests: int,
        log: Callable[[str], None],
    ) -> None:
        self._app = app
        self._host = _plain(host)
        self._names = {self._host, *map(_plain, allowed_hosts)}
        self._token = token
        self._most = open_requests
        self._open = 0
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # a websocket is turned away by not being accepted
        started = time.monotonic()
        status, length = 0, 0

        async def send_guarded(message: Message) -> None:
            nonlocal status, length
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            elif message["type"] == "http.response.body":
                length += len(message.get("body", b""))
            await send(message)

        self._open += 1
        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                await problem_response(refusal)(scope, receive, send_guarded)
            else:
                await self._app(scope, receive, send_guarded)
        finally:
            self._open -= 1
            milliseconds = round(1000 * (time.monotonic() - started))
            self._log(
                f"{(scope.get('client') or ('-',))[0]} {scope['method']} {_printable(scope['path'])} "
                f"{status or '-'} {length} B {milliseconds} ms"
            )

    def _refusal(self, scope: Scope) -> MetaphraseError | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            return InputError(
                "MP827",
                "the request names another host.",
                hint="Open the address that `metaphrase serve` has printed, or start it with --allow-host.",
            )
        if not _same_site(scope["method"], headers, hosts[0]):
            return InputError("MP827", "the request comes from a page of another site.")
        if not self._is_admitted(scope["path"], headers):
            return InputError(
                "MP837",
                "the request lacks the token of this server, or has another one.",
                hint="Reload the page to give it; programs send `Authorization: Bearer TOKEN`.",
            )
        if self._open > self._most:
            return InputError(
                "MP828", "the server is answering too many requests.", hint="Try again."
            )
        return None

    def _is_own(self, given: str) -> bool:
        try:
            name = _plain(urlsplit(f"//{given}").hostname or "")
        except ValueError:
            return False
        if is_loopback(name) or name in self._names:
            return True
        if is_loopback(self._host):
            return False
        # Names can be made to lead here by others, addresses cannot.
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == socket.gethostname().lower()
        return True

    def _is_admitted(self, path: str, headers: Headers) -> bool:
        # The page and its script are the same for everybody, and have to be there to ask for the token.
        if self._token is None or path == "/" or path.startswith("/assets/"):
            return True
        given = headers.getlist("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        same = secrets.compare_digest(token.strip().encode(), self._token.encode())
        return same and scheme.lower() == "bearer"


def _plain(host: str) -> str:
    return host.lower().strip("[]").rstrip(".")


def _same_site(method: str, headers: Headers, host: str) -> bool:
    site = headers.get("sec-fetch-site")
    navigation = headers.get("sec-fetch-mode") == "navigate"
    if site is not None and site not in ("same-origin", "none"):
        # A link from elsewhere may lead to the page, but nothing else may be fetched.
        return navigation and method in _SAFE_METHODS
    if method in _SAFE_METHODS:
        return True
    origins = headers.getlist("origin")
    return not origins or (
        len(origins) == 1
        and origins[0].lower() in (f"http://{host}".lower(), f"https://{host}".lower())
    )


def _printable(path: str) -> str:
    return "".join(c if c.isprintable() and c != " " else "?" for c in path[:200])
