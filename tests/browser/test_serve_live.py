"""The page of a server that runs: from files that are dropped to the explanation of a score."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from serve.requests import EXAMPLES
from serve.server_process import LiveServer, live_servers

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: Milliseconds for whatever the page waits for; a busy machine takes its time to load a metric.
PATIENCE = 120_000
#: Drops a file as a mouse does: the browser has no other way to be told.
DROP = """([field, name, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name, { type: "text/plain" }));
  const target = document.querySelector(`[role=group][aria-label="${field}"]`);
  for (const kind of ["dragover", "drop"])
    target.dispatchEvent(new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_servers(tmp_path_factory.mktemp("serve")) as start:
        yield start("--workers", "1")


@pytest.fixture
def page(chromium: Browser, server: LiveServer) -> Iterator[Page]:
    """The page, which in the end must not have complained or asked anybody else."""
    complaints: list[str] = []
    requests: list[str] = []
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.on("request", lambda request: requests.append(request.url))
    page.goto(server.address)
    page.get_by_role("button", name="Evaluate").wait_for()
    yield page
    context.close()
    assert complaints == []
    assert all(url.startswith((server.address, "blob:", "data:")) for url in requests)


def drop(page: Page, field: str, name: str, text: str | None = None) -> None:
    content = (EXAMPLES / name).read_text("utf-8") if text is None else text
    page.evaluate(DROP, [field, name, content])


def test_files_are_dropped_scored_browsed_explained_and_exported(
    page: Page, server: LiveServer, tmp_path: Path
) -> None:
    drop(page, "References", "reference.txt")
    drop(page, "Systems", "system-a.txt")
    drop(page, "Systems", "system-b.txt")
    page.get_by_role("button", name="None of the metrics").click()
    page.get_by_text("further metrics").click()
    for metric in ("cobalt", "tesla-m"):
        page.get_by_role("checkbox", name=re.compile(f"^{metric}")).check()
    page.get_by_label("Title (optional)").fill("<b>Demo</b>")
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_role("table", name="Systems by all metrics").wait_for()
    assert page.get_by_role("heading", level=1).inner_text() == "<b>Demo</b>"
    page.locator(".grid-body .grid-row .text bdi").first.wait_for()
    page.locator(".grid-body .grid-row").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Metric").select_option(label="cobalt")
    page.locator(".why .explain").wait_for()
    dialog.get_by_text("system-a scores higher than system-b by").wait_for()
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as JSON").click()
    download.value.save_as(tmp_path / "scores.json")
    scores = json.loads((tmp_path / "scores.json").read_bytes())
    assert [metric["name"] for metric in scores["metrics"]] == ["cobalt", "tesla-m"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as XLSX").click()
    download.value.save_as(tmp_path / "report.xlsx")
    with zipfile.ZipFile(tmp_path / "report.xlsx") as book:
        assert b"system-a: cobalt" in book.read("xl/worksheets/sheet2.xml")
    page.get_by_role("link", name="New evaluation").click()
    page.get_by_role("link", name="<b>Demo</b>").wait_for()


def test_the_example_and_a_pasted_sentence_are_evaluated(page: Page, server: LiveServer) -> None:
    page.get_by_role("button", name="See an example").click()
    page.get_by_role("table", name="Systems by all metrics").wait_for()
    page.get_by_role("link", name="New evaluation").click()
    form = page.get_by_role("form", name="One sentence")
    form.get_by_label("Reference").fill("The doctor advised him to stop smoking.")
    form.get_by_label("Translation").fill("The doctor told him to quit smoking.")
    form.get_by_role("button", name="Explain").click()
    page.get_by_role("dialog").locator(".why .explain").wait_for()


def test_a_mistake_is_shown_as_the_command_line_says_it(page: Page) -> None:
    drop(page, "References", "reference.txt")
    drop(page, "Systems", "short.txt", "One line.\n")
    page.get_by_role("button", name="Evaluate").click()
    shown = page.get_by_role("alert")
    shown.wait_for()
    for part in ("MP102", "reference.txt has 12, short.txt has 1", "Every file needs one line"):
        assert part in shown.inner_text()


def test_hostile_names_and_texts_are_shown_as_text(page: Page) -> None:
    name = "<img src=x onerror=alert(1)>"
    drop(page, "References", "r.txt", "a reference\n")
    drop(page, "Systems", name, "<script>document.title = 'owned'</script>\u202e!\n")
    page.get_by_role("button", name="Evaluate").click()
    page.get_by_role("table", name="Systems by all metrics").get_by_text(name).wait_for()
    page.locator(".grid-body .grid-row .text bdi").first.wait_for()
    assert "<script>" in page.locator(".grid-body .grid-row .text").first.inner_text()
    assert "owned" not in page.title()
    assert page.locator("img").count() == 0
