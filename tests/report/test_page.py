"""The page of a report: one file, in which texts are nothing but data."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest

from metaphrase.corpus import Corpus
from metaphrase.errors import ResourceError
from metaphrase.report.dataset import ReportData, build
from metaphrase.report.page import report_page
from metaphrase.report.page.front_end import asset
from metaphrase.scoring import score
from report.written_pages import Elements, addresses, blocks, directives, overview, scripts

SCRIPT, STYLE = "console.log(1 < 2)", "body > p { color: red }"
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script> --> ]]> <style>*{}</style>",
    "\u202eright to left\u202c \u2066isolated\u2069",
    "NUL \x00 and bell \x07",
    "x" * 1_000_000,
    "👩🏽‍🚀 emoji \U0001f4a9",
    "\u2028\u2029 \\u003c &lt; \"quoted' `ticks`",
    "<img src=x onerror=alert(1)>",
]


@pytest.fixture(scope="module")
def data() -> ReportData:
    # Names of systems, documents and the title are as hostile as texts can be.
    names = ["</script><b>bold", "\u202ename & <i>"]
    corpus = Corpus(dict.fromkeys(names, HOSTILE), [HOSTILE], sources=HOSTILE, documents=HOSTILE)
    scores = score(
        corpus,
        ["chrf"],
        levels=["system", "segment"],
        keep_statistics=True,
        check_language=False,
    )
    return build(
        corpus,
        scores,
        ["chrf"],
        title="</title></script><script>alert(2)</script>\udc80",
        doubts=True,
    )


@pytest.fixture(scope="module")
def page(data: ReportData) -> str:
    return b"".join(report_page(data, script=SCRIPT, style=STYLE)).decode()


def test_only_our_script_can_run(page: str) -> None:
    assert scripts(page) == [SCRIPT]
    assert "alert" not in "".join(text for _, text in Elements(page).named("style"))


def test_hostile_text_adds_no_element(page: str) -> None:
    tags = {tag for tag, _, _ in Elements(page).found}
    assert tags <= set(
        "html head meta title style body div noscript h1 p small table tr th td script".split()
    )
    handlers = [name for _, attrs, _ in Elements(page).found for name in attrs if name[:2] == "on"]
    assert handlers == []


def test_no_control_and_no_override_is_outside_the_data(page: str) -> None:
    outside = re.sub(r"<script .*?</script>", "", page, flags=re.S)
    assert not re.search("[\x00-\x08\x0e-\x1f\u202a-\u202e\u2066-\u2069\u2028\u2029]", outside)
    assert "\x00" not in page


def test_texts_come_out_as_they_went_in(page: str, data: ReportData) -> None:
    assert overview(page) == data.overview
    assert overview(page)["documents"] == HOSTILE
    embedded = blocks(page)
    assert embedded == {name: data.block(name) for name in data.packed}
    assert json.loads(embedded["texts/0"])["hypotheses"][0] == HOSTILE


def test_the_policy_allows_our_files_by_hash_and_nothing_else(page: str) -> None:
    policy = directives(page)
    assert policy["default-src"] == "'none'"
    for name, content in (("script-src", SCRIPT), ("style-src", STYLE)):
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert policy[name] == f"'sha256-{digest}'"
    assert policy["img-src"] == "data:"
    assert "connect-src" not in policy
    # The policy must come before anything it is to hold for.
    assert page.index("Content-Security-Policy") < page.index("<style>") < page.index("<script")


def test_nothing_is_fetched(page: str) -> None:
    assert addresses(page) == set()


def test_without_scripts_there_is_the_table_of_systems(page: str) -> None:
    fallback = page[page.index("<noscript>") : page.index("</noscript>")]
    cells = [text for _, text in Elements(fallback).named("td")]
    assert cells[0] == "</script><b>bold"
    assert cells[1] == "100.0000"
    assert [text for _, text in Elements(fallback).named("th")] == ["system", "chrf"]


def test_the_same_data_give_the_same_bytes(data: ReportData, page: str) -> None:
    assert b"".join(report_page(data, script=SCRIPT, style=STYLE)).decode() == page


@pytest.mark.parametrize(
    ("script", "style"), [("'</SCRIPT>'", ""), ("'<!--'", ""), ("", "</style>"), ("", "<!--")]
)
def test_files_that_would_break_out_of_their_element_are_refused(
    data: ReportData, script: str, style: str
) -> None:
    with pytest.raises(ResourceError, match="MP643"):
        list(report_page(data, script=script, style=style))


def test_a_missing_file_of_the_front_end_is_named() -> None:
    with pytest.raises(ResourceError, match=r"MP643.*nowhere\.js"):
        asset("nowhere.js")


def test_the_shipped_front_end_fits_into_a_page(data: ReportData) -> None:
    page = b"".join(report_page(data)).decode()
    assert asset("report.js") in page
    assert asset("report.css") in page
