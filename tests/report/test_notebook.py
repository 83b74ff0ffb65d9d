"""What notebooks and consoles show of results."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import metaphrase
from metaphrase import Corpus, TeslaM
from metaphrase.report import explanation_html

CORPUS = Corpus({"good": ["A cat.", "No."], "<b>": ["Dog!", "Yes."]}, [["A cat.", "No."]])


def test_scores_are_one_line_and_a_table() -> None:
    scores = metaphrase.score(CORPUS, ["chrf", "ter"])
    assert repr(scores).startswith(
        "<Scores systems=2 segments=2 references=1: good chrf 100.00 ter 0.00; <b> chrf "
    )
    html = scores._repr_html_()
    assert "<b>100.00</b>" in html  # the best one
    assert "&lt;b&gt;" in html  # a name is text, not markup
    assert "ter ↓" in html
    assert scores.metrics[0].signature in html


def test_of_many_systems_the_first_are_shown() -> None:
    scores = metaphrase.score(CORPUS, ["chrf"])
    many = replace(scores, systems=scores.systems * 3)
    assert repr(many).count("chrf") == 3
    assert repr(many).endswith("; …>")


def test_segments_alone_are_shown_up_to_a_limit() -> None:
    long = Corpus({"good": ["A cat."] * 200}, [["A cat."] * 200])
    scores = metaphrase.score(long, ["chrf"], levels=["segment"])
    assert repr(scores) == "<Scores systems=1 segments=200 references=1>"
    html = scores._repr_html_()
    assert html.count("<tr>") == 61  # with the heading
    assert "60 of 200 rows" in html


def test_warnings_are_shown() -> None:
    scores = replace(metaphrase.score(CORPUS, ["chrf"]), warnings=("It is <i>odd</i>.",))
    assert "It is &lt;i&gt;odd&lt;/i&gt;." in scores._repr_html_()


def test_an_explanation_is_one_line_and_its_page_in_a_frame() -> None:
    explanation = TeslaM().explain('the "big" house', "a large house " * 20)
    assert repr(explanation).startswith("<Explanation tesla-m 0.")
    assert len(repr(explanation)) < 120
    opening, srcdoc, closing = explanation._repr_html_().partition(" srcdoc=")
    assert opening.startswith("<iframe ")
    assert unescape(closing.removeprefix('"').removesuffix('"></iframe>')) == explanation_html(
        explanation
    )
    assert srcdoc
    assert closing.count('"') == 2  # nothing of the page ends the frame
