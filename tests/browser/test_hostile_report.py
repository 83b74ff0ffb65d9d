"""Texts and names that try to be more than text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from browser.written_reports import HOSTILE, HOSTILE_SYSTEMS, MARKUP

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


def shown(page: Page) -> str:
    text: str = page.evaluate("document.getElementById('app').textContent")
    return text


def test_markup_is_shown_as_text(open_report: Open, hostile: Path) -> None:
    page = open_report(hostile, "#sort=-1")
    assert page.title() == "</title><b>Compared</b>"
    assert page.get_by_role("heading", level=1).inner_text() == "</title><b>Compared</b>"
    assert page.locator("#app :is(img, script, style, b, i, u)").count() == 0
    text = shown(page)
    for part in (MARKUP, HOSTILE[5], HOSTILE_SYSTEMS[0], "<u>0</u>", "⟨U+202E⟩name & <i>"):
        assert part in text


def test_controls_and_overrides_are_marks(open_report: Open, hostile: Path) -> None:
    page = open_report(hostile, "#segment=1&explainSystem=1&explainMetric=1")
    page.locator(".why .explain").wait_for()
    text = shown(page)
    assert "left ⟨U+202E⟩right-to-left override⟨U+202C⟩ and ⟨U+2066⟩ a bell ⟨U+0007⟩" in text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08]", text)


def test_findings_tags_and_ids_are_text_too(open_report: Open, hostile_findings: Path) -> None:
    page = open_report(hostile_findings, "#segment=0&explainSystem=0")
    page.get_by_role("dialog").locator("ul.findings").first.wait_for()
    page.locator("#changes .grid-row .tag").first.wait_for(state="attached")
    assert page.locator("#app :is(img, script, style)").count() == 0
    assert page.title() != "owned"
    text = shown(page)
    assert text.count(MARKUP) > 5
    assert not re.search("[\u202a-\u202e]", text)
    titles = page.evaluate("[...document.querySelectorAll('[title]')].map(one => one.title).join()")
    assert not re.search("[\u202a-\u202e]", titles)


def test_nul_is_a_mark(open_report: Open, nul: Path) -> None:
    page = open_report(nul, "#segment=0")
    page.locator(".why .explain").wait_for()
    text = shown(page)
    assert "left ⟨U+0000⟩ right" in text
    assert "\x00" not in text


def test_a_megabyte_is_cut_and_can_be_shown_whole(open_report: Open, hostile: Path) -> None:
    page = open_report(hostile, "#segment=6&explainSystem=1&explainMetric=1")
    dialog = page.get_by_role("dialog")
    page.locator(".why .explain").wait_for()
    assert page.locator(".why").evaluate("why => why.textContent.length") < 20_000
    dialog.get_by_role("button", name="Show all 1,000,000 characters").first.click()
    page.wait_for_function(
        "() => document.querySelector('.passage.long').textContent.length === 1000000"
    )
    assert page.locator(".grid-body").evaluate("body => body.textContent.length") < 50_000


def test_other_scripts_keep_their_direction(open_report: Open, hostile: Path) -> None:
    page = open_report(hostile)
    cell = page.locator(".grid-body bdi", has_text="שלום").first
    assert cell.evaluate("cell => getComputedStyle(cell).direction") == "rtl"


def test_emoji_and_stacked_marks_stay_whole(open_report: Open, hostile: Path) -> None:
    page = open_report(hostile)
    text = shown(page)
    assert HOSTILE[3] in text
    assert HOSTILE[4] in text
