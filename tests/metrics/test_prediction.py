"""Prediction intervals: where people's judgement lies, by the metrics that know."""

from __future__ import annotations

import numpy as np

from metaphrase import Bleu, create
from metaphrase.metrics import Prediction
from metrics.word_share import WordShare

REFERENCE = "He does not remember who gave him the letter."
HYPOTHESIS = "He reminds himself not, who has given him the letter."


def test_most_metrics_do_not_know() -> None:
    assert Bleu().predict(np.array([50.0]), np.array([1.0])) is None
    assert Bleu().sentence_score(HYPOTHESIS, [REFERENCE]).prediction is None
    assert create("cobalt").explain(HYPOTHESIS, REFERENCE).prediction is None


def test_scores_carry_their_interval() -> None:
    # Two words of four: 50 ± 40 for one segment, and 75 ± 40/√4 for the mean of four, cut at 100.
    metric = WordShare()
    assert metric.sentence_score("a b x y", ["a b c"]).prediction == Prediction(10.0, 90.0, 0.8)
    texts = ["a b x y", "a b x y", "a", "a"]
    assert metric.corpus_score(texts, [["a b c"] * 4]).prediction == Prediction(55.0, 95.0, 0.8)
    single = metric.predict(metric.segment_scores(texts, [["a b c"] * 4]), np.ones(4))
    assert list(single or ()) == [
        *[Prediction(10.0, 90.0, 0.8)] * 2,
        *[Prediction(60.0, 100.0, 0.8)] * 2,
    ]


def test_accord_predicts_what_its_model_was_calibrated_to() -> None:
    accord = create("accord")
    score = accord.sentence_score(HYPOTHESIS, [REFERENCE])
    prediction = score.prediction
    assert prediction is not None
    assert prediction.coverage == accord.prediction_coverage
    assert 0 <= prediction.low < score.score < prediction.high <= 100
    explained = accord.explain(HYPOTHESIS, REFERENCE)
    assert explained.prediction == prediction
    assert explained.to_dict()["prediction"]["high"] == prediction.high


def test_many_segments_say_more_than_one() -> None:
    accord = create("accord")
    one = accord.corpus_score([HYPOTHESIS], [[REFERENCE]]).prediction
    many = accord.corpus_score([HYPOTHESIS] * 50, [[REFERENCE] * 50]).prediction
    assert one is not None
    assert many is not None
    assert one.low < many.low < many.high < one.high


def test_a_contrast_has_the_intervals_of_both() -> None:
    accord = create("accord")
    found = accord.contrast(REFERENCE, HYPOTHESIS, REFERENCE)
    assert found.better_prediction == accord.explain(REFERENCE, REFERENCE).prediction
    assert found.worse_prediction == accord.explain(HYPOTHESIS, REFERENCE).prediction
