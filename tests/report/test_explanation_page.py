"""Explanations as HTML: the page of a report with nothing but them, in which every text is data.

What the page makes of these data is tested in ``tests/browser/test_explanation_page.py`` and in ``web/``.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from metaphrase import TeslaM
from metaphrase.corpus import Corpus
from metaphrase.metrics import Explanation
from metaphrase.metrics.cobalt.metric import Cobalt
from metaphrase.metrics.pbe.metric import Pbe
from metaphrase.report import explanation_html, explanation_page
from metaphrase.report.dataset.segment_explainer import explanation_record
from metaphrase.report.page import ExplainedSegment, explained_page
from metaphrase.report.page.front_end import asset
from oracle.small_tesla import small_tesla
from report.edited_sentence import JUMPING
from report.written_pages import Elements, addresses, blocks, directives, overview, scripts, shown

EXAMPLES = Path(__file__).parents[2] / "examples"
EVIL = "</script><script>alert('x')</script><!--&\"\x1b\u202e\x00"


@pytest.fixture(scope="module")
def table_3() -> Explanation:
    files = (EXAMPLES / f"table-3-{name}.conllu" for name in ("reference", "second"))
    metric = Cobalt(analyser="conllu:" + "\0".join(map(str, files)), paraphrases="none")
    return metric.explain("The cry of despair of a voter Obama", "An Obama voter's cry of despair")


def test_it_holds_scores_penalties_relations_and_what_was_lost(table_3: Explanation) -> None:
    ((cell, record),) = shown(explanation_html(table_3, title="segment 1"))
    assert cell == [0, 0, 0, 0, "segment 1"]
    assert (record["metric"], record["signature"]) == ("cobalt", table_3.signature)
    assert record["score"] == pytest.approx(0.6460, abs=1e-4)
    assert 0.43 in [round(link["penalty"], 2) for link in record["links"]]
    lost = {
        (relation["side"], relation["label"])
        for link in record["links"]
        for relation in link["context"]
        if not relation["matched"]
    }
    assert {("hypothesis", "prep_of"), ("reference", "poss")} <= lost
    assert {rest["side"] for rest in record["leftovers"]} == {"reference", "hypothesis"}


def test_edits_phrases_and_readings_are_all_there() -> None:
    explanations = [
        JUMPING,
        Pbe().explain("In towns strong rain fell.", "Heavy rain fell in several villages."),
        small_tesla().explain("The rain caused flooding.", "Heavy rain caused floods, Querrien."),
    ]
    page = explanation_page(explanations)
    assert [record for _, record in shown(page)] == list(map(explanation_record, explanations))
    assert overview(page)["segmentNumbers"] == [1, 2, 3]


@pytest.mark.parametrize("pair", [("A cat sits.", "The cat sat."), ("", "The cat."), ("", "")])
def test_sides_may_be_empty(pair: tuple[str, str]) -> None:
    page = explanation_html(TeslaM().explain(*pair))
    texts = json.loads(blocks(page)["texts/0"])
    assert (texts["hypotheses"][0][0], texts["references"][0][0]) == pair


def test_the_title_has_the_texts_and_stays_short() -> None:
    page = explanation_html(TeslaM().explain("a <b>feline</b>", "the cat " * 20))
    ((_, title),) = Elements(page).named("title")
    assert title.startswith("tesla-m: “a <b>feline</b>” against “the cat the cat")
    assert len(title) < 120


def test_texts_are_data_and_no_script_but_ours_runs() -> None:
    words = tuple(replace(word, form=EVIL) for word in JUMPING.hypothesis)
    evil = replace(JUMPING, hypothesis=words, hypothesis_text=EVIL, metric=EVIL, notes=(EVIL,))
    page = explanation_html(evil, title=EVIL)
    assert scripts(page) == [asset("report.js")]
    outside = re.sub(r"<script .*?</script>", "", page, flags=re.S)
    assert not {"\x1b", "\u202e", "\x00"} & set(outside)
    ((cell, record),) = shown(page)
    assert cell[-1] == record["notes"][0] == record["hypothesis"][0]["form"] == EVIL


def test_nothing_is_fetched_from_anywhere(table_3: Explanation) -> None:
    page = explanation_html(table_3)
    assert directives(page)["default-src"] == "'none'"
    assert addresses(page) == set()


def test_segments_of_a_corpus_come_with_their_numbers_sources_and_documents() -> None:
    corpus = Corpus(
        {"a": ["one", "two", "three"], "b": ["uno", "dos", "tres"]},
        [["one", "two", "three"], ["1", "2", "3"]],
        sources=["eins", "zwei", "drei"],
        documents=["x", "y", "y"],
    )
    explain = TeslaM().explainer(corpus)
    chosen = [("b", 2, 0), ("b", 2, 1), ("a", 0, 0)]
    explained = [
        ExplainedSegment(explain(*cell), *cell, caption=f"reference {cell[2] + 1} of 2")
        for cell in chosen
    ]
    page = explained_page(corpus, explained, lang="en")
    content = overview(page)
    assert content["title"] == "2 explained translations"
    assert content["segmentNumbers"] == [3, 1]
    assert content["documents"] == ["y", "x"]
    assert [cell for cell, _ in shown(page)] == [
        [0, 1, 0, 0, "reference 1 of 2"],
        [0, 1, 0, 1, "reference 2 of 2"],
        [0, 0, 1, 0, "reference 1 of 2"],
    ]
    texts = json.loads(blocks(page)["texts/0"])
    assert texts["sources"] == ["drei", "eins"]
    assert texts["references"] == [["three", "one"], ["3", "1"]]
    assert texts["hypotheses"] == [["three", "one"], ["tres", "uno"]]


def test_without_scripts_the_page_says_what_it_is_about(table_3: Explanation) -> None:
    page = explanation_html(table_3)
    fallback = page[page.index("<noscript>") : page.index("</noscript>")]
    assert "The cry of despair of a voter Obama" in fallback
    assert "with scripts" in fallback
    assert "<table>" not in fallback
