"""The pages and the API of the server: what ``web/src/serve/api.ts`` asks for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from metaphrase.defaults import DEFAULT_LANGUAGE, DEFAULT_METRICS
from metaphrase.errors import InputError, MetaphraseError
from metaphrase.report.page.front_end import asset
from metaphrase.serve.choices import Choices
from metaphrase.serve.evaluation_request import read_request
from metaphrase.serve.evaluations import Evaluations
from metaphrase.serve.guard import Guard, problem_response
from metaphrase.serve.limits import MEGABYTE, Limits
from metaphrase.serve.problems import coded, not_found
from metaphrase.serve.processes import ask_offer
from metaphrase.serve.request_body import read_body
from metaphrase.serve.store import EvaluationStore
from metaphrase.version import __version__

_KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
_ASSETS = ("serve.js", "serve.css")
_EXPORTS = {"json": "application/json", "tsv": "text/tab-separated-values", "html": "text/html"}
#: Of the body of a request in memory; the rest is on disk until it is whole.
_SPOOLED = 1 * MEGABYTE
#: Whole requests that are parsed at a time, since each needs a few times its size of memory.
_PARSERS = 1


def make_app(
    store: EvaluationStore,
    limits: Limits,
    *,
    host: str = "127.0.0.1",
    allowed_hosts: Iterable[str] = (),
    token: str | None = None,
    log: Callable[[str], None],
) -> ASGIApp:
    """The application, with its guard; evaluations of ``store`` live as long as its lifespan."""
    api = _Api(store, limits)
    app = Starlette(
        routes=[
            Route("/", api.page),
            Route("/assets/{name}", api.page),
            Route("/api/status", api.status),
            Route("/api/metrics", api.metrics),
            Route("/api/jobs", api.listed),
            Route("/api/jobs", api.create, methods=["POST"]),
            Route("/api/jobs/{id}", api.job),
            Route("/api/jobs/{id}", api.remove, methods=["DELETE"]),
            Route("/api/jobs/{id}/overview", api.overview),
            Route("/api/jobs/{id}/blocks/{name:path}", api.block),
            Route("/api/jobs/{id}/explanation", api.explanation),
            Route("/api/jobs/{id}/export", api.export),
        ],
        lifespan=api.lifespan,
        exception_handlers={
            MetaphraseError: _coded,
            HTTPException: _refused,
            FileNotFoundError: _vanished,
            OSError: _failed,
            ClientDisconnect: _gone,
            Exception: _failed,
        },
    )
    return Guard(
        app,
        host=host,
        allowed_hosts=allowed_hosts,
        token=token,
        open_requests=limits.open_requests,
        log=log,
    )


class _Api:
    """An answer for each route."""

    _evaluations: Evaluations
    _parsers: asyncio.Semaphore

    def __init__(self, store: EvaluationStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._pages = {name: asset(name) for name in ("serve.html", *_ASSETS)}
        self._choices = Choices(store.folder, limits)
        self._offer: asyncio.Task[list[dict[str, Any]]] | None = None

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Take up what an earlier server has left, and stop whatever runs at the end."""
        self._evaluations = Evaluations(self._store, self._limits)
        self._parsers = asyncio.Semaphore(_PARSERS)
        await asyncio.to_thread(self._evaluations.open)
        yield
        if self._offer is not None:
            self._offer.cancel()
            await asyncio.wait([self._offer])
        await self._evaluations.close()

    def _offered(self) -> asyncio.Task[list[dict[str, Any]]]:
        """What can be chosen, found out once; a failure is found out again."""
        asked = self._offer
        if asked is None or (asked.done() and (asked.cancelled() or asked.exception())):
            asked = asyncio.create_task(ask_offer(self._store.folder, self._limits))
            self._offer = asked
        return asked

    async def page(self, request: Request) -> Response:
        name = request.path_params.get("name", "serve.html")
        if name not in self._pages:
            raise not_found("such page")
        if name == "serve.html":
            self._offered()  # it takes seconds, and the page will ask for it
        kind = _KINDS[name.rsplit(".", 1)[1]]
        return Response(self._pages[name], media_type=kind, headers={"Cache-Control": "no-cache"})

    async def status(self, _: Request) -> Response:
        return JSONResponse(
            {
                "version": __version__,
                "limits": self._limits.shown(),
                "defaults": {"lang": DEFAULT_LANGUAGE, "metrics": list(DEFAULT_METRICS)},
            }
        )

    async def metrics(self, _: Request) -> Response:
        return JSONResponse(await asyncio.shield(self._offered()))

    async def listed(self, _: Request) -> Response:
        return JSONResponse(self._evaluations.listed())

    async def create(self, request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            # A form of another site cannot say this without asking first.
            raise InputError("MP826", "the request is not of the type application/json.")
        self._evaluations.check_room()
        with SpooledTemporaryFile(_SPOOLED) as body:
            await read_body(request, body, self._limits)
            body.seek(0)
            async with self._parsers:
                asked = await asyncio.to_thread(lambda: read_request(body.read(), self._limits))
                await self._choices.check(asked)
                id = await self._evaluations.submit(asked)
        return JSONResponse({"id": id}, 202, {"Location": f"/api/jobs/{id}"})

    async def job(self, request: Request) -> Response:
        return JSONResponse(self._evaluations.status(request.path_params["id"]))

    async def remove(self, request: Request) -> Response:
        await self._evaluations.remove(request.path_params["id"])
        return Response(status_code=204)

    async def overview(self, request: Request) -> Response:
        path = self._evaluations.result(request.path_params["id"], "overview.json")
        return await _file(path, media_type="application/json")

    async def block(self, request: Request) -> Response:
        packed = await self._evaluations.block(
            request.path_params["id"], request.path_params["name"]
        )
        return Response(packed, media_type="application/octet-stream")

    async def explanation(self, request: Request) -> Response:
        places = [request.query_params.get(name, "") for name in ("metric", "system", "segment")]
        if not all(place.isascii() and place.isdecimal() and len(place) < 10 for place in places):
            raise InputError("MP826", "metric, system and segment are not whole numbers.")
        metric, system, segment = map(int, places)
        found = await self._evaluations.explanation(
            request.path_params["id"], metric, system, segment
        )
        return Response(found, media_type="application/json")

    async def export(self, request: Request) -> Response:
        id, form = request.path_params["id"], request.query_params.get("format", "")
        if form not in _EXPORTS:
            raise InputError(
                "MP826", "there is no such format.", hint=f"Ask for {', '.join(_EXPORTS)}."
            )
        if form == "html":
            path, name = await self._evaluations.report(id), "metaphrase-report.html"
        else:
            path = self._evaluations.result(id, f"scores.{form}")
            name = f"metaphrase-scores.{form}"
        return await _file(path, media_type=_EXPORTS[form], filename=name)


async def _file(path: Path, **options: Any) -> Response:
    # It is looked for here, where that it was deleted can still be said.
    found = await asyncio.to_thread(path.stat)
    return FileResponse(path, stat_result=found, **options)


async def _coded(request: Request, error: Exception) -> Response:
    assert isinstance(error, MetaphraseError)
    return problem_response(error)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = problem_response(not_found("such page, or it cannot be asked for like this"))
    response.status_code = error.status_code
    return response


async def _vanished(request: Request, error: Exception) -> Response:
    return problem_response(not_found("such evaluation"))  # deleted while it was being read


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # which nobody reads


async def _failed(request: Request, error: Exception) -> Response:
    return problem_response(coded(error))
