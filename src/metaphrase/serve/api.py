"""The pages and the API of the server: what ``web/src/serve/api.ts`` asks for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
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
from metaphrase.serve.evaluations import Evaluations
from metaphrase.serve.guard import Guard, problem_response
from metaphrase.serve.limits import MEGABYTE, Limits
from metaphrase.serve.problems import coded, not_found
from metaphrase.serve.processes import ask_offer
from metaphrase.serve.store import Store
from metaphrase.serve.submission import read_submission
from metaphrase.version import __version__

_KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
_ASSETS = ("serve.js", "serve.css")
_EXPORTS = {"json": "application/json", "tsv": "text/tab-separated-values", "html": "text/html"}
#: Of the body of a request in memory; the rest is on disk until it is whole.
_SPOOLED = 1 * MEGABYTE
#: Whole requests that are parsed at a time, since each needs a few times its size of memory.
_PARSERS = 1
#: Seconds for a refused body to end, so that its sender hears why instead of finding the line cut.
_DRAIN = 2.0


def make_app(
    store: Store,
    limits: Limits,
    *,
    host: str = "127.0.0.1",
    log: Callable[[str], None],
) -> ASGIApp:
    """The application, with its guard; evaluations of ``store`` live as long as its lifespan."""
    pages = {name: asset(name) for name in ("serve.html", *_ASSETS)}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        evaluations = Evaluations(store, limits)
        await asyncio.to_thread(evaluations.open)
        app.state.evaluations = evaluations
        app.state.parsers = asyncio.Semaphore(_PARSERS)
        app.state.choices = Choices(store.folder, limits)
        app.state.offer = None
        yield
        if app.state.offer is not None:
            app.state.offer.cancel()
            await asyncio.wait([app.state.offer])
        await evaluations.close()

    def evaluations(request: Request) -> Evaluations:
        found: Evaluations = request.app.state.evaluations
        return found

    def offer(request: Request) -> asyncio.Task[list[dict[str, Any]]]:
        """What can be chosen, found out once; a failure is found out again."""
        state = request.app.state
        asked: asyncio.Task[list[dict[str, Any]]] | None = state.offer
        if asked is None or (asked.done() and (asked.cancelled() or asked.exception())):
            state.offer = asked = asyncio.create_task(ask_offer(store.folder, limits))
        return asked

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "serve.html")
        if name not in pages:
            raise not_found("such page")
        if name == "serve.html":
            offer(request)  # it takes seconds, and is what the page will ask for first
        kind = _KINDS[name.rsplit(".", 1)[1]]
        return Response(pages[name], media_type=kind, headers={"Cache-Control": "no-cache"})

    async def status(request: Request) -> Response:
        return JSONResponse(
            {
                "version": __version__,
                "limits": limits.shown(),
                "metrics": await asyncio.shield(offer(request)),
                "defaults": {"lang": DEFAULT_LANGUAGE, "metrics": list(DEFAULT_METRICS)},
            }
        )

    async def listed(request: Request) -> Response:
        return JSONResponse(evaluations(request).listed())

    async def create(request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            # A form of another site cannot say this without asking first.
            raise InputError("MP826", "the request is not of the type application/json.")
        evaluations(request).check_room()
        with SpooledTemporaryFile(_SPOOLED) as body:
            await _read_body(request, body, limits)
            body.seek(0)
            async with request.app.state.parsers:
                submission = await asyncio.to_thread(lambda: read_submission(body.read(), limits))
                await request.app.state.choices.check(submission)
                id = await evaluations(request).submit(submission)
        return JSONResponse({"id": id}, 202, {"Location": f"/api/jobs/{id}"})

    async def job(request: Request) -> Response:
        return JSONResponse(evaluations(request).status(request.path_params["id"]))

    async def remove(request: Request) -> Response:
        await evaluations(request).remove(request.path_params["id"])
        return Response(status_code=204)

    async def overview(request: Request) -> Response:
        path = evaluations(request).result(request.path_params["id"], "overview.json")
        return await _file(path, media_type="application/json")

    async def block(request: Request) -> Response:
        id, name = request.path_params["id"], request.path_params["name"]
        packed = await evaluations(request).block(id, name)
        return Response(packed, media_type="application/octet-stream")

    async def explanation(request: Request) -> Response:
        places = [request.query_params.get(name, "") for name in ("metric", "system", "segment")]
        if not all(place.isascii() and place.isdecimal() and len(place) < 10 for place in places):
            raise InputError("MP826", "metric, system and segment are not whole numbers.")
        metric, system, segment = map(int, places)
        found = await evaluations(request).explanation(
            request.path_params["id"], metric, system, segment
        )
        return Response(found, media_type="application/json")

    async def export(request: Request) -> Response:
        id, form = request.path_params["id"], request.query_params.get("format", "")
        if form not in _EXPORTS:
            raise InputError(
                "MP826", "there is no such format.", hint=f"Ask for {', '.join(_EXPORTS)}."
            )
        if form == "html":
            path, name = await evaluations(request).report(id), "metaphrase-report.html"
        else:
            path, name = (
                evaluations(request).result(id, f"scores.{form}"),
                f"metaphrase-scores.{form}",
            )
        return await _file(path, media_type=_EXPORTS[form], filename=name)

    app = Starlette(
        routes=[
            Route("/", page),
            Route("/assets/{name}", page),
            Route("/api/status", status),
            Route("/api/jobs", listed),
            Route("/api/jobs", create, methods=["POST"]),
            Route("/api/jobs/{id}", job),
            Route("/api/jobs/{id}", remove, methods=["DELETE"]),
            Route("/api/jobs/{id}/overview", overview),
            Route("/api/jobs/{id}/blocks/{name:path}", block),
            Route("/api/jobs/{id}/explanation", explanation),
            Route("/api/jobs/{id}/export", export),
        ],
        lifespan=lifespan,
        exception_handlers={
            MetaphraseError: _coded,
            HTTPException: _refused,
            FileNotFoundError: _vanished,
            OSError: _failed,
            ClientDisconnect: _gone,
            Exception: _failed,
        },
    )
    return Guard(app, host=host, open_requests=limits.open_requests, log=log)


async def _file(path: Path, **options: Any) -> Response:
    # It is looked for here, where that it was deleted can still be said.
    found = await asyncio.to_thread(path.stat)
    return FileResponse(path, stat_result=found, **options)


async def _read_body(request: Request, body: SpooledTemporaryFile[bytes], limits: Limits) -> None:
    announced = request.headers.get("content-length", "")
    stream = request.stream()
    size = 0
    deadline = asyncio.get_running_loop().time() + limits.body_seconds
    try:
        while True:
            if size > limits.upload_bytes or (
                announced.isdecimal() and int(announced) > limits.upload_bytes
            ):
                await _drain(stream)
                raise InputError(
                    "MP824",
                    f"the request has more than {limits.megabytes} megabytes.",
                    hint="Give fewer segments, or start the server with a larger --max-megabytes.",
                )
            left = deadline - asyncio.get_running_loop().time()
            part = await asyncio.wait_for(_next(stream), min(limits.pause_seconds, max(0.0, left)))
            if part is None:
                return
            size += len(part)
            body.write(part)
    except asyncio.TimeoutError:
        raise InputError(
            "MP825", "the request took too long to come.", hint="Send it again, or compress it."
        ) from None


async def _next(stream: AsyncIterator[bytes]) -> bytes | None:
    async for part in stream:
        return part
    return None


async def _drain(stream: AsyncIterator[bytes]) -> None:
    async def rest() -> None:
        async for _ in stream:
            pass

    try:
        await asyncio.wait_for(rest(), _DRAIN)
    except (asyncio.TimeoutError, ClientDisconnect):
        return


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
