"""A headless Chromium, and pages that must not complain or ask the network for anything."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from browser.synthetic_report import SyntheticReport, synthetic_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ASSETS = Path(__file__).parents[2] / "src/metaphrase/report/assets"


def unavailable(reason: str) -> None:
    """Skip, unless the run was told that a browser must be there."""
    if os.environ.get("METAPHRASE_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("Playwright is not installed (requirements/developer.txt)")
    path = (
        os.environ.get("METAPHRASE_CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
    )
    if path is None:
        unavailable("no chromium: install it, or name it in METAPHRASE_CHROMIUM")
    with sync_playwright() as playwright:
        # The sandbox needs privileges that containers lack; the pages are our own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Watch:
    """What a page has complained about and asked for."""

    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def over(self, page: Page) -> None:
        page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text)
                if message.type in {"error", "warning"}
                else None
            ),
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))


class OpenReport(Protocol):
    def __call__(self, report: Path, fragment: str = "", **options: Any) -> Page: ...


@pytest.fixture
def open_report(chromium: Browser) -> Iterator[OpenReport]:
    """Opens a report; afterwards it must have been silent and must have fetched only itself."""
    watch = Watch()
    contexts = []
    opened = []

    def open_page(report: Path, fragment: str = "", **options: Any) -> Page:
        context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        watch.over(page)
        address = report.as_uri()
        opened.append(address)
        page.goto(address + fragment)
        page.locator(".grid-body .grid-row .text bdi").first.wait_for(state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert watch.complaints == []
    assert {request.split("#")[0] for request in watch.requests} <= set(opened)


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports by name, written once."""
    folder = tmp_path_factory.mktemp("reports")
    reports: dict[str, SyntheticReport] = {
        "plain": synthetic_report(),
        "hostile": synthetic_report(hostile=True),
        "large": synthetic_report(5000, 10),
    }
    paths = {}
    for name, report in reports.items():
        paths[name] = folder / f"{name}.html"
        paths[name].write_text(report.html(ASSETS), encoding="utf-8")
    return paths
