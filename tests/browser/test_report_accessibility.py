"""What a reader with poor sight, a small screen or a screen reader gets of a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.page_checks import contrast, violations
from browser.written_reports import LONG_NAMES

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")


def explanations(page: Page) -> Iterator[str]:
    """Goes through the explanations of an open segment."""
    select = page.get_by_role("dialog").get_by_role("combobox", name="Metric")
    for metric in ("cobalt", "ppda+f", "pbe", "tesla-m", "ter"):
        select.select_option(label=metric)
        page.locator(".why .explain h3, .why .explain h4", has_text=metric).first.wait_for()
        unfold(page)
        yield metric


class TestContrast:
    @SCHEMES
    def test_of_texts(self, open_report: Open, judged: Path, scheme: str) -> None:
        page = open_report(judged, "#table=0", scheme)
        unfold(page)
        seen = contrast(page)
        assert seen["texts"] > 150
        assert seen["poor"] == []

    @SCHEMES
    def test_of_explanations_at_rest_and_in_focus(
        self, open_report: Open, example: Path, scheme: str
    ) -> None:
        page = open_report(example, "#segment=0&explainSystem=1", scheme)
        for metric in explanations(page):
            seen = contrast(page)
            assert seen["drawn"] > 20, metric
            assert seen["poor"] == [], metric
            page.locator(".explain-drawing [tabindex='0']").focus()
            page.keyboard.press("ArrowRight")
            assert page.locator(".explain-looking").count() == 1
            assert contrast(page)["poor"] == [], metric

    def test_schemes_differ(self, open_report: Open, example: Path) -> None:
        light, dark = (
            open_report(example, "", scheme).evaluate(
                "getComputedStyle(document.body).backgroundColor"
            )
            for scheme in ("light", "dark")
        )
        assert light != dark


class TestNamesAndRoles:
    @pytest.mark.parametrize(
        ("scheme", "rules"), [("light", []), ("dark", ["color-contrast"])], ids=["light", "dark"]
    )
    def test_the_checker_finds_nothing(
        self, open_report: Open, example: Path, judged: Path, scheme: str, rules: list[str]
    ) -> None:
        page = open_report(judged, "#table=0&view=segments", scheme)
        unfold(page)
        assert violations(page, "body", rules) == []
        page = open_report(example, "#segment=0&explainSystem=1", scheme)
        for metric in explanations(page):
            assert violations(page, ".segment-dialog", rules) == [], metric

    @SCHEMES
    @pytest.mark.parametrize("fragment", ["", "#table=0", "#segment=0&explainSystem=1&versus=0"])
    def test_the_checker_finds_nothing_in_prediction_intervals(
        self, open_report: Open, predicted: Path, scheme: str, fragment: str
    ) -> None:
        page = open_report(predicted, fragment, scheme)
        assert contrast(page)["poor"] == []
        place = ".segment-dialog" if "segment" in fragment else "body"
        assert violations(page, place, []) == []
        page.set_viewport_size({"width": 360, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    @pytest.mark.parametrize("fragment", ["", "#segment=0", "#choice=systems&table=1"])
    def test_every_control_has_a_name(
        self, open_report: Open, example: Path, fragment: str
    ) -> None:
        page = open_report(example, fragment)
        snapshot = page.locator("body").aria_snapshot()
        roles = (
            "button|link|combobox|searchbox|textbox|spinbutton|radio|checkbox|grid|table|dialog"
            "|navigation|region|search|application|tab"
        )
        nameless = [
            line
            for line in snapshot.splitlines()
            if re.match(rf"\s*- ({roles})(\s*\[[^\]]*\])*:?\s*$", line)
        ]
        assert nameless == []

    def test_the_page_has_the_landmarks_and_headings(
        self, open_report: Open, example: Path
    ) -> None:
        page = open_report(example)
        snapshot = page.locator("body").aria_snapshot()
        for part in (
            'navigation "Views"',
            "- main",
            'heading "Distributions" [level=2]',
            'grid "Segments"',
            'search "Filter segments"',
            "- status",
        ):
            assert part in snapshot
        grid = page.get_by_role("grid", name="Segments")
        assert grid.get_attribute("aria-rowcount") == "25"
        assert grid.get_by_role("row").nth(1).get_attribute("aria-rowindex") == "2"


class TestLongNames:
    def test_can_be_told_apart_and_are_told_whole(
        self, open_report: Open, long_names: Path
    ) -> None:
        page = open_report(long_names)
        places = ("#systems tbody th", "#distributions tbody th", "#scatter .legend li")
        for place in (*places, ".grid-body .of-system"):
            cells = page.locator(place)
            shown = cells.locator("bdi").all_inner_texts()[: len(LONG_NAMES)]
            assert len(set(shown)) == len(LONG_NAMES), place
            assert all(len(name) <= 24 for name in shown), place
            whole = {cell.locator("[title]").get_attribute("title") for cell in cells.all()}
            assert whole == set(LONG_NAMES), place
        snapshot = page.locator("#systems table").first.aria_snapshot()
        assert all(f'rowheader "{name}"' in snapshot for name in LONG_NAMES)

    def test_leave_room_for_the_scores(self, open_report: Open, long_names: Path) -> None:
        for fragment in ("", "#table=0", "#segment=0"):
            page = open_report(long_names, fragment)
            for width in (360, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                page.evaluate("() => new Promise(requestAnimationFrame)")
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                dialog = page.locator(".segment-dialog")
                assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
        page = open_report(long_names)
        last = page.locator("#systems tbody tr").first.locator("td").last.bounding_box()
        assert last
        assert last["x"] + last["width"] < 1280


@pytest.mark.parametrize("fragment", ["", "#segment=0&explainSystem=1"])
def test_nothing_is_wider_than_the_screen(open_report: Open, example: Path, fragment: str) -> None:
    page = open_report(example, fragment)
    for width in (360, 640, 1280, 2200):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        dialog = page.locator(".segment-dialog")
        assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
