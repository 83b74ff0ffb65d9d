"""Who may ask, and what a browser may do with the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from metaphrase.serve.guard import HEADERS, Guard, is_loopback
from serve.requests import work

OWN = "127.0.0.1:8765"


def guarded(host: str = "127.0.0.1", open_requests: int = 10, **options: Any) -> TestClient:
    guard = Guard(
        PlainTextResponse("hello"),
        host=host,
        open_requests=open_requests,
        log=lambda _: None,
        **options,
    )
    return TestClient(guard, base_url=f"http://{OWN}")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8765", "localhost:9999", "[::1]:8765"])
def test_the_names_of_this_machine_are_ours(host: str) -> None:
    assert guarded().get("/", headers={"Host": host}).text == "hello"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "10.0.0.1", "", "[", "a@b"],
)
def test_a_name_that_others_made_to_lead_here_is_refused(host: str) -> None:
    answer = guarded().get("/", headers={"Host": host})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "MP827"


def test_a_server_for_the_network_answers_to_its_addresses_but_not_to_any_name() -> None:
    client = guarded("0.0.0.0")
    assert client.get("/", headers={"Host": "10.0.0.1:8765"}).status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403
    named = guarded("metrics.example")
    assert named.get("/", headers={"Host": "metrics.example:80"}).status_code == 200


def test_further_names_are_ours_and_no_others() -> None:
    client = guarded(allowed_hosts=["Metrics.Example", "10.0.0.1"])
    for host in ("metrics.example", "METRICS.example.:443", "10.0.0.1", OWN):
        assert client.get("/", headers={"Host": host}).status_code == 200
    for host in ("evil.example", "metrics.example.evil.example", "a.metrics.example", "10.0.0.2"):
        assert client.get("/", headers={"Host": host}).status_code == 403


def test_a_page_behind_a_proxy_may_write_under_its_name() -> None:
    client = guarded(allowed_hosts=["metrics.example"])
    for origin, status in (("https://metrics.example", 200), ("https://evil.example", 403)):
        headers = {"Host": "metrics.example", "Origin": origin}
        assert client.post("/api/jobs", headers=headers).status_code == status


@pytest.mark.parametrize(
    "given",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer other",
        "Bearer tokentoken",
        "token",
        "Basic token",
        "Bearer é",
    ],
)
def test_whoever_lacks_the_token_gets_the_page_and_nothing_else(given: str) -> None:
    client = guarded(token="token")
    headers = {"Authorization": given.encode("latin-1")} if given else {}
    for method, path in (("GET", "/api/status"), ("DELETE", "/api/jobs/1"), ("GET", "/none")):
        answer = client.request(method, path, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "MP837")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert client.get("/", headers=headers).status_code == 200
    assert client.get("/assets/serve.js", headers=headers).status_code == 200


def test_whoever_has_the_token_is_answered() -> None:
    client = guarded(token="token")
    for given in ("Bearer token", "bearer  token"):
        assert client.delete("/api/jobs/1", headers={"Authorization": given}).status_code == 200
    twice = [("Authorization", "Bearer token"), ("Authorization", "Bearer token")]
    assert client.get("/api/jobs", headers=twice).status_code == 401


def test_the_token_helps_no_page_of_another_site() -> None:
    headers = {"Authorization": "Bearer token", "Origin": "https://evil.example"}
    assert guarded(token="token").post("/api/jobs", headers=headers).status_code == 403


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ],
    ids=str,
)
def test_pages_of_other_sites_change_nothing(method: str, headers: dict[str, str]) -> None:
    answer = guarded().request(method, "/", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "MP827")


def test_our_own_page_and_programs_may_write() -> None:
    assert guarded().post("/").status_code == 200
    assert guarded().post("/", headers={"Origin": f"http://{OWN}"}).status_code == 200


def test_a_link_from_elsewhere_leads_here_but_nothing_is_fetched() -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert guarded().get("/", headers=elsewhere).status_code == 403
    assert guarded().get("/", headers={**elsewhere, "Sec-Fetch-Mode": "navigate"}).is_success


def test_too_many_requests_are_told_when_to_come_again() -> None:
    answer = guarded(open_requests=0).get("/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "MP828")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("path", ["/", "/assets/serve.js", "/api/jobs", "/api/jobs/none", "/none"])
def test_every_answer_has_the_headers_and_no_cookie(served: Any, path: str) -> None:
    answer = served.client.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "Set-Cookie" not in answer.headers
    assert not any(name.lower().startswith("access-control") for name in answer.headers)
    refused = served.client.get(path, headers={"Host": "evil.example"})
    assert refused.headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_the_log_has_a_line_for_each_request_and_nothing_of_its_texts(
    serving: Callable[..., Any],
) -> None:
    served = serving()
    served.client.post("/api/jobs", json=work(metrics=["Geheimnis"], title="Geheimnis"))
    served.client.get("/a%0Ab?Geheimnis")
    assert len(served.log) == 2
    assert "POST /api/jobs 400" in served.log[0]
    assert "GET /a?b 404" in served.log[1]
    assert "Geheimnis" not in "".join(served.log)


def test_loopback_is_recognised() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.8.9.1", "::1", "[::1]", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.1.1", "example.org", ""]))
