"""A report in a browser: its tables and the list of segments."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.page_views import column, rows, status, wait_for_status, wait_for_text
from browser.written_reports import METRICS

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]

SIDES = ("translation", "reference", "source")

#: Where the first row and its texts are, once the grid is laid out as asked.
MEASURED_ROW = """([layout, ...sides]) => {
    const beside = document.querySelector('.grid').classList.contains('beside');
    const row = document.querySelector('.grid-body .grid-row');
    const parts = [row, ...sides.map(side => row?.querySelector(`.cell.${side}`))];
    if (beside !== (layout === 'beside') || !parts.every(part => part?.offsetHeight)) return null;
    return parts.map(part => part.getBoundingClientRect().toJSON());
}"""


class TestLoading:
    def test_the_table_of_systems_is_first(self, open_report: Open, example: Path) -> None:
        page = open_report(example)
        table = page.get_by_role("table", name="Systems by all metrics")
        assert table.get_by_role("row").count() == 1 + 2
        assert table.get_by_role("columnheader").count() == 1 + len(METRICS)
        assert page.get_by_role("heading", level=1).inner_text() == "The bundled example"

    def test_a_verdict_stands_under_the_title(
        self, open_report: Open, example: Path, short: Path
    ) -> None:
        verdict = open_report(example).locator(".report-head .verdict")
        assert verdict.inner_text().startswith("system-a scores ")
        assert open_report(short).locator(".verdict").count() == 0

    def test_notes_do_not_look_like_warnings(
        self, open_report: Open, judged: Path, doubtful: Path
    ) -> None:
        page = open_report(judged)
        assert "5 most informative" in page.locator(".report-head .notes").inner_text()
        assert page.locator(".report-head .warnings").count() == 0
        page = open_report(doubtful)
        assert "looks like English" in page.locator(".report-head .warnings").inner_text()

    def test_doubts_stand_among_the_warnings(self, open_report: Open, domains: Path) -> None:
        warnings = open_report(domains).locator(".report-head .warnings li")
        assert warnings.all_inner_texts() == ["1 hypothesis is empty: 1 of broken (line 1)."]

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

    def test_each_metric_says_what_it_measures(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        assert page.locator(".meanings dt").all_inner_texts() == ["bleu", "cobalt", "ter"]
        button = page.get_by_role("button", name="ter", exact=True).first
        assert button.get_attribute("title") == page.locator(".meanings dd").last.inner_text()

    def test_documents_stand_worst_first_and_lead_to_their_segments(
        self, open_report: Open, example: Path, judged: Path
    ) -> None:
        page = open_report(example)
        table = page.locator("#documents table")
        table.wait_for()

        def leads() -> list[float]:
            texts = table.locator("tbody th + td").all_inner_texts()
            return [float(text.replace("−", "-")) for text in texts]

        assert len(leads()) == 6  # as many as examples/documents.txt has
        assert leads() == sorted(leads())
        lead = table.get_by_role("columnheader", name="Lead")
        lead.get_by_role("button").click()
        wait_for_text(page, "#documents th[aria-sort=descending]", "Lead")
        assert leads() == sorted(leads(), reverse=True)
        assert lead.get_by_role("button").evaluate("button => button === document.activeElement")
        assert "documentDescending=true" in page.url
        table.get_by_role("button", name="politics").click()
        wait_for_status(page, "^4 rows")  # two systems × two lines of examples/documents.txt
        assert open_report(judged).locator("#documents").count() == 0

    def test_so_do_domains_by_themselves(self, open_report: Open, domains: Path) -> None:
        page = open_report(domains, "#documentDescending=true")
        assert page.locator("#documents").count() == 0
        table = page.locator("#domains table")
        table.wait_for()
        wait_for_text(page, "#domains th[aria-sort=ascending]", "Lead")
        table.get_by_role("columnheader", name="Segments").get_by_role("button").click()
        wait_for_text(page, "#domains th[aria-sort=ascending]", "Segments")
        assert "domainSort=-3" in page.url
        table.get_by_role("button", name="politics").click()
        wait_for_status(page, "^4 rows")  # two systems × two lines of examples/documents.txt
        page.get_by_role("search").get_by_label("Domain").select_option(label="All domains")
        wait_for_status(page, "^24 rows")

    def test_prediction_intervals_stand_with_scores_of_systems_alone(
        self, open_report: Open, predicted: Path
    ) -> None:
        page = open_report(predicted)
        brackets = re.compile(r"^\[\d+–\d+\]$")
        shown = page.locator("#systems tbody td:has(.predicted)")
        assert shown.count() == 3  # of three systems by accord, and none by BLEU
        for text in page.locator("#systems .predicted [aria-hidden]").all_inner_texts():
            assert brackets.match(text)
        assert "the prediction interval of accord" in page.locator("#systems").inner_text()
        page.get_by_role("button", name="accord", exact=True).first.click()
        headings = page.get_by_role("table", name="Systems by accord").get_by_role("columnheader")
        assert "Prediction interval" in headings.all_inner_texts()
        first = page.locator(".grid-body .grid-row").first
        assert first.locator(".score").first.get_attribute("title") is None
        first.click()
        dialog = page.locator(".segment-dialog")
        dialog.locator(".explain").first.wait_for()
        assert dialog.locator(".predicted").count() == 0
        assert "Raters would prefer " in dialog.inner_text()

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
        assert status(page).inner_text() == "50,000 rows, the worst by chrf first."
        assert page.locator(".grid-body .grid-row").count() < 80  # only what is in sight exists
        page.locator(".grid").focus()
        page.keyboard.press("End")
        wait_for_text(page, ".grid-body .grid-row[aria-rowindex='50001']", "system-")


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
    def test_the_worst_come_first_and_the_order_can_be_changed(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged)
        wait_for_status(page, "the worst by bleu first")
        assert column(page, "bleu") == sorted(column(page, "bleu"))
        page.get_by_label("Order", exact=True).select_option(label="ter")
        wait_for_status(page, "the worst by ter first")
        scores = column(page, "ter")
        assert scores == sorted(scores, reverse=True)  # lower is better: the worst is the greatest
        page.get_by_label("Direction of the order").select_option(label="Best first")
        wait_for_status(page, "the best by ter first")
        assert column(page, "ter") == sorted(column(page, "ter"))
        page.get_by_label("Order", exact=True).select_option(label="Order of the text")
        wait_for_status(page, "in the order of the text")
        assert [row[0] for row in rows(page)[:6]] == ["1", "1", "1", "2", "2", "2"]
        assert "sort=-1" in page.url

    def test_source_and_reference_stand_with_the_translation(
        self, open_report: Open, sourced: Path
    ) -> None:
        page = open_report(sourced, "#sort=-1")
        wait_for_text(page, ".grid-body .cell.source", "^Die Regierung kündigte")
        for width, stacked in ((1900, False), (400, True)):
            page.set_viewport_size({"width": width, "height": 900})
            # Rows are drawn again, so that all is measured in one look at one row.
            row, *sides = page.wait_for_function(
                MEASURED_ROW, arg=["beside" if not stacked else "stacked", *SIDES]
            ).json_value()
            tops = [side["top"] for side in sides]
            assert tops == sorted(tops)
            assert (len(set(tops)) == 3) is stacked
            assert sides[-1]["bottom"] <= row["bottom"]

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
        wait_for_status(page, "^24 rows, the worst")

    def test_where_two_systems_differ_most(self, open_report: Open, judged: Path) -> None:
        page = open_report(judged)
        page.get_by_label("Show").select_option(label="Two systems differ most")
        page.get_by_label("Other system", exact=True).select_option(label="careless")
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
        wait_for_status(page, "^5 rows, explained by bleu")
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
        assert any(row[5].startswith("−0.") for row in rows(page))
        assert page.locator(".grid-body .score").evaluate_all(
            "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(one => one.textContent)"
        ) == []  # fmt: skip

    def test_what_people_said_is_a_column_and_an_order(
        self, open_report: Open, below_zero: Path
    ) -> None:
        page = open_report(below_zero, "#sort=-1")
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
        gaps = [float(row[5].rstrip(" %").replace("−", "-")) for row in rows(page)]
        assert [abs(gap) for gap in gaps] == sorted(map(abs, gaps), reverse=True)

    def test_a_difference_has_the_digits_of_its_metric_and_says_its_sign(
        self, open_report: Open, judged: Path
    ) -> None:
        page = open_report(judged, "#choice=systems&metric=2&first=0&second=2")
        wait_for_status(page, "careful minus careless; lower is better")
        assert re.fullmatch(r"[−+]?\d+\.\d\d", rows(page)[0][5])
