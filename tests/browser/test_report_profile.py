"""Points lost by kind of error in the page of a report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.page_checks import contrast, violations
from browser.page_views import wait_for_text
from browser.written_reports import EXAMPLES, METRICS, command
from metaphrase.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
TABLE = "#profile table.profile"


def test_two_systems_are_compared_in_words_and_by_kind(open_report: Open, example: Path) -> None:
    page = open_report(example)
    page.keyboard.press("2")
    assert page.evaluate("document.activeElement.id") == "profile-title"
    wait_for_text(page, "#profile .verdict", "^system-a scores .* cobalt higher than system-b")
    heads = page.locator(f"{TABLE} thead").first.inner_text().split("\t")
    assert [head.strip() for head in heads] == [
        "Points lost by",
        "system-a",
        "system-b",
        "system-a loses less by",
    ]
    choice = page.locator("#profile").get_by_role("combobox", name="Metric")
    assert choice.locator("option").all_inner_texts() == list(METRICS)
    choice.select_option(label="ter")
    wait_for_text(page, "#profile .verdict", "ter lower \\(lower is better\\) than system-b")
    assert f"profile={METRICS.index('ter')}" in page.url


def test_a_link_opens_the_metric(open_report: Open, example: Path) -> None:
    page = open_report(example, f"#view=profile&profile={METRICS.index('chrf')}")
    wait_for_text(page, "#profile .verdict", "chrf higher")


def test_more_systems_than_columns_have_a_row_each(open_report: Open, tmp_path: Path) -> None:
    reference, *texts = (EXAMPLES / f"{name}.txt" for name in ("reference", "system-a", "system-b"))
    systems = [f"{name}={texts[place]}" for name, place in zip("abcd", (0, 1, 0, 1), strict=True)]
    report = tmp_path / "four.html"
    command(reference, "-i", *systems, "-m", "chrf", "--profile", "11", "-o", report)
    page = open_report(report)
    rows = page.locator(f"{TABLE}.rows tbody th")
    rows.first.wait_for()
    assert [name.strip() for name in rows.all_inner_texts()] == ["a", "c", "b", "d"]
    assert page.locator(f"{TABLE} thead th").first.inner_text() == "System"
    assert "a sample of 11 of 12 segments" in page.locator("#profile").inner_text()
    assert page.locator("#profile .verdict").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_by_all_and_on_small_screens(
    open_report: Open, example: Path, scheme: str
) -> None:
    page = open_report(example, "#view=profile", scheme)
    page.locator(TABLE).first.wait_for()
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert contrast(page)["poor"] == []
    assert violations(page, "#profile") == []
    for width in (1400, 400, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_two_systems_are_explained_as_a_whole_before_single_segments(
    open_report: Open, tmp_path: Path
) -> None:
    reference, *texts = (
        str(EXAMPLES / f"{name}.txt") for name in ("reference", "system-a", "system-b")
    )
    page_file = tmp_path / "why.html"
    options = ["-m", "chrf", "--compare", "--format", "html", "-o", str(page_file)]
    assert main(["explain", reference, "-i", *texts, *options]) == 0
    page = open_report(page_file, ready="table.profile")
    titles = page.locator("main h2").all_inner_texts()
    assert titles[0] == "All segments, by chrf"
    assert titles[1].startswith("Why the scores differ: segment")
    wait_for_text(page, ".explained-segments .verdict", "^system-a scores 19.8 chrf higher")
    for width in (1400, 400):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
