"""A headless Chromium, and pages that must not complain or ask the network for anything."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from browser import written_reports

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


#: What is there when a report has been drawn.
FIRST_ROW = ".grid-body .grid-row .text bdi"


def unavailable(reason: str) -> NoReturn:
    """Skip, unless the run was told that a browser must be there."""
    if os.environ.get("METAPHRASE_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where the browser is, once it is known that one can be driven."""
    if find_spec("playwright") is None:
        unavailable("Playwright is not installed (requirements/developer.txt)")
    path = (
        os.environ.get("METAPHRASE_CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
    )
    if path is None:
        unavailable("no chromium: install it, or name it in METAPHRASE_CHROMIUM")
    return path


@pytest.fixture(scope="module")
def chromium(chromium_path: str) -> Iterator[Browser]:
    """A browser for one module: as long as it runs, no other test can have an event loop."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # The sandbox needs privileges that containers lack; the pages are our own.
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def context(chromium: Browser) -> Iterator[Callable[[str], BrowserContext]]:
    """Light or dark; pages keep nothing, so that all of one scheme can share it."""
    known: dict[str, BrowserContext] = {}

    def of(scheme: str) -> BrowserContext:
        if scheme not in known:
            known[scheme] = chromium.new_context(
                viewport={"width": 1280, "height": 900},
                reduced_motion="reduce",
                color_scheme=scheme,
            )
        return known[scheme]

    yield of
    for one in known.values():
        one.close()


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


@pytest.fixture
def open_report(context: Callable[[str], BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Opens a report; afterwards it must have been silent and must have fetched only itself."""
    watch = Watch()
    pages: list[Page] = []
    opened: set[str] = set()

    def open_page(
        report: Path, fragment: str = "", scheme: str = "light", ready: str = FIRST_ROW
    ) -> Page:
        page = context(scheme).new_page()
        pages.append(page)
        page.set_default_timeout(20_000)
        watch.over(page)
        opened.add(report.as_uri())
        page.goto(report.as_uri() + fragment)
        page.locator(ready).first.wait_for(state="attached")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert watch.complaints == []
    assert {request.split("#")[0] for request in watch.requests} <= opened


def written(write: Callable[[Path], None]) -> Any:
    """A fixture: the report that ``write`` writes, once a session, after a browser was found."""

    @pytest.fixture(scope="session")
    def report(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
        page: Path = tmp_path_factory.mktemp("report") / "report.html"
        write(page)
        return page

    return report


example = written(written_reports.write_example)
sourced = written(written_reports.write_sourced)
domains = written(written_reports.write_domains)
localised = written(written_reports.write_localised)
judged = written(written_reports.write_judged)
predicted = written(written_reports.write_predicted)
doubtful = written(written_reports.write_doubtful)
hostile = written(written_reports.write_hostile)
hostile_findings = written(written_reports.write_hostile_findings)
nul = written(written_reports.write_nul)
below_zero = written(written_reports.write_below_zero)
long_names = written(written_reports.write_long_names)
short = written(written_reports.write_short)
long_list = written(written_reports.write_long_list)
outlier = written(written_reports.write_outlier)
large = written(written_reports.write_large)
