"""The page of ``serve`` against answers that are written down here: what it sends, and what it shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.page_checks import contrast, violations
from browser.written_reports import EXAMPLES, report_data
from metaphrase.corpus import read_tsv
from metaphrase.report.dataset import ReportData

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

ASSETS = Path(__file__).parents[2] / "src/metaphrase/report/assets"
HOME = "http://metaphrase.test/"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
STATUS = {
    "version": "0.0.0",
    "limits": {"upload_bytes": 50_000_000, "segments": 20_000},
    "defaults": {"lang": "en", "metrics": ["bleu"]},
}
OFFERED = [
    {"name": "bleu", "languages": None, "description": "n-gram precision", "obstacles": []},
    {"name": "cobalt", "languages": ["en", "de"], "description": "words and their context"},
    {"name": "celab", "languages": ["zh"], "description": "characters with synonyms"},
]


@cache
def judged() -> ReportData:
    return report_data(read_tsv(EXAMPLES / "judgements.tsv"), ["bleu", "cobalt"])


@dataclass
class Server:
    """Answers as the real one; each question about a job moves it on."""

    report: ReportData = field(default_factory=judged)
    states: list[dict[str, Any]] = field(default_factory=list)
    refusal: dict[str, Any] | None = None
    token: str | None = None
    sent: list[dict[str, Any]] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    #: ``None``: the metrics are not known yet.
    offered: list[dict[str, Any]] | None = field(default_factory=lambda: OFFERED)
    asked: list[Route] = field(default_factory=list)

    def answer(self, route: Route) -> None:
        method, path = route.request.method, route.request.url.removeprefix(HOME).split("?")[0]
        name = path.removeprefix("assets/") if path else "serve.html"
        if name in {"serve.html", "serve.js", "serve.css"}:
            kind = {"html": "text/html", "js": "text/javascript", "css": "text/css"}[
                name.rsplit(".", 1)[1]
            ]
            headers = {"Content-Security-Policy": POLICY, "Content-Type": f"{kind}; charset=utf-8"}
            route.fulfill(body=(ASSETS / name).read_bytes(), headers=headers)
        elif self.token and route.request.headers.get("authorization") != f"Bearer {self.token}":
            route.fulfill(status=401, json={"error": {"code": "MP837", "message": "no token"}})
        elif path == "api/status":
            route.fulfill(json=STATUS)
        elif path == "api/metrics":
            self.asked.append(route)
            if self.offered is not None:
                route.fulfill(json=self.offered)
        elif path == "api/jobs" and method == "GET":
            route.fulfill(
                json=[
                    {
                        "id": "j0",
                        "title": "<i>old</i>",
                        "state": "done",
                        "created": "2026-01-02T03:04:05Z",
                    }
                ]
            )
        elif path == "api/jobs":
            self.sent.append(json.loads(route.request.post_data or "{}"))
            if self.refusal:
                route.fulfill(status=422, json={"error": self.refusal})
            else:
                route.fulfill(status=202, json={"id": "j1"})
        elif method == "DELETE":
            self.deleted.append(path)
            self.states = [{"state": "cancelled"}]
            route.fulfill(status=204)
        elif path.endswith("/overview"):
            route.fulfill(json={**self.report.overview, "explained": "live"})
        elif "/blocks/" in path:
            route.fulfill(body=self.report.packed[path.split("/blocks/")[1]])
        elif path.endswith("/explanation"):
            explanations = json.loads(self.report.block("explanations/0"))
            route.fulfill(json=explanations["1/0/0"])
        elif path.endswith("/export"):
            route.fulfill(
                body="{}", headers={"Content-Disposition": 'attachment; filename="scores.json"'}
            )
        else:
            route.fulfill(json=self.states.pop(0) if len(self.states) > 1 else self.states[0])


Visit = Callable[..., "Page"]


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    complaints: list[str] = []
    contexts = []

    def open_page(server: Server, fragment: str = "") -> Page:
        context = chromium.new_context(viewport={"width": 1100, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            # A refusal is shown by the page; that the browser notes it too is fine.
            lambda message: (
                complaints.append(message.text)
                if message.type == "error" and not re.search("status of (401|422)", message.text)
                else None
            ),
        )
        page.route("**/*", server.answer)
        page.goto(HOME + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def choose(page: Page, label: str, *files: tuple[str, bytes]) -> None:
    page.get_by_label(label, exact=True).locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files]
    )


def whole_files(page: Page) -> Locator:
    return page.get_by_role("form", name="Whole files")


def test_files_are_sent_and_the_report_is_shown(visit: Visit) -> None:
    server = Server(
        states=[
            {"state": "queued", "done": 0, "total": 0, "stage": ""},
            *[{"state": "running", "done": 3, "total": 12, "stage": "Scoring bleu"}] * 4,
            {"state": "done", "done": 12, "total": 12, "stage": ""},
        ]
    )
    page = visit(server)
    assert page.get_by_role("button", name="Evaluate").is_disabled()
    assert "Still needed: a reference, a system." in whole_files(page).inner_text()
    assert "upload: 50.0 MB" in whole_files(page).inner_text()
    choose(page, "References", ("ref.txt", "é\n".encode()))
    choose(page, "Systems", ("a.txt", b"e\n"), ("b.txt.gz", b"\x1f\x8b\x08\x00"))
    further = page.get_by_text("2 further metrics")
    assert not page.get_by_role("checkbox", name="cobalt").is_visible()
    further.click()
    page.get_by_role("checkbox", name="cobalt").check()
    assert further.inner_text() == "2 further metrics, 1 chosen"
    assert page.get_by_role("checkbox", name="celab").is_disabled()
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_text("Scoring bleu (3 of 12)").wait_for()
    page.get_by_role("table", name="Systems by all metrics").wait_for()
    assert server.sent == [
        {
            "lang": "en",
            "metrics": ["bleu", "cobalt"],
            "references": [{"name": "ref.txt", "text": "é\n"}],
            "systems": [
                {"name": "a.txt", "text": "e\n"},
                {"name": "b.txt.gz", "base64": "H4sIAA=="},
            ],
        }
    ]
    assert "job=j1" in page.url


def test_the_page_is_there_before_its_metrics(visit: Visit) -> None:
    server = Server(states=[{"state": "running"}], offered=None)
    page = visit(server)
    page.get_by_text("Finding out which metrics can run here …").wait_for()
    choose(page, "References", ("ref.txt", b"a\n"))
    choose(page, "Systems", ("hyp.txt", b"a\n"))
    assert page.get_by_role("button", name="Evaluate").is_enabled()
    recommended = page.get_by_role("checkbox", name="bleu")
    recommended.focus()
    server.asked[0].fulfill(json=OFFERED)
    page.get_by_text("2 further metrics").wait_for()
    assert page.get_by_text("Finding out which").is_hidden()
    assert recommended.evaluate("box => box === document.activeElement")
    assert recommended.is_checked()


def test_a_metric_that_cannot_run_here_says_what_it_lacks(visit: Visit) -> None:
    lacks = {"message": "[MP970] Paraphrases are missing.", "languages": ["en"]}
    meteor = {"name": "meteor", "languages": ["de", "en"], "obstacles": [lacks]}
    page = visit(Server(states=[{"state": "running"}], offered=[*OFFERED, meteor]))
    page.get_by_text("3 further metrics, 1 of them lacks something here").click()
    box = page.get_by_role("checkbox", name="meteor")
    assert box.is_disabled()
    page.get_by_text("cannot run here: [MP970] Paraphrases are missing.").wait_for()
    page.get_by_role("button", name="All metrics").click()
    assert not box.is_checked()
    page.get_by_role("combobox", name="Language of the translations").fill("de")
    assert box.is_enabled()


def test_the_language_check_can_be_switched_off(visit: Visit) -> None:
    server = Server(states=[{"state": "running"}])
    page = visit(server)
    choose(page, "References", ("ref.txt", b"a\n"))
    choose(page, "Systems", ("hyp.txt", b"a\n"))
    page.get_by_role("checkbox", name="Warn if texts do not look like this language").uncheck()
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_role("button", name="Cancel").wait_for()
    assert server.sent[0]["check_language"] is False


def test_localisation_files_are_checked_and_versions_compared_if_there_are_any(
    visit: Visit,
) -> None:
    server = Server(states=[{"state": "running"}])
    page = visit(server)
    checks = page.get_by_role("checkbox", name="Check numbers, tags, placeholders")
    changes = page.get_by_role("checkbox", name="The second system is a new version")
    choose(page, "Systems", ("old.txt", b"a\n"))
    assert checks.is_disabled()
    assert changes.is_disabled()
    choose(page, "References", ("ref.xlf", b"<xliff/>"))
    choose(page, "Systems", ("new.xlf", b"<xliff/>"))
    assert checks.is_checked()
    changes.check()
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_role("button", name="Cancel").wait_for()
    assert server.sent[0]["checks"] is True
    assert server.sent[0]["changes"] is True
    assert "check_language" not in server.sent[0]


def test_a_sentence_is_pasted_and_its_explanation_opens(visit: Visit) -> None:
    server = Server(states=[{"state": "done"}])
    page = visit(server)
    form = page.get_by_role("form", name="One sentence")
    explain = form.get_by_role("button", name="Explain")
    assert "Still needed: a reference, a translation." in form.inner_text()
    form.get_by_label("Reference").fill("The cat\nsat.")
    assert explain.is_disabled()
    form.get_by_label("Translation").fill("A cat sat.")
    explain.click()
    page.get_by_role("dialog").get_by_role("heading", name="Segment 1").wait_for()
    assert server.sent == [
        {
            "title": "A cat sat.",
            "lang": "en",
            "metrics": ["bleu"],
            "references": [{"name": "reference.txt", "text": "The cat sat.\n"}],
            "systems": [{"name": "translation.txt", "text": "A cat sat.\n"}],
        }
    ]


def test_the_example_is_a_click_away(visit: Visit) -> None:
    server = Server(states=[{"state": "done"}])
    page = visit(server)
    page.get_by_role("button", name="See an example").click()
    page.get_by_role("table", name="Systems by all metrics").wait_for()
    assert server.sent[0]["source"]["text"] == (EXAMPLES / "source.txt").read_text("utf-8")


def test_a_token_is_asked_for_and_remembered(visit: Visit) -> None:
    page = visit(Server(token="right", states=[{"state": "done"}]), "#job=j1")
    field = page.get_by_role("textbox", name="Token")
    field.fill("wrong")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("MP837").wait_for()
    assert violations(page) == []
    field.fill("right")
    page.keyboard.press("Enter")
    page.get_by_role("table", name="Systems by all metrics").wait_for()
    page.goto(HOME)
    page.reload()
    page.get_by_role("link", name="<i>old</i>").wait_for()


def test_a_token_in_the_address_is_taken_out_of_it(visit: Visit) -> None:
    page = visit(Server(token="right", states=[{"state": "done"}]), "#token=right&job=j1")
    page.get_by_role("table", name="Systems by all metrics").wait_for()
    assert "job=j1" in page.url
    assert "right" not in page.url
    page.goto(HOME + "#token=wrong")
    page.get_by_role("alert").get_by_text("MP837").wait_for()
    page.goto(HOME + "#token=right")
    page.get_by_role("link", name="<i>old</i>").wait_for()
    assert page.url == HOME


def test_systems_of_one_file_name_are_both_kept_and_named(visit: Visit) -> None:
    server = Server(states=[{"state": "running", "done": 1, "total": 2, "stage": "Scoring"}])
    page = visit(server)
    choose(page, "References", ("ref.txt", b"a\n"))
    choose(page, "Systems", ("hyp.txt", b"first\n"))
    choose(page, "Systems", ("hyp.txt", b"second\n"))
    names = page.get_by_label("Name of the system in hyp.txt")
    assert names.count() == 2
    assert "different names for the systems" in whole_files(page).inner_text()
    assert page.get_by_role("button", name="Evaluate").is_disabled()
    assert [name.get_attribute("aria-invalid") for name in names.all()] == ["true", "true"]
    names.nth(1).fill("ours/new")
    assert names.nth(0).get_attribute("aria-invalid") == "false"
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_text("Scoring").wait_for()
    assert server.sent[0]["systems"] == [
        {"name": "hyp.txt", "text": "first\n"},
        {"name": "ours_new.txt", "text": "second\n"},
    ]


def test_any_language_can_be_typed(visit: Visit) -> None:
    server = Server(states=[{"state": "running", "done": 1, "total": 2, "stage": "Scoring"}])
    page = visit(server)
    choose(page, "References", ("ref.txt", b"a\n"))
    choose(page, "Systems", ("hyp.txt", b"a\n"))
    language = page.get_by_role("combobox", name="Language of the translations")
    page.get_by_text("2 further metrics").click()
    suggested = whole_files(page).locator("datalist option[value=ja]")
    assert suggested.text_content() == "Japanese"
    language.fill("zh")
    assert page.get_by_role("checkbox", name="celab").is_enabled()
    language.fill("no code")
    assert "Still needed: a language" in whole_files(page).inner_text()
    assert language.get_attribute("aria-invalid") == "true"
    language.fill("ja")
    page.get_by_role("status").get_by_text("Japanese", exact=True).wait_for()
    assert page.get_by_role("checkbox", name="cobalt").is_disabled()
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_text("Scoring").wait_for()
    assert server.sent[0]["lang"] == "ja"


def test_a_deletion_is_asked_about_and_keeps_the_keyboard_in_place(visit: Visit) -> None:
    server = Server(states=[{"state": "done"}])
    page = visit(server)
    delete = page.get_by_role("button", name="Delete <i>old</i>")
    delete.click()
    question = page.get_by_role("dialog", name="Delete “<i>old</i>”?")
    assert violations(page, "dialog.question") == []
    page.keyboard.press("Enter")  # the focus is on the button that keeps it
    question.wait_for(state="detached")
    assert server.deleted == []
    delete.click()
    question.get_by_role("button", name="Delete").click()
    page.wait_for_function(
        "() => document.activeElement.getAttribute('aria-label') === 'Delete <i>old</i>'"
    )
    assert server.deleted == ["api/jobs/j0"]


def test_the_report_of_a_job_is_deleted_only_after_a_question(visit: Visit) -> None:
    server = Server(states=[{"state": "done"}])
    page = visit(server, "#job=j1")
    page.get_by_role("button", name="Delete this evaluation").click()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    assert server.deleted == []
    page.get_by_role("button", name="Delete this evaluation").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_function("() => document.activeElement.id === 'new-title'")
    assert server.deleted == ["api/jobs/j1"]


def test_a_refused_upload_shows_code_place_message_and_hint(visit: Visit) -> None:
    refusal = {
        "code": "MP101",
        "message": "a.txt has 2 lines, <ref.txt> has 1",
        "path": "a.txt",
        "line": 2,
        "hint": "Give files of one length.",
    }
    page = visit(Server(refusal=refusal))
    choose(page, "References", ("ref.txt", b"a\n"))
    choose(page, "Systems", ("a.txt", b"a\nb\n"))
    page.get_by_role("button", name="Evaluate").click()
    shown = page.get_by_role("alert")
    shown.wait_for()
    for part in ("MP101", "a.txt:2", "<ref.txt> has 1", "Give files of one length."):
        assert part in shown.inner_text()


def test_a_failed_job_shows_its_error(visit: Visit) -> None:
    error = {"code": "MP831", "message": "took too long", "path": None, "line": None, "hint": None}
    page = visit(Server(states=[{"state": "failed", "error": error}]), "#job=j1")
    page.get_by_role("alert").wait_for()
    assert "MP831" in page.get_by_role("alert").inner_text()


def test_a_running_job_can_be_cancelled(visit: Visit) -> None:
    server = Server(states=[{"state": "running", "done": 1, "total": 2, "stage": "Scoring"}])
    page = visit(server, "#job=j1")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("This evaluation was cancelled.").wait_for()
    assert server.deleted == ["api/jobs/j1"]


def test_earlier_jobs_open_explain_live_and_are_exported(visit: Visit) -> None:
    page = visit(Server(states=[{"state": "done"}]))
    page.get_by_role("link", name="<i>old</i>").click()
    page.locator(".grid-body .grid-row .text bdi").first.wait_for()
    page.locator(".grid-body .grid-row").first.click()
    page.get_by_role("dialog").get_by_role("combobox", name="Metric").select_option(label="cobalt")
    page.locator(".why .explain").wait_for()
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as JSON").click()
    assert download.value.suggested_filename == "scores.json"
    page.get_by_role("link", name="New evaluation").click()
    page.get_by_role("heading", name="Whole files").wait_for()


@pytest.mark.parametrize(
    ("states", "fragment", "ready"),
    [
        ([{"state": "done"}], "", "form"),
        ([{"state": "running", "done": 1, "total": 2, "stage": "Scoring"}], "#job=j1", "progress"),
        ([{"state": "done"}], "#job=j1", ".grid-body .grid-row .text bdi"),
    ],
    ids=["form", "progress", "report"],
)
def test_the_checker_finds_nothing(
    visit: Visit, states: list[dict[str, Any]], fragment: str, ready: str
) -> None:
    page = visit(Server(states=states), fragment)
    page.locator(ready).first.wait_for()
    assert contrast(page)["poor"] == []
    assert violations(page) == []


def test_a_server_that_is_gone_is_said_to_be_gone(chromium: Browser) -> None:
    context = chromium.new_context()
    page = context.new_page()
    server = Server()
    page.route(
        "**/*",
        lambda route: route.abort() if "/api/" in route.request.url else server.answer(route),
    )
    page.goto(HOME)
    page.get_by_role("alert").wait_for()
    assert "The server does not answer." in page.get_by_role("alert").inner_text()
    context.close()
