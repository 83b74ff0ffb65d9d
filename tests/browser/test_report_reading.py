"""A report in a browser: open segments, the way back, paper, plots and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from browser.page_views import wait_for_status, wait_for_text
from browser.written_reports import METRICS

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


class TestHistory:
    def test_back_closes_a_segment_and_keeps_the_search(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged)
        page.get_by_role("searchbox").fill("library")
        wait_for_status(page, "rows of 60")
        page.locator(".grid-body .grid-row").first.click()
        page.get_by_role("button", name="Next row").click()
        page.go_back()
        page.wait_for_function("() => !document.querySelector('.segment-dialog').open")
        assert page.get_by_role("searchbox").input_value() == "library"
        assert "query=library" in page.url
        page.go_forward()
        page.locator(".segment-dialog[open]").wait_for()

    def test_a_closed_segment_leaves_nothing_behind(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        page.keyboard.press("5")
        before = page.evaluate("history.length")
        for _ in range(3):
            page.locator(".grid-body .grid-row").first.click()
            page.get_by_role("dialog").get_by_label("Metric").select_option(label="ter")
            page.keyboard.press("Escape")
            page.wait_for_function("() => !location.hash.includes('segment=')")
        assert page.evaluate("history.length") == before + 1  # the way forward
        assert "explainMetric=2" in page.url
        page.go_back()
        page.wait_for_function("() => !location.hash.includes('view=')")

    def test_choices_are_entries_and_typing_is_not(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        before = page.evaluate("history.length")
        page.get_by_role("searchbox").press_sequentially("lib", delay=200)
        page.wait_for_function("() => location.hash.includes('query=lib')")
        assert page.evaluate("history.length") == before
        page.get_by_label("Order", exact=True).select_option(label="cobalt")
        assert page.evaluate("history.length") == before + 1
        page.go_back()
        page.wait_for_function("() => !location.hash.includes('sort=')")
        assert page.get_by_label("Order", exact=True).input_value() == "0"


class TestPaper:
    def test_the_plot_and_the_rows_are_there_unseen(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        page.set_viewport_size({"width": 1280, "height": 300})
        wait_for_text(page, "#scatter .summary", "^60 points")
        page.emulate_media(media="print")
        page.wait_for_function(
            "() => document.querySelectorAll('.grid-body .grid-row').length === 60"
        )
        assert not page.locator("#segments .print-only").inner_text()
        beyond = page.locator(".grid-body").evaluate(
            "body => body.lastElementChild.getBoundingClientRect().bottom"
            " - body.parentElement.parentElement.getBoundingClientRect().bottom"
        )
        assert beyond <= 1
        page.emulate_media(media="screen")

    def test_what_is_left_out_is_said(self, open_report: Open, long_list: Path) -> None:
        page = open_report(long_list)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator(".grid-body .grid-row").count() == 200
        assert "the first 200" in (page.locator("#segments .print-only").text_content() or "")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator(".grid-body .grid-row").count() < 80

    def test_colours_are_kept_and_details_are_open(self, open_report: Open, example: Path) -> None:
        page = open_report(example, "#segment=0&explainSystem=1", "dark")
        page.locator(".why .explain").wait_for()
        closed = page.locator(".why details:not([open])")
        assert closed.count() == 2  # the links as a table, and all features
        page.emulate_media(media="print")
        page.wait_for_function("() => !document.querySelector('.why details:not([open])')")
        look = "element => { const look = getComputedStyle(element);"
        mark = page.locator(".segment-dialog ins").first
        assert mark.evaluate(f"{look} return look.printColorAdjust }}") == "exact"
        assert mark.evaluate(f"{look} return look.backgroundColor }}") != "rgba(0, 0, 0, 0)"
        # Paper is white, though the screen is dark.
        assert (
            page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        )
        assert not page.locator(".report-views").is_visible()
        assert not page.get_by_role("combobox", name="Metric").first.is_visible()
        page.emulate_media(media="screen")
        page.wait_for_function("() => document.querySelector('.why details:not([open])')")


class TestOpenSegment:
    def test_texts_scores_marks_and_explanation(self, open_report: Open, example: Path) -> None:
        page = open_report(example, "#sort=-1")
        page.locator(".grid-body .grid-row").nth(1).click()
        dialog = page.get_by_role("dialog")
        assert "Segment 1" in dialog.locator("#segment-title").inner_text()
        assert dialog.locator(".chosen h3").inner_text() == "system-b"
        assert dialog.locator(".other").count() == 1
        dialog.locator(".why .explain").wait_for()
        dialog.get_by_role("button", name="Explain system-a").click()
        assert dialog.locator(".chosen h3").inner_text() == "system-a"
        assert dialog.get_by_role("combobox", name="System").input_value() == "0"
        assert dialog.locator("ins").count() > 1

    def test_reasons_stand_above_the_other_systems(self, open_report: Open, judged: Path) -> None:
        for width in (400, 1400):
            page = open_report(judged, "#choice=explained")
            page.set_viewport_size({"width": width, "height": 900})
            page.locator(".grid-body .grid-row").first.click()
            reasons = page.locator(".why .explain").bounding_box()
            other = page.locator(".other").first.bounding_box()
            assert reasons
            assert other
            assert reasons["y"] < 900
            assert other["y"] > reasons["y"] or other["x"] > reasons["x"] + reasons["width"]

    def test_it_says_why_one_of_two_systems_is_better(
        self, open_report: Open, example: Path
    ) -> None:
        page = open_report(example, "#segment=7&explainSystem=1")
        dialog = page.get_by_role("dialog")
        verdict = dialog.locator(".explain-contrast summary")
        verdict.wait_for()
        assert verdict.inner_text().startswith("system-a scores higher than system-b by 0.24")
        assert dialog.get_by_role("combobox", name="Against").input_value() == "0"
        dialog.get_by_role("button", name="Explain system-a").click()
        assert dialog.get_by_role("combobox", name="Against").input_value() == "1"
        dialog.get_by_role("combobox", name="Metric").select_option(label="ter")
        dialog.get_by_text(
            "system-a scores lower than system-b by 37.50, and lower is better"
        ).wait_for()
        dialog.get_by_role("combobox", name="Against").select_option(label="no other system")
        verdict.wait_for(state="detached")
        assert "versus=-1" in page.url

    def test_what_it_cannot_compare_it_says(self, open_report: Open, judged: Path) -> None:
        # The report explains five translations by each metric: of segment 6 by cobalt, one.
        page = open_report(judged, "#segment=5&explainMetric=1&explainSystem=0")
        wait_for_text(page, ".versus", "There is no explanation of .* to compare with")

    def test_every_metric_explains_itself_in_its_own_way(
        self, open_report: Open, example: Path
    ) -> None:
        telling = {
            "cobalt": ".explain-link",
            "ppda+f": ".explain-jump",
            "pbe": ".explain-phrase",
            "tesla-m": "[role=tab]",
            "ter": "tbody tr",
            "bleu": "[role=tab]",
            "chrf": ".explain-link",
        }
        page = open_report(example, "#segment=0&explainSystem=1")
        dialog = page.get_by_role("dialog")
        for metric, part in telling.items():
            dialog.get_by_role("combobox", name="Metric").select_option(label=metric)
            dialog.locator(".why .explain h3, .why .explain h4", has_text=metric).first.wait_for()
            assert dialog.locator(f".why .explain {part}").count() > 0, metric
        assert set(telling) == set(METRICS)

    def test_the_next_row_is_that_after_the_one_of_the_address(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged, "#sort=-1&segment=6&explainSystem=2")
        page.get_by_role("dialog").get_by_role("button", name="Next").click()
        wait_for_text(page, "#segment-title", "^Segment 8")
        wait_for_text(page, ".chosen h3", "careful")

    def test_what_people_said_is_beside_the_scores(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged, "#segment=0")
        said = page.locator(".segment-dialog li[data-metric=human]")
        said.first.wait_for()
        texts = sorted(said.all_inner_texts())
        assert texts == ["human 0.900", "human −0.100", "human −1.200"]  # examples/judgements.tsv

    def test_the_explained_metric_stands_out(self, open_report: Open, example: Path) -> None:
        page = open_report(example, f"#segment=1&explainMetric={METRICS.index('ter')}")
        page.set_viewport_size({"width": 800, "height": 900})
        for metric in ("ter", "pbe"):
            page.get_by_role("dialog").get_by_label("Metric").select_option(label=metric)
            marked = page.locator(".chosen .explained-metric")
            assert marked.get_attribute("data-metric") == metric
            box = marked.bounding_box()
            assert box
            assert box["x"] + box["width"] <= 800 - 16

    def test_labels_of_links_are_not_cut(self, open_report: Open, short: Path) -> None:
        page = open_report(short, "#segment=0&explainMetric=1")
        plates = page.locator(".explain-rows .explain-plate")
        plates.first.wait_for()
        edges = plates.evaluate_all(
            "plates => plates.map(plate => [plate.x.baseVal.value,"
            " plate.x.baseVal.value + plate.width.baseVal.value - plate.ownerSVGElement.width.baseVal.value])"
        )
        assert all(left >= 0 and beyond <= 0 for left, beyond in edges)

    def test_a_failed_explanation_shows_its_code(self, open_report: Open, hostile: Path) -> None:
        page = open_report(hostile, "#segment=7&explainMetric=1")  # half a million words
        wait_for_text(page, ".why .problem", r"^MP\d{3}: .*words.*Split")

    def test_a_missing_explanation_is_said_to_be_missing(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged, "#segment=0&explainMetric=1&explainSystem=0")
        wait_for_text(page, ".why", "--explain all")


class TestScatter:
    def test_a_point_opens_its_segment(self, open_report: Open, example: Path) -> None:
        page = open_report(example, "#view=scatter")
        plot = page.get_by_role("application")
        plot.wait_for()
        wait_for_text(page, "#scatter .summary", r"^24 points. Pearson r 0.\d+, Kendall τ")
        plot.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowUp")
        number = re.match(r"Segment (\d+), ", page.locator(".said").inner_text())
        assert number
        page.keyboard.press("Enter")
        assert f"Segment {number[1]} " in page.locator("#segment-title").inner_text()

    def test_fifty_thousand_points_are_cells_that_list_their_segments(
        self, open_report: Open, large: Path
    ) -> None:
        page = open_report(large, "#view=scatter")
        wait_for_text(page, "#scatter .summary", "^50,000 points.*evenly picked")
        key = page.locator("#scatter .plot-key").inner_text()
        assert re.match(r"Points in a cell\s+1", key)
        assert page.locator("#scatter .legend:not(.shades)").is_hidden()  # colours say how many
        plot = page.get_by_role("application")
        box = plot.bounding_box()
        assert box
        heard = []
        # chrF falls as TER rises: from the upper left to the lower right
        for part in (0.3, 0.4, 0.5, 0.6, 0.7):
            page.mouse.move(box["x"] + box["width"] * part, box["y"] + box["height"] * part)
            heard.append(page.locator(".said").inner_text())
        assert any(re.match(r"[\d,]+ points: chrf ", one) for one in heard)
        page.mouse.move(0, 0)
        plot.focus()
        page.keyboard.press("ArrowRight")
        while not (many := re.match(r"([\d,]+) points: ", page.locator(".said").inner_text())):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        listed = page.locator("#scatter .cell-list")
        assert f"{many[1]} points here" in listed.inner_text()
        name = page.evaluate("() => document.activeElement.textContent")
        number = re.match(r"Segment ([\d,]+), ", name)
        assert number
        page.keyboard.press("Enter")
        assert f"Segment {number[1]} " in page.locator("#segment-title").inner_text()

    def test_an_outlier_is_at_the_edge_and_counted(self, open_report: Open, outlier: Path) -> None:
        page = open_report(outlier, "#view=scatter")
        wait_for_text(page, "#scatter .summary", "^46 points")
        wait_for_text(page, "#scatter .plot-key", "^1 beyond the edge")
        plot = page.get_by_role("application")
        plot.focus()
        for _ in range(47):
            page.keyboard.press("ArrowRight")
        said = page.locator("#scatter .said").inner_text()
        assert re.match(r"Segment 1, system-1: .*\(beyond the edge\)$", said)
        assert page.locator("#distributions .beyond").all_text_contents() == ["1 ▸"]
        assert "beyond the axis" in page.locator("#distributions").inner_text()

    def test_no_two_of_many_systems_look_alike(self, open_report: Open, outlier: Path) -> None:
        page = open_report(outlier, "#view=scatter")
        looks = page.locator("#scatter .legend .system").evaluate_all(
            "(names) => names.map((name) => name.className)"
        )
        assert len(looks) == len(set(looks)) == 23

    def test_controls_are_right_before_anybody_looks(self, open_report: Open, large: Path) -> None:
        page = open_report(large)  # so high that the plot is far below the screen
        labels = page.locator("#scatter .field:not([hidden]) label").all_inner_texts()
        assert labels == ["Compare", "Across", "Up", "System"]
        assert page.locator("#scatter").get_by_label("Up").first.input_value() == "1"

    def test_two_systems_and_people(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged, "#view=scatter&compare=systems&right=2")
        wait_for_text(page, "#scatter .summary", "^20 points")
        page.get_by_label("Compare").select_option(label="Metrics and people")
        up = page.locator("#scatter").get_by_role("combobox", name="Up")
        up.select_option(label="Human: judgements.tsv")
        wait_for_text(page, "#scatter .summary", "^60 points")


class TestKeyboard:
    def test_everything_without_a_mouse(self, open_report: Open, example: Path) -> None:
        page = open_report(example, "#sort=-1")
        page.keyboard.press("?")
        assert page.get_by_role("dialog", name="Keys").is_visible()
        page.keyboard.press("Escape")
        assert not page.get_by_role("dialog", name="Keys").is_visible()
        page.keyboard.press("5")
        assert page.evaluate("document.activeElement.id") == "segments-title"
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.getAttribute('role')") == "grid":
                break
        for key in ("ArrowDown", "ArrowDown", "PageDown", "Home", "ArrowDown"):
            page.keyboard.press(key)
        active = page.evaluate(
            "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
            ".dataset.place"
        )
        assert active == "1"
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        assert "Segment 1 " in dialog.locator("#segment-title").inner_text()
        page.keyboard.press("j")
        wait_for_text(page, "#segment-title", "^Segment 2")
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.getAttribute('role')") == "grid"
        page.wait_for_function("() => !location.hash.includes('segment=')")

    def test_a_link_to_a_segment_leaves_the_keyboard_at_the_list(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged, "#segment=1")
        page.locator(".why p, .why .explain").first.wait_for()
        page.keyboard.press("Escape")
        page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")

    def test_words_and_links_of_an_explanation(self, open_report: Open, example: Path) -> None:
        page = open_report(example, "#segment=7&explainSystem=1")
        page.locator(".explain-drawing [tabindex='0']").focus()
        said = page.locator(".explain-details")
        heard = []
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
            page.keyboard.press(key)
            heard.append(said.inner_text())
        # From the second word of the reference to the third, over its link to the other side.
        assert heard[1].startswith("n't")
        assert "contraction" in heard[2]
        assert heard[3].startswith("not")

    def test_focus_can_be_seen(self, open_report: Open, example: Path) -> None:
        page = open_report(example)
        for _ in range(25):
            page.keyboard.press("Tab")
            style, width = page.evaluate(
                "(() => { const style = getComputedStyle(document.activeElement);"
                " return [style.outlineStyle, parseFloat(style.outlineWidth)] })()"
            )
            assert style != "none"
            assert width >= 1
