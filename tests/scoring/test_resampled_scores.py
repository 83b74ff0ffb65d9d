"""Intervals and p-values of scores: what is kept, what is refused, and how it is shown."""

from __future__ import annotations

import json

import pytest

from metaphrase import Bleu, Corpus, Scores, score
from metaphrase.errors import InputError, OptionError
from metaphrase.report import score_json, score_tsv, score_view
from metaphrase.scoring import resample
from metaphrase.scoring.significance import TESTS, PairedTest
from metaphrase.statistics.resampling import confidence_interval
from report.screen import on_screen

REFERENCES = ["The cat sat on the mat.", "Dogs are running.", "It rained.", "She sees him now."] * 5
GOOD = ["The cat sat on a mat.", "Dogs are running.", "It rained.", "She sees him."] * 5
BAD = ["A cat on mat.", "Dog runs.", "Rain.", "See him."] * 5
CORPUS = Corpus({"good": GOOD, "[bad]": BAD}, [REFERENCES])
METRICS = ["bleu", "tesla-m", "ter"]


@pytest.fixture(scope="module")
def scores() -> Scores:
    return score(CORPUS, METRICS, keep_statistics=True)


def test_statistics_are_kept_only_if_asked_for(scores: Scores) -> None:
    assert score(CORPUS, ["bleu"]).systems[0].statistics == {}
    kept = scores.systems[0].statistics
    assert {name: rows.shape for name, rows in kept.items()} == {
        "bleu": (20, 10),
        "tesla-m": (20, 14),
        "ter": (20, 2),
    }


def test_pieces_keep_the_same_statistics(scores: Scores) -> None:
    pieces = score(CORPUS.pieces(3), METRICS, keep_statistics=True)
    for one, two in zip(scores.systems, pieces.systems, strict=True):
        for name in METRICS:
            assert one.statistics[name].tobytes() == two.statistics[name].tobytes()


@pytest.mark.parametrize("test", TESTS)
def test_a_clearly_worse_system_is_found_by_every_metric(scores: Scores, test: str) -> None:
    tested = resample(scores, METRICS, test=test, resamples=200)
    baseline, system = tested.systems
    assert [baseline.resampled[name].p_value for name in METRICS] == [None] * 3
    assert all(system.resampled[name].p_value < 0.05 for name in METRICS)
    assert (system.resampled["bleu"].interval is not None) == (test == "sacrebleu-bootstrap")
    assert system.resampled["bleu"].score == system.system["bleu"]


def test_intervals_come_by_themselves_or_beside_approximate_randomisation(scores: Scores) -> None:
    alone = resample(scores, METRICS, confidence=100)
    beside = resample(
        scores, METRICS, test="approximate-randomisation", resamples=50, confidence=100
    )
    for one, two in zip(alone.systems, beside.systems, strict=True):
        rows = one.statistics["bleu"]
        expected = confidence_interval(rows, Bleu().score, resamples=100)
        assert one.resampled["bleu"].interval == two.resampled["bleu"].interval == expected
        assert one.resampled["bleu"].p_value is None


def test_the_table_shows_intervals_and_marks_what_is_significant(scores: Scores) -> None:
    tested = resample(
        scores, METRICS, test="approximate-randomisation", resamples=200, confidence=200
    )
    text = on_screen(score_view(tested))
    interval = tested.systems[0].resampled["bleu"].interval
    assert f"{interval.mean:.2f} ± {interval.half_width:.2f}" in text
    assert "p 0.0050*" in text  # (0 + 1) / (200 + 1)
    assert "baseline" in text
    assert "* p < 0.05 against good: approximate randomisation, 200 resamples" in text
    assert max(map(len, text.splitlines())) <= 80


def test_what_is_not_significant_has_no_mark() -> None:
    # Each system has the better half, so that exchanges often make a larger difference.
    mixed = [*GOOD[:10], *BAD[10:]], [*BAD[:10], *GOOD[10:]]
    corpus = Corpus({"a": mixed[0], "b": mixed[1]}, [REFERENCES])
    scores = score(corpus, ["bleu"], keep_statistics=True)
    tested = resample(scores, ["bleu"], test="approximate-randomisation", resamples=100)
    p = tested.systems[1].resampled["bleu"].p_value
    assert p > 0.5
    assert f"p {p:.4f}\n" in on_screen(score_view(tested))


