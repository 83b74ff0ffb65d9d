"""A report of localisation files: what checks found, tags in their places, and two versions side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.page_checks import contrast, violations
from browser.page_views import wait_for_status, wait_for_text
from browser.test_report_excel import rows, saved

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


def texts(page: Page, selector: str) -> list[str]:
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def test_a_number_of_findings_leads_to_their_segments(open_report: Open, localised: Path) -> None:
    page = open_report(localised)
    page.get_by_role("button", name="2 numbers/other of after").click()
    wait_for_status(page, "^2 rows of 20 with numbers/other")
    assert "finding=numbers%2Fother" in page.url
    assert texts(page, "#segments .grid-body .cell.segment") == ["5", "7"]
    findings = page.locator("#segments").get_by_role("combobox", name="Findings")
    findings.select_option("critical")
    wait_for_status(page, "^1 row of 20 with critical findings")
    page.go_back()
    assert findings.input_value() == "numbers/other"


def test_an_open_segment_marks_findings_and_has_chips_for_tags(
    open_report: Open, localised: Path
) -> None:
    page = open_report(localised, "#segment=4&explainSystem=1")
    dialog = page.get_by_role("dialog")
    dialog.locator(".chosen mark.finding.major").wait_for()
    assert dialog.locator(".chosen mark.finding").inner_text() == "41"
    assert "14 became 41." in dialog.locator(".chosen ul.findings").inner_text()
    assert "trial.end" in dialog.get_by_role("heading", level=2).inner_text()
    page = open_report(localised, "#segment=5&explainSystem=0")
    source = page.get_by_role("dialog").locator(".given", has_text="Source").locator(".passage")
    source.locator(".tag.critical").wait_for()
    # What a reader marks and copies is the text alone.
    source.evaluate("node => getSelection().selectAllChildren(node)")
    assert page.evaluate("getSelection().toString()").strip() == "Read our guide for more."


def test_changes_stand_side_by_side_the_worst_first(open_report: Open, localised: Path) -> None:
    page = open_report(localised, "#view=changes")
    grid = page.get_by_role("grid", name="Changed segments")
    grid.locator("del").first.wait_for()
    assert (
        "9 of 10 segments changed: 7 score higher, 2 lower"
        in page.locator(".report-head").inner_text()
    )
    assert texts(page, "#changes .grid-body .cell.segment")[:2] == ["3", "5"]
    assert texts(page, "#changes .grid-body .grid-row:nth-child(2) :is(del, ins)") == ["14", "41"]
    page.locator("#changes").get_by_role("combobox", name="Show").select_option("gone")
    wait_for_text(page, "#changes [role=status]", "^3 changed segments of 9")
    grid.locator(".grid-row", has_text="1 gone").first.click()
    dialog = page.get_by_role("dialog")
    dialog.locator(".versions ins").first.wait_for()
    assert dialog.get_by_role("combobox", name="Against").input_value() == "0"
    # The next segment is that of this list, not of the other one.
    page.keyboard.press("j")
    dialog.get_by_role("heading", name="Segment 6").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fragment", ["#view=changes", "#segment=4&explainSystem=1"])
def test_everybody_can_read_it_on_every_screen(
    open_report: Open, localised: Path, scheme: str, fragment: str
) -> None:
    page = open_report(localised, fragment, scheme)
    page.locator("del").first.wait_for()
    assert contrast(page)["poor"] == []
    assert violations(page, ".segment-dialog" if "segment" in fragment else "body", []) == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_workbook_has_a_sheet_of_findings(
    open_report: Open, localised: Path, tmp_path: Path
) -> None:
    book = saved(open_report(localised), tmp_path)
    assert book.sheetnames == ["Systems", "Documents", "Findings", "Segments"]
    names, *found = rows(book["Findings"])
    assert len(found) == 8
    row = dict(zip(names, next(row for row in found if row[2] == "trial.end"), strict=True))
    assert (row["Severity"], row["Message"], row["Change"]) == ("major", "14 became 41.", "new")


def test_views_have_the_keys_of_their_places(open_report: Open, localised: Path) -> None:
    page = open_report(localised)
    page.keyboard.press("3")
    assert page.evaluate("document.activeElement.id") == "findings-title"
    page.keyboard.press("6")
    assert page.evaluate("document.activeElement.id") == "segments-title"
