"""What notebooks and consoles show of results."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import metaphrase
from metaphrase import Corpus, Scores, TeslaM, analysis
from metaphrase.metrics import compare
from metaphrase.report import explanation_html

EXAMPLES = Path(__file__).parents[2] / "examples"
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


def test_a_contrast_is_one_line_and_tables() -> None:
    found = TeslaM().contrast("a <b>big</b> house", "the dog " * 40, "a large house")
    assert repr(found).startswith("<Contrast tesla-m: 0.")
    assert len(repr(found)) < 140
    html = found._repr_html_()
    assert "&lt;b&gt;big" in html
    assert "word of the reference" in html
    assert f"{found.difference:+.4f}" in html
    assert found.signature in html


def test_a_table_of_agreement_is_one_line_and_tables() -> None:
    judgements = metaphrase.meta.read_judgements(EXAMPLES / "judgements.tsv")
    table = metaphrase.meta.agreement_table(
        list(judgements.values()), ["bleu", "chrf"], resamples=20
    )
    assert repr(table).startswith("<AgreementTable metrics=2 columns=2 of example: bleu 0.")
    html = table._repr_html_()
    # A heading, two metrics, and how many systems, segments and translations stand behind them.
    assert html.count("<tr>") == 6
    assert "de-en" in html
    assert "clusters" in html
    assert table.columns[0].signatures[0] in html


def test_what_is_derived_from_a_result_is_drawn_like_it() -> None:
    class Mine(Scores):
        pass

    scores = metaphrase.score(CORPUS, ["chrf"])
    mine = Mine(scores.metrics, scores.systems, scores.segments, scores.references)
    assert mine._repr_html_() == scores._repr_html_()


def test_nothing_that_draws_is_imported_before_somebody_looks() -> None:
    code = (
        "import sys, metaphrase\n"
        "one = metaphrase.TeslaM().explain('a', 'a')\n"
        "drawn = [name in sys.modules for name in ('metaphrase.report', 'rich')]\n"
        "print(*drawn, len(one._repr_html_()) > 1000)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False True\n"


def test_tables_of_columns_are_one_line() -> None:
    corpus = Corpus({f"system {i}": ["a b"] * 90 for i in range(90)}, [["a b"] * 90])
    batch = analysis.shared("builtin:en").analyse(["A cat sat."] * 90, ["lemma"])
    judged = metaphrase.meta.read_judgements(EXAMPLES / "judgements.tsv")["de-en"]
    scores = metaphrase.score(corpus, ["ter"], levels=["segment"], keep_statistics=True)
    (comparison, *_) = compare(corpus, TeslaM())
    for shown in (corpus, batch, batch[0], judged, scores.systems[0], comparison):
        assert repr(shown).startswith(f"<{type(shown).__name__}")
        assert "\n" not in repr(shown)
        assert len(repr(shown)) < 250
    assert repr(judged) == (
        "<Judgements name='example' language_pair='de-en' systems=('careful', 'literal', 'careless') "
        "segments[10] texts[30] text_of[3×10] human[3×10]>"
    )


def test_a_metric_shows_what_was_chosen() -> None:
    assert repr(metaphrase.Bleu()) == "Bleu()"
    metric = TeslaM(alpha=0.5, lang="de")
    assert repr(metric) == "TeslaM(lang='de', alpha=0.5)"
    assert eval(repr(metric), vars(metaphrase), {"TeslaM": TeslaM}) == metric
    score = metaphrase.Ter().sentence_score("a cat", ["a dog"])
    assert repr(score) == "<Score ter 50.0000>"
    assert repr(score.signature).startswith("<Signature ter|nrefs:1|")
