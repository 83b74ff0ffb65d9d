"""``metaphrase probe --format html`` in a browser: the table, what was not seen, and texts as texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.page_checks import contrast, violations
from browser.written_reports import HOSTILE, MARKUP
from metaphrase.cli import main
from metaphrase.probing import Challenge, probe, write_challenges
from metaphrase.report.page import probe_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
EXAMPLE = Path(__file__).parents[2] / "examples" / "probe.tsv"
TABLE = "table.seen tbody tr"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_table_leads_to_what_was_not_seen(
    open_report: Open, tmp_path: Path, scheme: str
) -> None:
    page = tmp_path / "probe.html"
    assert main(["probe", str(EXAMPLE), "-m", "bleu", "ter", "-o", str(page)]) == 0
    shown = open_report(page, scheme=scheme, ready=TABLE)
    assert shown.title() == "What metrics do not see"
    assert shown.locator("table.seen thead th").all_inner_texts() == [
        "Error",
        "Items",
        "bleu",
        "ter",
    ]
    row = shown.locator(TABLE).filter(has_text="agreement")
    # BLEU sees no difference in three of seven: the word is none of the reference's anyway.
    assert "42.9 % ties" in row.inner_text()
    row.locator("a").click()
    found = shown.locator("details:target")
    assert found.locator("summary bdi").first.inner_text() == "agreement"
    assert found.locator(".failure ins, .failure del").count() > 0
    assert violations(shown) == []
    assert contrast(shown)["poor"] == []


def test_texts_are_shown_as_texts(open_report: Open, tmp_path: Path) -> None:
    items = [
        Challenge(kind=MARKUP, severity=MARKUP, reference="a b", good="c", bad=text, source=text)
        for text in HOSTILE[:6]
    ]
    page = tmp_path / "probe.html"
    page.write_text(probe_page(probe(items, ["bleu"], check_language=False)), encoding="utf-8")
    shown = open_report(page, ready=TABLE)
    assert shown.locator("#app :is(img, script, style, u)").count() == 0
    assert MARKUP in (shown.locator("table.seen").text_content() or "")
    text = shown.locator("#app").text_content() or ""
    assert not {"\u202e", "\x07"} & set(text)


def test_a_set_without_severities_has_no_rows_for_them(open_report: Open, tmp_path: Path) -> None:
    items = [Challenge(kind="order", reference="the cat sat", good="the cat", bad="cat the")]
    path, page = tmp_path / "probe.tsv", tmp_path / "probe.html"
    write_challenges(items, path)
    assert main(["probe", str(path), "-m", "bleu", "--format", "html", "-o", str(page)]) == 0
    shown = open_report(page, ready=TABLE)
    assert shown.locator(f"{TABLE} th").all_inner_texts() == ["order"]
    assert shown.locator("details").count() == 0
