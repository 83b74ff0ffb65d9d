"""Prediction intervals of segments, documents and systems."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase import Bleu, Corpus, Scores, score
from metaphrase.scoring import count_wins, resample
from metaphrase.scoring.records import COLUMNS, score_records
from metrics.word_share import WordShare

#: Word shares 100, 0, 50, 50; the first document has three of the segments.
CORPUS = Corpus({"s": ["a b", "x", "a x", "b y"]}, [["a b c"] * 4], documents=["d", "e", "d", "d"])
LEVELS = ["system", "document", "segment"]
METRICS = [WordShare(), Bleu()]


@pytest.fixture(scope="module")
def scores() -> Scores:
    return score(CORPUS, METRICS, levels=LEVELS)


def ends(scores: Scores, level: str) -> list[tuple[float, float]]:
    found = scores.predictions(system="s", metric="word-share", level=level)
    assert found is not None
    assert found.coverage == 0.8
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


def test_as_many_segments_count_as_were_scored(scores: Scores) -> None:
    assert ends(scores, "segment") == [(60, 100), (0, 40), (10, 90), (10, 90)]
    assert ends(scores, "system") == [(30, 70)]  # 50 ± 40/√4
    mean, reach = 200 / 3, 40 / np.sqrt(3)
    assert ends(scores, "document") == [
        pytest.approx((mean - reach, mean + reach)),
        pytest.approx((0, 40)),
    ]


def test_pieces_make_no_difference(scores: Scores) -> None:
    assert score(CORPUS.pieces(1), METRICS, levels=LEVELS).to_dict() == scores.to_dict()


def test_a_metric_that_does_not_know_has_none(scores: Scores) -> None:
    assert scores.predictions(system="s", metric="bleu") is None
    assert scores.coverages == {"word-share": 0.8}
    assert score(CORPUS, ["bleu"]).coverages == {}
    with pytest.raises(KeyError):
        scores.predictions(system="t", metric="bleu")


def test_json_has_them_beside_the_scores(scores: Scores) -> None:
    (system,) = scores.to_dict()["systems"]
    assert system["predictions"] == {"word-share": {"low": 30.0, "high": 70.0, "coverage": 0.8}}
    assert system["segments"][1]["predictions"]["word-share"]["high"] == 40.0
    assert system["documents"][1]["predictions"]["word-share"]["high"] == 40.0
    (alone,) = score(CORPUS, ["bleu"], levels=LEVELS).to_dict()["systems"]
    assert alone["predictions"] == alone["segments"][0]["predictions"] == {}


def test_they_are_apart_from_bootstrap_intervals() -> None:
    kept = score(CORPUS, METRICS, keep_statistics=True)
    tested = resample(kept, METRICS, confidence=50)
    (first, second) = (dict(zip(COLUMNS, row, strict=True)) for row in score_records(tested))
    assert (first["predicted_low"], first["predicted_high"]) == (30.0, 70.0)
    assert (first["low"], first["high"]) != (30.0, 70.0)
    assert second["predicted_low"] is second["predicted_high"] is None
    assert second["low"] is not None


def test_they_go_with_the_segments(scores: Scores) -> None:
    without = count_wins(scores).without_segments()
    assert without.predictions(system="s", metric="word-share", level="segment") is None
    assert without.predictions(system="s", metric="word-share") is not None
    wins = [row for row in score_records(without) if row[0] == "wins"]
    assert {row[12:15] for row in wins} == {(None, None, 0)}
