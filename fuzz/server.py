"""The server: requests to the application in this process, and what a worker makes of one."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from fuzz.files import folder
from fuzz.target import Target
from metaphrase.errors import MetaphraseError
from metaphrase.scoring.engine import labelled_metrics
from metaphrase.serve import api, choices, evaluations, explaining
from metaphrase.serve.evaluation import Evaluation, write_results
from metaphrase.serve.evaluation_request import read_request
from metaphrase.serve.limits import Limits
from metaphrase.serve.problems import out_of_time, to_record
from metaphrase.serve.store import EvaluationStore

#: Stands for the id of an evaluation that is done.
_ID = "{id}"
_LIMITS = Limits(
    keep=3, queue=8, workers=1, megabytes=1, segments=100, pause_seconds=0.2, body_seconds=1
)
#: Metrics that are quick, whatever was asked for.
_QUICK = ("chrf", "bleu", "ter")
_REQUEST: dict[str, Any] = {
    "title": "t",
    "lang": "en",
    "metrics": ["chrf"],
    "references": [{"name": "r.txt", "text": "a b\nc\n"}],
    "systems": [{"name": "a.txt", "text": "a b\nd\n"}, {"name": "b.txt", "base64": "YQpjCg=="}],
}
_WORDS = (
    "GET ", "POST ", "DELETE ", "HEAD ", "OPTIONS ", "/api/jobs", "/api/jobs/{id}", "/overview", "/blocks/",
    "/explanation?metric=0&system=0&segment=0", "/export?format=json", "html", "tsv", "/assets/serve.js",
    "..", "%2e%2e", "%00", "%ff", "host: 127.0.0.1:8765", "origin: http://127.0.0.1:8765", "content-type: ",
    "application/json", "content-length: ", "authorization: Bearer ", "sec-fetch-site: ", "range: bytes=0-1",
    "if-none-match: ", "cross-site", "\n", "\n\n", '"references": [', '"systems": [', '"metrics": [',
    '{"name": "', '", "text": "', '", "base64": "', '"checks": true', '"changes": true', '"source": ',
    '"documents": ', '"check_language": ', "\\ud800", "\\u0000", "chrf", "ter:case_sensitive=yes", "lang",
    ".conllu", ".xlf", "../", "9" * 20, "\u0663", "null",
)  # fmt: skip


class _Server:
    """The application with its loop; no worker is started: what one would do is done at once, or refused."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._store = EvaluationStore(folder() / "store")
        self._app = api.make_app(self._store, _LIMITS, token="secret", log=lambda line: None)
        self._stop = asyncio.Event()
        started = self._loop.create_future()
        self._life = self._loop.create_task(self._live(started))
        self._loop.run_until_complete(started)
        body = json.dumps(_REQUEST).encode()
        status, answer = self._loop.run_until_complete(
            self._asked("POST", "/api/jobs", b"", [], body)
        )
        assert status == 202, answer
        self.id = json.loads(answer)["id"]

    async def _live(self, started: asyncio.Future[None]) -> None:
        async def receive() -> dict[str, Any]:
            if not started.done():
                return {"type": "lifespan.startup"}
            await self._stop.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message: Any) -> None:
            if message["type"] == "lifespan.startup.complete":
                started.set_result(None)

        await self._app({"type": "lifespan"}, receive, send)

    def close(self) -> None:
        self._stop.set()
        self._loop.run_until_complete(self._life)
        self._loop.close()
        self._store.close()

    def ask(
        self, method: str, path: str, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> tuple[int, bytes]:
        return self._loop.run_until_complete(self._asked(method, path, query, headers, body))

    async def _asked(
        self, method: str, path: str, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> tuple[int, bytes]:
        names = [name for name, _ in headers]
        usual = {
            b"host": b"127.0.0.1:8765",
            b"content-type": b"application/json",
            b"authorization": b"Bearer secret",
        }
        given = [*headers, *((n, v) for n, v in usual.items() if n not in names)]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode("utf-8", "replace"),
            "query_string": query,
            "root_path": "",
            "headers": given,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8765),
        }
        parts = [body[: len(body) // 2], body[len(body) // 2 :]]
        answer: list[bytes] = []
        status = 0

        async def receive() -> dict[str, Any]:
            if parts:
                part = parts.pop(0)
                return {"type": "http.request", "body": part, "more_body": bool(parts)}
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                answer.append(message.get("body", b""))

        await self._app(scope, receive, send)
        # What it has begun must end, or the next request would find it at work.
        while others := asyncio.all_tasks() - {asyncio.current_task(), self._life}:
            await asyncio.wait(others)
        return status, b"".join(answer)


async def _refusal(metrics: Any, lang: str, *_: Any) -> dict[str, Any] | None:
    try:
        labelled_metrics(metrics, lang)
    except MetaphraseError as error:
        return to_record(error)
    return None


async def _done(task: str, place: Path, limits: Limits, seen: Any) -> None:
    """The first evaluation is done; others would only take time."""
    if task != "evaluate" and task != "report":
        raise out_of_time("the evaluation", 1)
    if any((other / "results").is_dir() for other in place.parent.iterdir()):
        raise out_of_time("the evaluation", 1)
    request = json.loads((place / "request.json").read_text("utf-8"))
    _results(request, place / "files", place / "results")


async def _explained(*_: Any) -> bytes:
    return b"{}"


async def _offered(*_: Any) -> list[Any]:
    return []


def _results(request: Any, files: Path, results: Path) -> None:
    before = Path.cwd()
    os.chdir(files)
    try:
        evaluation = Evaluation(request, segments=100, megabytes=1)
        results.mkdir()
        write_results(evaluation, results, 1, lambda *_: None)
    finally:
        os.chdir(before)


@cache
def _server(process: int) -> _Server:
    server = _Server()
    atexit.register(server.close)
    return server


def _request(data: bytes) -> object:
    """``METHOD PATH?QUERY``, headers, an empty line, the body. No answer may be a bug or come from one."""
    with (
        patch.object(choices, "ask_refusal", _refusal),
        patch.object(evaluations, "run_task", _done),
        patch.object(api, "ask_offer", _offered),
        patch.object(explaining.Explainers, "_ask", _explained),
    ):
        return _answer(data, _server(os.getpid()))


def _answer(data: bytes, server: _Server) -> object:
    head, _, body = data.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    method, _, target = first.decode("latin-1").partition(" ")
    path, _, query = target.replace(_ID, server.id).partition("?")
    headers = [
        (name.strip().lower(), value.strip())
        for name, colon, value in (line.partition(b":") for line in lines)
        if colon
    ]
    if not re.fullmatch("[A-Z]{1,10}", method):
        method = "GET"
    if method == "DELETE" and server.id in path:
        return None  # it is needed
    status, answer = server.ask(
        method, f"/{path.lstrip('/')}", query.encode("latin-1", "replace"), headers, body
    )
    assert 200 <= status < 600, status
    if status >= 400 and method != "HEAD":
        code = json.loads(answer)["error"]["code"]
        assert code != "MP699", answer
    return None


def _evaluation(data: bytes) -> object:
    """A request from its JSON to its results."""
    request = read_request(data, _LIMITS)
    place = folder() / "evaluation"
    shutil.rmtree(place, ignore_errors=True)
    (place / "files").mkdir(parents=True)
    saved = request.save(place / "files")
    saved["metrics"] = [name for name in saved["metrics"] if name in _QUICK] or ["chrf"]
    _results(saved, place / "files", place / "results")
    return None


def _request_seeds() -> list[bytes]:
    body = json.dumps(_REQUEST).encode()
    lines = [
        "GET /", "GET /assets/serve.js", "GET /api/status", "GET /api/metrics", "GET /api/jobs",
        "GET /api/jobs/{id}", "GET /api/jobs/{id}/overview", "GET /api/jobs/{id}/blocks/t0",
        "GET /api/jobs/{id}/explanation?metric=0&system=1&segment=1", "GET /api/jobs/{id}/export?format=json",
        "GET /api/jobs/{id}/export?format=html", "DELETE /api/jobs/x", "HEAD /api/jobs",
        "GET /api/jobs\nhost: evil.example\norigin: http://x", "GET /api/jobs\nauthorization: Bearer x",
        "GET /api/jobs/{id}/overview\nrange: bytes=0-10, 5-6",
    ]  # fmt: skip
    posts = [b"POST /api/jobs\ncontent-length: 10\n\n" + body, b"POST /api/jobs\n\n" + body]
    return [line.encode() for line in lines] + posts


def _evaluation_seeds() -> list[bytes]:
    checked = {
        **_REQUEST,
        "metrics": ["chrf", "ter"],
        "source": {"name": "s.txt", "text": "x 1\ny\n"},
        "documents": {"name": "d", "text": "1\n1\n"},
        "checks": True,
        "changes": True,
        "check_language": False,
    }
    conllu = "# text = a\n1\ta\ta\tDET\tDT\t_\t0\troot\t_\t_\n\n"
    analysed = {
        "metrics": ["chrf"],
        "references": [{"name": "r.conllu", "text": conllu}],
        "systems": [{"name": "s.conllu", "text": conllu}],
    }
    return [json.dumps(one).encode() for one in (_REQUEST, checked, analysed)]


def targets() -> list[Target]:
    """Those of this room."""
    return [
        Target(name="server.requests", run=_request, seeds=_request_seeds, words=_WORDS, seconds=5),
        Target(
            name="server.evaluation",
            run=_evaluation,
            seeds=_evaluation_seeds,
            words=_WORDS,
            seconds=5,
        ),
    ]
