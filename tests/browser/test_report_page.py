"""A report in a browser: what a reader does by mouse and by keyboard, and what a screen reader hears."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")


def rows(page: Page) -> list[list[str]]:
    """The cells of the rows in sight."""
    found: list[list[str]] = page.evaluate(
        "() => [...document.querySelectorAll('.grid-body .grid-row')]"
        ".map(row => [...row.children].map(cell => cell.textContent))"
    )
    return found


def status(page: Page) -> Locator:
    return page.locator("#segments [role=status]")


def wait_for_status(page: Page, pattern: str) -> None:
    page.wait_for_function(
        "pattern => new RegExp(pattern).test(document.querySelector('#segments [role=status]').textContent)",
        arg=pattern,
    )


def column(page: Page, name: str) -> list[float]:
    heads = page.locator(".grid-head [role=columnheader]").all_inner_texts()
    place = next(i for i, head in enumerate(heads) if head.startswith(name))
    return [float(row[place].replace("−", "-")) for row in rows(page)]


class TestLoading:
    def test_the_table_of_systems_is_first(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"])
        table = page.get_by_role("table", name="Systems by all metrics")
        assert table.get_by_role("row").count() == 1 + 4
        assert "News, German to English" in page.get_by_role("heading", level=1).inner_text()

    def test_a_metric_by_itself_has_ranks_intervals_clusters_and_p_values(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"], "#table=1")
        table = page.get_by_role("table", name="Systems by cobalt")
        assert [
            row.locator("td").first.inner_text() for row in table.locator("tbody tr").all()
        ] == ["1–2", "1–2", "3–4", "3–4"]
        assert table.locator("tr.cluster-start").count() == 1
        assert "higher is better" in page.locator("#systems .explained").first.inner_text()
        page.get_by_text("p-values of all differences").click()
        assert (
            page.get_by_role("table", name="p-values by cobalt").locator("td.certain").count() > 0
        )

    def test_one_metric_is_chosen_by_its_name(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"])
        page.get_by_role("button", name="ter", exact=True).first.click()
        assert page.get_by_role("table", name="Systems by ter").is_visible()
        assert "table=2" in page.url

    def test_five_thousand_segments_of_ten_systems_open(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["large"])
        assert status(page).inner_text() == "50,000 rows."
        assert page.locator(".grid-body .grid-row").count() < 80  # only what is in sight exists
        page.locator(".grid").focus()
        page.keyboard.press("End")
        page.wait_for_function(
            "() => document.querySelector('.grid-body').textContent.includes('5,000')"
        )


class TestSegments:
    def test_sorting_by_a_metric_and_back(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"])
        head = page.get_by_role("grid").get_by_role("columnheader", name=re.compile("^bleu"))
        head.get_by_role("button").click()
        page.wait_for_function(
            "() => document.querySelector('.grid-head [aria-sort=ascending]')?.textContent.startsWith('bleu')"
        )
        scores = column(page, "bleu")
        assert scores == sorted(scores)
        head.get_by_role("button").click()
        page.wait_for_function("() => document.querySelector('.grid-head [aria-sort=descending]')")
        scores = column(page, "bleu")
        assert scores == sorted(scores, reverse=True)

    def test_filters_by_system_document_and_length(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"])
        filters = page.get_by_role("search", name="Filter segments")
        filters.get_by_role("combobox", name="System").select_option(label="Cascade")
        wait_for_status(page, "^60 rows of 240")
        assert {row[2] for row in rows(page)} == {"Cascade"}
        filters.get_by_label("Document").select_option(label="doc-2")
        wait_for_status(page, "^12 rows")
        assert {row[1] for row in rows(page)} == {"doc-2"}
        filters.get_by_label("Shortest reference, in words").fill("1000")
        wait_for_status(page, "nothing matches")
        filters.get_by_role("button", name="Clear").click()
        wait_for_status(page, r"^240 rows\.$")

    def test_the_worst_by_a_metric(self, open_report: Open, written: dict[str, Path]) -> None:
        page = open_report(written["plain"], "#choice=worst&most=5&metric=2")
        wait_for_status(page, "^5 rows, the worst by ter")
        scores = column(page, "ter")
        assert scores == sorted(scores, reverse=True)  # lower is better: the worst is the greatest

    def test_where_two_systems_differ_most(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"])
        page.get_by_label("Show").select_option(label="Two systems differ most")
        page.get_by_label("Other system").select_option(label="Delta")
        wait_for_status(page, "where Aurora and Delta differ most by bleu")
        found = rows(page)
        assert [row[2] for row in found[:4]] == ["Aurora", "Delta", "Aurora", "Delta"]
        gaps = [abs(gap) for gap in column(page, "Difference")]
        assert gaps == sorted(gaps, reverse=True)

    def test_where_two_metrics_disagree_most(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"], "#choice=metrics&most=10")
        wait_for_status(page, "where bleu and cobalt rank a text most differently")
        assert len(rows(page)) == 10

    def test_search_finds_plain_text_and_says_how_much(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["hostile"])
        page.keyboard.press("/")
        page.keyboard.type("<SCRIPT>")
        wait_for_status(page, "^1 row of 240")
        assert "<script>" in rows(page)[0][3]
        page.get_by_role("searchbox").fill(".*")
        wait_for_status(page, "nothing matches")

    def test_an_address_brings_a_view_back(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"])
        page.get_by_role("searchbox").fill("parliament")
        page.get_by_label("Order", exact=True).select_option(label="cobalt")
        wait_for_status(page, "rows of 240")
        page.wait_for_function("() => location.hash.includes('query=parliament')")
        again = open_report(written["plain"], "#" + page.url.split("#")[1])
        wait_for_status(again, "rows of 240")
        assert rows(again) == rows(page)


class TestOpenSegment:
    def test_texts_scores_marks_and_explanation(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"])
        page.locator(".grid-body .grid-row").nth(1).click()
        dialog = page.get_by_role("dialog")
        assert "Segment 1" in dialog.locator("#segment-title").inner_text()
        assert dialog.locator("tr[data-system]").count() == 4
        assert dialog.get_by_role("radio", name="Explain Baseline").is_checked()
        dialog.get_by_role("combobox", name="Metric").select_option(label="cobalt")
        dialog.locator(".why .explain").wait_for()
        dialog.get_by_role("radio", name="Explain Delta").check()
        assert dialog.get_by_role("combobox", name="System").input_value() == "3"
        assert dialog.locator("ins").count() > 1

    def test_the_next_row_is_that_after_the_one_of_the_address(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"], "#segment=6&explainSystem=3")
        page.get_by_role("dialog").get_by_role("button", name="Next").click()
        page.wait_for_function(
            "() => document.querySelector('#segment-title').textContent.startsWith('Segment 8')"
        )
        assert page.get_by_role("radio", name="Explain Aurora").is_checked()

    def test_a_failed_explanation_shows_its_code(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"], "#segment=0&explainMetric=2")
        assert page.locator(".why").inner_text() == "MP999: no explanation for <this> one"

    def test_a_missing_explanation_is_said_to_be_missing(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"], "#segment=40&explainMetric=1")
        assert "--explain all" in page.locator(".why").inner_text()
        page.get_by_role("dialog").get_by_role("combobox", name="Metric").select_option(
            label="bleu"
        )
        assert page.locator(".why").inner_text() == "bleu does not explain its scores."


class TestScatter:
    def test_a_point_opens_its_segment(self, open_report: Open, written: dict[str, Path]) -> None:
        page = open_report(written["plain"], "#view=scatter")
        plot = page.get_by_role("application")
        plot.wait_for()
        page.wait_for_function(
            "() => /^240 points. Pearson r 0.\\d+, Kendall τ/"
            ".test(document.querySelector('#scatter .summary').textContent)"
        )
        plot.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowUp")
        said = page.locator(".said").inner_text()
        number = re.match(r"Segment (\d+), ", said)
        assert number
        page.keyboard.press("Enter")
        assert f"Segment {number[1]} " in page.locator("#segment-title").inner_text()

    def test_the_pointer_finds_points_among_fifty_thousand(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["large"], "#view=scatter")
        page.wait_for_function(
            "() => document.querySelector('#scatter .summary').textContent.startsWith('50,000 points')"
        )
        assert "evenly picked" in page.locator("#scatter .summary").inner_text()
        box = page.get_by_role("application").bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.3)
        assert page.locator(".said").inner_text().startswith("Segment ")

    def test_two_systems_and_people(self, open_report: Open, written: dict[str, Path]) -> None:
        page = open_report(written["plain"], "#view=scatter&compare=systems&right=3")
        page.wait_for_function(
            "() => document.querySelector('#scatter .summary').textContent.startsWith('60 points')"
        )
        page.get_by_label("Compare").select_option(label="Metrics and people")
        page.locator("#scatter").get_by_role("combobox", name="Up").select_option(
            label="Human: direct assessment"
        )
        page.wait_for_function(
            "() => document.querySelector('#scatter .summary').textContent.startsWith('240 points')"
        )


class TestKeyboard:
    def test_everything_without_a_mouse(self, open_report: Open, written: dict[str, Path]) -> None:
        page = open_report(written["plain"])
        page.keyboard.press("?")
        assert page.get_by_role("dialog", name="Keys").is_visible()
        page.keyboard.press("Escape")
        assert not page.get_by_role("dialog", name="Keys").is_visible()
        page.keyboard.press("4")
        assert page.evaluate("document.activeElement.id") == "segments-title"
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.getAttribute('role')") == "grid":
                break
        for key in ("ArrowDown", "ArrowDown", "PageDown", "Home", "ArrowDown"):
            page.keyboard.press(key)
        active = page.evaluate(
            "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).dataset.place"
        )
        assert active == "1"
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        assert "Segment 1 " in dialog.locator("#segment-title").inner_text()
        for _ in range(3):
            page.keyboard.press("j")
        page.wait_for_function(
            "() => document.querySelector('#segment-title').textContent.startsWith('Segment 2')"
        )
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.getAttribute('role')") == "grid"
        assert "segment=" not in page.url

    def test_focus_can_be_seen(self, open_report: Open, written: dict[str, Path]) -> None:
        page = open_report(written["plain"])
        for _ in range(25):
            page.keyboard.press("Tab")
            style = page.evaluate(
                "(() => { const style = getComputedStyle(document.activeElement);"
                " return [style.outlineStyle, parseFloat(style.outlineWidth)] })()"
            )
            assert style[0] != "none"
            assert style[1] >= 1


class TestAccessibility:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("fragment", ["", "#table=0", "#segment=0&explainMetric=1"])
    def test_text_has_contrast(
        self, open_report: Open, written: dict[str, Path], scheme: str, fragment: str
    ) -> None:
        page = open_report(written["plain"], fragment, color_scheme=scheme)
        page.evaluate(
            "document.querySelectorAll('details').forEach(details => { details.open = true })"
        )
        seen: dict[str, Any] = page.evaluate(CONTRAST)
        assert seen["looked"] > 150
        assert seen["poor"] == []

    def test_schemes_differ(self, open_report: Open, written: dict[str, Path]) -> None:
        light, dark = (
            open_report(written["plain"], color_scheme=scheme).evaluate(
                "getComputedStyle(document.body).backgroundColor"
            )
            for scheme in ("light", "dark")
        )
        assert light != dark

    @pytest.mark.parametrize(
        "fragment", ["", "#segment=0&explainMetric=1", "#choice=worst&table=1"]
    )
    def test_every_control_has_a_name(
        self, open_report: Open, written: dict[str, Path], fragment: str
    ) -> None:
        page = open_report(written["plain"], fragment)
        snapshot = page.locator("body").aria_snapshot()
        roles = (
            "button|link|combobox|searchbox|textbox|spinbutton|radio|checkbox|grid|table|dialog|navigation"
            "|region|search|application|tab"
        )
        nameless = [
            line
            for line in snapshot.splitlines()
            if re.match(rf"\s*- ({roles})(\s*\[[^\]]*\])*:?\s*$", line)
        ]
        assert nameless == []

    def test_the_page_has_the_landmarks_and_headings(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["plain"])
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
        assert grid.get_attribute("aria-rowcount") == "241"
        assert grid.get_by_role("row").nth(1).get_attribute("aria-rowindex") == "2"

    @pytest.mark.parametrize("fragment", ["", "#segment=0&explainMetric=1"])
    def test_nothing_is_wider_than_the_screen(
        self, open_report: Open, written: dict[str, Path], fragment: str
    ) -> None:
        page = open_report(written["plain"], fragment)
        for width in (360, 640, 1280, 2200):
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate("() => new Promise(requestAnimationFrame)")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            dialog = page.locator(".segment-dialog")
            assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0


class TestHostileText:
    def test_markup_is_shown_as_text(self, open_report: Open, written: dict[str, Path]) -> None:
        page = open_report(written["hostile"])
        assert page.title() == "Report"
        assert page.get_by_role("heading", level=1).inner_text() == "Four systems <b>compared</b>"
        assert page.locator("#app img, #app script, #app h1 b").count() == 0
        assert (
            "<script>document.title = 'owned'</script><img src=x onerror=alert(1)>"
            in rows(page)[0][3]
        )

    def test_controls_and_overrides_are_marks(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["hostile"], "#segment=1&explainSystem=1&explainMetric=1")
        page.locator(".why .explain").wait_for()
        text = page.locator("body").evaluate("body => document.getElementById('app').textContent")
        assert "left ⟨U+202E⟩right-to-left override⟨U+202C⟩ and ⟨U+0000⟩" in text
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00]", text)

    def test_a_megabyte_is_cut_and_can_be_shown_whole(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["hostile"], "#segment=5&explainSystem=1")
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Show all 1,000,000 characters").click()
        page.wait_for_function(
            "() => document.querySelector('.passage.long').textContent.length === 1000000"
        )
        assert page.locator(".grid-body").evaluate("body => body.textContent.length") < 50_000

    def test_other_scripts_keep_their_direction(
        self, open_report: Open, written: dict[str, Path]
    ) -> None:
        page = open_report(written["hostile"])
        assert (
            page.locator(".grid-body bdi", has_text="שלום").evaluate(
                "cell => getComputedStyle(cell).direction"
            )
            == "rtl"
        )