@pytest.mark.parametrize("test", TESTS)
def test_a_system_equal_to_the_baseline_does_not_differ(test: PairedTest) -> None:
    scores = score(Corpus({"a": GOOD, "b": GOOD}, [REFERENCES]), ["bleu"], keep_statistics=True)
    tested = resample(scores, ["bleu"], test=test, resamples=100)
    assert tested.systems[1].resampled["bleu"].p_value == 1.0
    assert "p 0." not in on_screen(score_view(tested))


@pytest.mark.parametrize(("differing", "said"), [(1, False), (5, False), (6, True)])
def test_too_few_segments_are_not_tested(differing: int, said: bool) -> None:
    corpus = Corpus({"a": GOOD, "b": [*BAD[:differing], *GOOD[differing:]]}, [REFERENCES])
    scores = score(corpus, ["tesla-m"], keep_statistics=True)
    tested = resample(scores, ["tesla-m"], test="approximate-randomisation")
    found = tested.to_dict()["systems"][1]["resampled"]
    # All of n segments go one way, so that two of 2ⁿ exchanges have so large a difference.
    assert found["tesla-m"]["p_value"] == found["tesla-m"]["smallest_p"] == 0.5 ** (differing - 1)
    assert found["tesla-m"]["differing"] == differing
    text = on_screen(score_view(tested))
    assert ("p 0.0312*" in text) == said
    assert ("too few segments to test" in text) != said


def test_one_segment_is_never_significant_by_any_test() -> None:
    corpus = Corpus({"a": GOOD[:1], "b": BAD[:1]}, [REFERENCES[:1]])
    scores = score(corpus, ["chrf"], keep_statistics=True)
    for test in TESTS:
        assert "*\n" not in on_screen(score_view(resample(scores, ["chrf"], test=test)))


def test_tsv_and_json_have_the_same_numbers(scores: Scores) -> None:
    tested = resample(scores, METRICS, test="sacrebleu-bootstrap", resamples=50)
    header, *lines = score_tsv(tested)
    rows = [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]
    result = json.loads(score_json(tested))
    assert result["resampling"] == {
        "test": "sacrebleu-bootstrap",
        "resamples": 50,
        "baseline": "good",
        "confidence": 50,
        "seed": 12345,
    }
    for row in rows:
        system = next(s for s in result["systems"] if s["name"] == row["system"])
        for key, value in system["resampled"][row["metric"]].items():
            assert row[key] == ("" if value is None else repr(value))


def test_json_has_the_same_keys_with_and_without_resampling(scores: Scores) -> None:
    plain, tested = scores.to_dict(), resample(scores, METRICS, confidence=10).to_dict()
    assert list(plain) == list(tested)
    assert list(plain["systems"][0]) == list(tested["systems"][0])
    assert plain["resampling"] is None


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, "MP753"),
        ({"test": "t-test"}, "MP753"),
        ({"test": "sacrebleu-bootstrap", "confidence": 10}, "MP754"),
        ({"confidence": 0}, "MP740"),
        ({"confidence": 10, "seed": -1}, "MP740"),
        ({"test": "approximate-randomisation", "resamples": -1}, "MP740"),
    ],
)
def test_a_wrong_question_is_a_coded_error(scores: Scores, options: dict, code: str) -> None:
    with pytest.raises(OptionError) as caught:
        resample(scores, METRICS, **options)
    assert caught.value.code == code


def test_one_system_cannot_be_tested_against_itself() -> None:
    single = score(Corpus({"s": GOOD}, [REFERENCES]), ["bleu"], keep_statistics=True)
    with pytest.raises(InputError, match="MP741"):
        resample(single, ["bleu"], test="approximate-randomisation")


def test_scores_without_statistics_or_system_scores_are_refused() -> None:
    for options in ({}, {"keep_statistics": True, "levels": ["segment"]}):
        with pytest.raises(OptionError, match="MP755"):
            resample(score(CORPUS, ["bleu"], **options), ["bleu"], confidence=10)
