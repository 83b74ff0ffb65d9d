"""A report in a browser: what a reader does by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.written_reports import METRICS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]


def rows(page: Page) -> list[list[str]]:
    """The cells of the rows in sight."""
    found: list[list[str]] = page.evaluate(
        "() => [...document.querySelectorAll('.grid-body .grid-row')]"
        ".map(row => [...row.children].map(cell => cell.textContent))"
    )
    return found


def status(page: Page) -> Locator:
    return page.locator("#segments [role=status]")


def wait_for_text(page: Page, selector: str, pattern: str) -> None:
    page.wait_for_function(
        "([selector, pattern]) =>"
        " new RegExp(pattern).test(document.querySelector(selector)?.textContent ?? '')",
        arg=[selector, pattern],
    )


def wait_for_status(page: Page, pattern: str) -> None:
    wait_for_text(page, "#segments [role=status]", pattern)


def column(page: Page, name: str) -> list[float]:
    heads = page.locator(".grid-head [role=columnheader]").all_inner_texts()
    place = next(i for i, head in enumerate(heads) if head.startswith(name))
    return [float(row[place].replace("−", "-")) for row in rows(page)]


class TestLoading:
    def test_the_table_of_systems_is_first(self, open_report: Open, example: Path) -> None:
        page = open_report(example)
        table = page.get_by_role("table", name="Systems by all metrics")
        assert table.get_by_role("row").count() == 1 + 2
        assert table.get_by_role("columnheader").count() == 1 + len(METRICS)
        assert page.get_by_role("heading", level=1).inner_text() == "The bundled example"

    def test_a_metric_by_itself_has_ranks_intervals_clusters_and_p_values(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged, "#table=1")
        table = page.get_by_role("table", name="Systems by cobalt")
        ranks = [row.locator("td").first.inner_text() for row in table.locator("tbody tr").all()]
        # The first two systems do not differ significantly (p > 0.05); both differ from the third.
        assert ranks == ["1–2", "1–2", "3"]
        assert table.locator("tr.cluster-start").count() == 1
        assert "higher is better" in page.locator("#systems .explained").first.inner_text()
        page.get_by_text("p-values of all differences").click()
        p_values = page.get_by_role("table", name="p-values by cobalt")
        assert p_values.locator("td.certain").count() == 4

    def test_one_segment_is_one_and_inside_its_axis(self, open_report: Open, short: Path) -> None:
        page = open_report(short)
        assert page.get_by_role("heading", level=1).inner_text() == page.title()
        assert " · 1 segment · " in page.locator(".report-head").inner_text()
        median = float(page.locator("#distributions circle.median").get_attribute("cx") or 0)
        ticks = page.locator("#distributions .axis-marks line").evaluate_all(
            "ticks => ticks.map(tick => tick.x1.baseVal.value)"
        )
        assert min(ticks) < median < max(ticks)

    def test_equal_systems_share_their_ranks(self, open_report: Open, hostile: Path) -> None:
        page = open_report(hostile, "#table=0")
        ranks = page.locator("#systems tbody tr td:first-child").all_inner_texts()
        assert ranks[:2] == ["1–2", "1–2"]

    def test_one_metric_is_chosen_by_its_name(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        page.get_by_role("button", name="ter", exact=True).first.click()
        assert page.get_by_role("table", name="Systems by ter").is_visible()
        assert "table=2" in page.url

    def test_people_are_beside_the_metrics(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        agreement = page.get_by_role("table", name="Agreement with human judgements")
        assert agreement.get_by_role("row").count() == 1 + 3
        assert "judgements.tsv" in page.locator("#systems").inner_text()

    def test_five_thousand_segments_of_ten_systems_open(
        self, open_report: Open, large: Path
    ) -> None:
        page = open_report(large)
        assert status(page).inner_text() == "50,000 rows."
        assert page.locator(".grid-body .grid-row").count() < 80  # only what is in sight exists
        page.locator(".grid").focus()
        page.keyboard.press("End")
        wait_for_text(page, ".grid-body", "5,000")


class TestNavigation:
    def current(self, page: Page) -> str:
        page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        return page.locator("nav [aria-current]").inner_text()

    @pytest.mark.parametrize("height", [500, 900, 1600])
    def test_the_view_in_sight_is_marked(
        self, open_report: Open, example: Path, height: int
    ) -> None:
        page = open_report(example)
        page.set_viewport_size({"width": 1280, "height": height})
        assert self.current(page) == "Systems"
        for name in ("Scatter", "Segments", "Distributions"):
            page.get_by_role("navigation").get_by_role("link", name=name).click()
            assert self.current(page) == name
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert self.current(page) == "Segments"
        page.evaluate("scrollTo(0, 0)")
        assert self.current(page) == "Systems"


class TestSegments:
    def test_sorting_by_a_metric_and_back(self, open_report: Open, example: Path) -> None:
        page = open_report(example)
        head = page.get_by_role("grid").get_by_role("columnheader", name=re.compile("^bleu"))
        head.get_by_role("button").click()
        wait_for_text(page, ".grid-head [aria-sort=ascending]", "^bleu")
        scores = column(page, "bleu")
        assert scores == sorted(scores)
        assert len(set(scores)) > 10
        head.get_by_role("button").click()
        wait_for_text(page, ".grid-head [aria-sort=descending]", "^bleu")
        scores = column(page, "bleu")
        assert scores == sorted(scores, reverse=True)

    def test_filters_by_system_document_and_length(self, open_report: Open, example: Path) -> None:
        page = open_report(example)
        filters = page.get_by_role("search", name="Filter segments")
        filters.get_by_role("combobox", name="System").select_option(label="system-b")
        wait_for_status(page, "^12 rows of 24")
        assert {row[2] for row in rows(page)} == {"system-b"}
        filters.get_by_label("Document").select_option(label="local")
        wait_for_status(page, "^4 rows")  # lines of examples/documents.txt
        assert {row[1] for row in rows(page)} == {"local"}
        filters.get_by_label("Shortest reference, in words").fill("1000")
        wait_for_status(page, "nothing matches")
        filters.get_by_role("button", name="Clear").click()
        wait_for_status(page, r"^24 rows\.$")

    def test_the_worst_by_a_metric(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged, "#choice=worst&most=5&metric=2")
        wait_for_status(page, "^5 rows, the worst by ter")
        scores = column(page, "ter")
        assert scores == sorted(scores, reverse=True)  # lower is better: the worst is the greatest

    def test_where_two_systems_differ_most(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        page.get_by_label("Show").select_option(label="Two systems differ most")
        page.get_by_label("Other system").select_option(label="careless")
        wait_for_status(page, "where careful and careless differ most by bleu")
        assert [row[1] for row in rows(page)[:4]] == ["careful", "careless"] * 2
        gaps = [abs(gap) for gap in column(page, "Difference")]
        assert gaps == sorted(gaps, reverse=True)

    def test_where_two_metrics_disagree_most(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged, "#choice=metrics&most=10")
        wait_for_status(page, "where bleu and cobalt rank a text most differently")
        assert len(rows(page)) == 10

    def test_what_is_explained(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        page.get_by_label("Show").select_option(label="Explained by a metric")
        wait_for_status(page, "^5 rows, explained by cobalt")  # bleu, the first, explains nothing
        page.locator(".grid-body .grid-row").first.click()
        page.locator(".why .explain").wait_for()

    def test_search_finds_plain_text_and_says_how_much(
        self, open_report: Open, hostile: Path
    ) -> None:
        page = open_report(hostile)
        page.keyboard.press("/")
        page.keyboard.type("<SCRIPT>")
        wait_for_status(page, "^2 rows of 16")
        assert "<script>" in rows(page)[0][3]
        page.get_by_role("searchbox").fill(".*")
        wait_for_status(page, "nothing matches")

    def test_an_address_brings_a_view_back(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        page.get_by_role("searchbox").fill("library")
        page.get_by_label("Order", exact=True).select_option(label="cobalt")
        wait_for_status(page, "rows of 60")
        page.wait_for_function("() => location.hash.includes('query=library')")
        again = open_report(judged, "#" + page.url.split("#")[1])
        wait_for_status(again, "rows of 60")
        assert rows(again) == rows(page)

    def test_numbers_are_never_cut(self, open_report: Open, below_zero: Path) -> None:
        page = open_report(below_zero)
        assert any(row[3].startswith("−0.") for row in rows(page))
        assert page.locator(".grid-body .score").evaluate_all(
            "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(one => one.textContent)"
        ) == []  # fmt: skip

    def test_what_people_said_is_a_column_and_an_order(
        self, open_report: Open, below_zero: Path
    ) -> None:
        page = open_report(below_zero)
        assert column(page, "Human")[:3] == [0.9, -0.1, -1.2]  # examples/judgements.tsv
        page.get_by_label("Order", exact=True).select_option(label="Human: judgements.tsv")
        wait_for_text(page, ".grid-head [aria-sort=ascending]", "^Human")
        said = column(page, "Human")
        assert said == sorted(said)
        systems = page.get_by_role("table", name="Systems by all metrics")
        assert systems.get_by_role("columnheader").last.inner_text() == "Human: judgements.tsv"

    def test_where_people_disagree_with_a_metric(self, open_report: Open, below_zero: Path) -> None:
        page = open_report(below_zero)
        page.get_by_label("Show").select_option(label="Metrics or people disagree most")
        page.get_by_label("Other metric, or people").select_option(label="Human: judgements.tsv")
        wait_for_status(page, r"where ppda\+f and people rank a text most differently")
        gaps = [float(row[3].rstrip(" %").replace("−", "-")) for row in rows(page)]
        assert [abs(gap) for gap in gaps] == sorted(map(abs, gaps), reverse=True)

    def test_a_difference_has_the_digits_of_its_metric_and_says_its_sign(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged, "#choice=systems&metric=2&first=0&second=2")
        wait_for_status(page, "careful minus careless; lower is better")
        assert re.fullmatch(r"[−+]?\d+\.\d\d", rows(page)[0][3])


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
        page.keyboard.press("4")
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
        assert page.get_by_label("Order", exact=True).input_value() == "-1"


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


class TestOpenSegment:
    def test_texts_scores_marks_and_explanation(self, open_report: Open, example: Path) -> None:
        page = open_report(example)
        page.locator(".grid-body .grid-row").nth(1).click()
        dialog = page.get_by_role("dialog")
        assert "Segment 1" in dialog.locator("#segment-title").inner_text()
        assert dialog.locator("tr[data-system]").count() == 2
        assert dialog.get_by_role("radio", name="Explain system-b").is_checked()
        dialog.locator(".why .explain").wait_for()
        dialog.get_by_role("radio", name="Explain system-a").check()
        assert dialog.get_by_role("combobox", name="System").input_value() == "0"
        assert dialog.locator("ins").count() > 1

    def test_every_metric_explains_itself_in_its_own_way(
        self, open_report: Open, example: Path
    ) -> None:
        telling = {
            "cobalt": ".explain-link",
            "ppda+f": ".explain-jump",
            "pbe": ".explain-phrase",
            "tesla-m": "[role=tab]",
            "ter": "tbody tr",
        }
        page = open_report(example, "#segment=0&explainSystem=1")
        dialog = page.get_by_role("dialog")
        for metric, part in telling.items():
            dialog.get_by_role("combobox", name="Metric").select_option(label=metric)
            dialog.locator(".why .explain h3, .why .explain h4", has_text=metric).first.wait_for()
            assert dialog.locator(f".why .explain {part}").count() > 0, metric
        for metric in set(METRICS) - set(telling):
            dialog.get_by_role("combobox", name="Metric").select_option(label=metric)
            dialog.get_by_text(f"{metric} does not explain its scores.").wait_for()

    def test_the_next_row_is_that_after_the_one_of_the_address(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged, "#segment=6&explainSystem=2")
        page.get_by_role("dialog").get_by_role("button", name="Next").click()
        wait_for_text(page, "#segment-title", "^Segment 8")
        assert page.get_by_role("radio", name="Explain careful").is_checked()

    def test_what_people_said_is_beside_the_scores(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged, "#segment=0")
        said = page.locator(".segment-dialog td[data-metric=human]")
        said.first.wait_for()
        assert said.all_inner_texts() == ["0.900", "−0.100", "−1.200"]  # examples/judgements.tsv

    def test_the_explained_metric_stays_in_sight(self, open_report: Open, example: Path) -> None:
        page = open_report(example, f"#segment=1&explainMetric={METRICS.index('ter')}")
        page.set_viewport_size({"width": 800, "height": 900})
        region = page.get_by_role("region", name="Texts of the systems")
        assert region.evaluate("region => region.scrollWidth > region.clientWidth")
        for metric in ("ter", "pbe"):
            page.get_by_role("dialog").get_by_label("Metric").select_option(label=metric)
            marked = page.locator(".texts td.explained-metric").first
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

    def test_the_pointer_finds_points_among_fifty_thousand(
        self, open_report: Open, large: Path
    ) -> None:
        page = open_report(large, "#view=scatter")
        wait_for_text(page, "#scatter .summary", "^50,000 points.*evenly picked")
        box = page.get_by_role("application").bounding_box()
        assert box
        heard = []
        for part in (
            0.3,
            0.5,
            0.7,
        ):  # chrF falls as TER rises: from the upper left to the lower right
            page.mouse.move(box["x"] + box["width"] * part, box["y"] + box["height"] * part)
            heard.append(page.locator(".said").inner_text())
        assert any(one.startswith("Segment ") for one in heard)

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
        page = open_report(example)
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
