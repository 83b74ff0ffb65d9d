"""What a report holds of points lost by kind of error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaphrase.corpus import Corpus, read_plain
from metaphrase.report.dataset import build
from metaphrase.report.dataset.profiles import profile_by_metric, profiled_segments
from metaphrase.scoring import Profile, profile, score
from metaphrase.scoring.engine import labelled_metrics
from metrics.word_share import WordShare

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_plain(
        [EXAMPLES / "reference.txt"],
        {name: EXAMPLES / f"{name}.txt" for name in ("system-b", "system-a")},
        documents=EXAMPLES / "documents.txt",
    )


def profiled(corpus: Corpus, metrics: list[str], segments: int | None = None):
    scores = score(
        corpus,
        metrics,
        levels=["system", "segment"],
        keep_statistics=True,
        check_language=False,
    )
    found = profile_by_metric(
        corpus,
        scores,
        labelled_metrics(metrics, "en"),
        segments,
        resamples=100,
        seed=1,
        threads=1,
    )
    return found, build(corpus, scores, metrics, profiles=found, explain="none", resamples=0)


def test_a_block_has_what_the_profile_has_by_places(corpus: Corpus) -> None:
    (found,), data = profiled(corpus, ["chrf"])
    assert isinstance(found, Profile)
    assert data.overview["profiles"] == [0]
    block = json.loads(data.block("profile/0"))
    assert [one["system"] for one in block["systems"]] == [0, 1]
    for shown, one in zip(block["systems"], found.systems, strict=True):
        assert shown["lost"] == pytest.approx(one.lost, rel=1e-5)
        assert [kind["kind"] for kind in shown["kinds"]] == [kind.kind for kind in one.kinds]
    assert (block["difference"]["better"], block["difference"]["worse"]) == (1, 0)
    assert block["paragraph"].startswith("system-a scores")
    assert block["segments"] == block["ofSegments"] == 12
    documents = [one for one in block["groups"] if one["by"] == "document"]
    whole = sum(one["points"][0] * one["segments"] for one in documents) / 12
    assert whole == pytest.approx(found.systems[0].lost, rel=1e-5)
    assert all(one["mostly"][0] for one in documents)


def test_a_sample_says_what_all_segments_score(corpus: Corpus) -> None:
    _, data = profiled(corpus, ["ter"], 10)
    block = json.loads(data.block("profile/0"))
    assert (block["segments"], block["ofSegments"]) == (10, 12)
    everything = profile(corpus, labelled_metrics(["ter"], "en")["ter"])
    shown = [one["scoreOfAll"] for one in block["systems"]]
    assert shown == pytest.approx([one.score for one in everything.systems], rel=1e-5)


def test_metrics_that_cannot_say_why_say_so(corpus: Corpus) -> None:
    _, data = profiled(corpus, ["pbe:tfidf", "ter"])
    assert data.overview["profiles"] == [1]
    (note,) = [note for note in data.overview["notes"] if "by kind of error" in note]
    assert note.startswith("By pbe:tfidf, no points lost by kind of error: pbe:tfidf looks beyond")
    _, data = profiled(corpus, ["pbe:tfidf"])
    assert "profiles" not in data.overview


def test_external_metrics_are_asked_only_if_somebody_wants_it(corpus: Corpus) -> None:
    metric = WordShare()
    scores = score(corpus, [metric], levels=["system", "segment"], check_language=False)
    options = {"resamples": 10, "seed": 1, "threads": 1}
    chosen = {metric.label: metric}
    WordShare.origin = "somewhere"  # type: ignore[assignment]
    try:
        (reason,) = profile_by_metric(corpus, scores, chosen, None, **options)
    finally:
        WordShare.origin = None
    assert reason == "it is an external metric, and --profile N was not given."
    (found,) = profile_by_metric(corpus, scores, chosen, 5, **options)
    assert isinstance(found, Profile)


def test_more_systems_have_fewer_segments() -> None:
    assert [profiled_segments(systems) for systems in (1, 2, 4, 15, 100)] == [500, 500, 300, 80, 50]


def test_a_report_without_profiles_knows_nothing_of_them(corpus: Corpus) -> None:
    scores = score(corpus, ["ter"], levels=["system", "segment"], check_language=False)
    data = build(corpus, scores, ["ter"], explain="none", resamples=0)
    assert "profiles" not in data.overview
    assert not any(name.startswith("profile") for name in data.packed)
