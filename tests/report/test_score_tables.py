"""Scores as text, TSV and JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaphrase import Corpus, Metric, Scores, score
from metaphrase.report import score_json, score_tsv, score_view
from metaphrase.scoring import resample
from metrics.word_share import WordShare
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


def predicted(*metrics: str | Metric, **options: Any) -> Scores:
    levels = ["system", "document", "segment"]
    return score(CORPUS, list(metrics), levels=levels, **options)


def test_prediction_intervals_stand_in_brackets_below_each_other() -> None:
    # All words of `good`, none of `[bad]`: ±40/√2 for systems of two segments, nothing for one.
    lines = drawn(predicted(WordShare())).splitlines()
    assert "good    100.00 [72–100]" in lines
    assert "[bad]     0.00   [0–28]" in lines
    assert "      1  good        100.00" in lines
    assert "         [bad]         0.00" in lines
    note = "[ ]: prediction interval of word-share: a percentile among systems judged together,"
    assert note in " ".join(" ".join(lines).split())


def test_a_column_without_prediction_intervals_is_as_it_was(scores: Scores) -> None:
    assert "prediction" not in drawn(scores)
    lines = drawn(predicted(WordShare(), "bleu")).splitlines()
    alone = drawn(predicted("bleu")).splitlines()
    assert alone[2].split() == ["system", "bleu"]
    assert alone[3].split()[-1] == lines[3].split()[-1]
    assert "[" not in alone[3]


def test_prediction_and_confidence_intervals_are_apart() -> None:
    metrics = [WordShare()]
    tested = resample(predicted(*metrics, keep_statistics=True), metrics, confidence=50)
    lines = drawn(tested).splitlines()
    assert lines[3].split() == ["good", "100.00", "[72–100]"]
    assert lines[4].split() == ["100.00", "±", "0.00"]


def test_no_interval_is_torn_from_its_score() -> None:
    text = drawn(predicted("bleu", "ter", WordShare(), "chrf"), width=36)
    assert "100.00 [72–100]" in text
    assert max(map(len, text.splitlines())) <= 36


def test_of_two_systems_it_is_said_which_raters_would_prefer() -> None:
    corpus = Corpus({"old": ["A dog sat."], "new": ["A cat sat."]}, [["A cat sat."]])
    scores = score(corpus, ["accord", "bleu"])
    chance = scores.preference("new", "old", metric="accord")
    assert chance is not None
    lines = [line for line in drawn(scores).splitlines() if "raters" in line]
    assert len(lines) == 1
    assert lines[0].startswith(
        f"accord: raters would prefer new with probability {chance[0]:.2f} ("
    )
