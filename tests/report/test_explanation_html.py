"""The HTML of an explanation is well-formed, escaped, and says in words what its colours say."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from metaphrase import TeslaM
from metaphrase.metrics import Explanation
from metaphrase.metrics.cobalt.metric import Cobalt
from metaphrase.report import explanation_html, explanation_page

EXAMPLES = Path(__file__).parents[2] / "examples"


class Checker(HTMLParser):
    """Fails on a tag that is closed in the wrong order, and collects the text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.tags: set[str] = set()
        self.feed(source)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in ("br", "meta"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + " "


@pytest.fixture
def table_3() -> Explanation:
    files = (EXAMPLES / f"table-3-{name}.conllu" for name in ("reference", "second"))
    metric = Cobalt(analyser="conllu:" + "\0".join(map(str, files)), paraphrases="none")
    return metric.explain("The cry of despair of a voter Obama", "An Obama voter's cry of despair")


def test_it_names_scores_penalties_relations_and_what_was_lost(table_3: Explanation) -> None:
    text = Checker(explanation_html(table_3, title="segment 1")).text
    for part in (
        "cobalt 0.6460",
        "segment 1",
        "0.43",
        "prep_of(despair, voter)",
        "poss(cry, voter)",
        "content words in similar syntactic contexts",
        "missing",
        "extra",
        table_3.signature,
    ):
        assert part in text


def test_text_is_text_and_no_script_runs(table_3: Explanation) -> None:
    evil = "<script>alert('x')</script>&\"\x1b\u202e"
    words = tuple(replace(word, form=evil) for word in table_3.hypothesis)
    page = Checker(
        explanation_page([explanation_html(replace(table_3, hypothesis=words), title=evil)])
    )
    assert "script" not in page.tags
    assert "<script>alert('x')</script>" in page.text


def test_nothing_is_fetched_from_anywhere(table_3: Explanation) -> None:
    page = explanation_page([explanation_html(table_3)])
    assert "http" not in page
    assert "url(" not in page


def test_other_metrics_and_empty_sides_can_be_drawn() -> None:
    for hypothesis, reference in (("A cat sits.", "The cat sat."), ("", "The cat."), ("", "")):
        source = explanation_html(TeslaM().explain(hypothesis, reference))
        assert "tesla-m" in Checker(source).text
