"""What sentences are read as in other languages is shown in the terminal, safely."""

from __future__ import annotations

from dataclasses import replace

from metaphrase.cli.output import _plain_lines
from metaphrase.metrics import Explanation, Feature, PivotMatch, PivotPhrase
from metaphrase.report import details_view
from oracle.small_tesla import small_tesla

HYPOTHESIS = "The rain caused flooding on Tuesday."
REFERENCE = "Heavy rain caused floods on Tuesday, Querrien."


def explained() -> Explanation:
    return small_tesla().explain(HYPOTHESIS, REFERENCE)


def shown(explanation: Explanation) -> str:
    return "\n".join(_plain_lines(details_view(explanation)))


def test_the_terminal_shows_phrases_with_their_likeliest_readings() -> None:
    text = shown(explained())
    assert "Heavy rain → stark regen (1.00)" in text
    assert "Querrien (unknown)" in text


def test_the_terminal_shows_what_the_readings_have_in_common() -> None:
    (line,) = (line for line in shown(explained()).splitlines() if "in common" in line)
    assert "regen verursachen (1.00)" in line


def test_the_parts_of_the_score_are_listed_with_their_sum() -> None:
    explanation = explained()
    lines = shown(explanation).splitlines()
    for name, value in {**explanation.summands, "score": explanation.score}.items():
        assert any(line.startswith(name) and f"{value:+.4f}" in line for line in lines), name


def test_logarithms_have_no_bar() -> None:
    lines = shown(explained()).splitlines()
    (row,) = (line for line in lines if line.startswith("log₁₀"))
    assert "█" not in row
    assert "·" not in row


def test_rows_of_features_fit_a_terminal_whatever_the_names() -> None:
    explanation = explained()
    long = replace(explanation.features[0], description=f"log₁₀ P a word, {'long-name' * 9}")
    lines = shown(replace(explanation, features=(long,))).splitlines()
    (row,) = (line for line in lines if line.startswith("log₁₀"))
    assert len(row) <= 80


def test_what_rounds_to_nothing_is_not_negative() -> None:
    average = Feature("average", "average translation", None, contribution=-1e-9)
    explanation = replace(explained(), features=(average,), score=-1e-9)
    assert "average translation         +0.0000" in shown(explanation)


def test_least_probable_words_are_shown() -> None:
    (line,) = (line for line in shown(explained()).splitlines() if "least probable" in line)
    assert line.startswith("news")
    assert "flooding (-" in line


def test_json_has_all_of_it() -> None:
    entries = explained().to_dict()
    assert {"pivot_phrases", "pivot_matches"} <= entries.keys()
    assert entries["pivot_phrases"][0]["language"] == "de"


def test_text_of_a_table_cannot_break_the_screen() -> None:
    evil = replace(
        explained(),
        pivot_phrases=(PivotPhrase("reference", "de", (0,), True, {"<script>\x1b[31m": 1.0}),),
        pivot_matches=(PivotMatch("de", "lemma", "\x1b[0m", 1.0, 0.5),),
    )
    assert "\x1b" not in shown(evil)


def test_without_pivots_nothing_is_shown() -> None:
    plain = replace(explained(), pivot_phrases=(), pivot_matches=())
    assert "in common" not in shown(plain)
