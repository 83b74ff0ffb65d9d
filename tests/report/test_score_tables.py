"""Scores as text, TSV and JSON."""

from __future__ import annotations

import json

import pytest

from metaphrase import Corpus, Scores, score
from metaphrase.report import score_json, score_tsv, score_view
from report.screen import on_screen

CORPUS = Corpus(
    {"good": ["A cat.", "No."], "[bad]": ["Dog!", "Yes."]},
    [["A cat.", "No."]],
    documents=["one", "two"],
)


@pytest.fixture(scope="module")
def scores() -> Scores:
    return score(CORPUS, ["bleu", "ter"], levels=["system", "document", "segment"])


def drawn(scores: Scores, width: int = 80) -> str:
    return on_screen(score_view(scores), width=width)


def test_the_table_names_systems_metrics_and_directions(scores: Scores) -> None:
    text = drawn(scores)
    assert "2 systems · 2 segments · 1 reference\n" in text
    assert "ter ↓" in text
    assert "[bad]" in text  # a name is text, not markup
    assert "bleu|nrefs:1" in text


def test_the_table_fits_80_columns(scores: Scores) -> None:
    assert max(map(len, drawn(scores).splitlines())) <= 80


def test_tsv_has_a_line_for_every_number(scores: Scores) -> None:
    header, *lines = score_tsv(scores)
    rows = [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]
    # 2 systems × 2 metrics × (1 system + 2 documents + 2 segments)
    assert len(rows) == 20
    for row in rows:
        values = scores.values(system=row["system"], metric=row["metric"], level=row["level"])
        assert float(row["score"]) in values


def test_a_name_with_a_tab_stays_in_its_cell() -> None:
    corpus = Corpus({"a\tb\n": ["x"]}, [["x"]])
    _, line = score_tsv(score(corpus, ["bleu"]))
    assert line.split("\t")[1] == "a\\tb\\n"


def test_escape_sequences_do_not_reach_the_terminal() -> None:
    scores = score(Corpus({"\x1b[31mred": ["x"]}, [["x"]]), ["bleu"])
    assert "\x1b" not in drawn(scores)


def test_a_narrow_screen_does_not_cut_numbers(scores: Scores) -> None:
    assert "100.00" in drawn(scores, width=12)


def test_json_gives_back_the_exact_numbers(scores: Scores) -> None:
    assert json.loads(score_json(scores)) == scores.to_dict()
