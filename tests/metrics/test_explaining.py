"""Explanations of many segments at once, and of metrics that show nothing of themselves."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import metaphrase
from metaphrase import Corpus, Exec
from metaphrase.cli import main
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics.guests.process import close_all
from metaphrase.metrics.repairs import corpus_totals
from small_metrics import similarity_guest

FAULTY = Path(__file__).with_name("faulty_guest.py")
HYPOTHESES = ["The cat sits on a mat.", "He bought three chairs.", ""]
REFERENCES = ["The old cat sat on the mat.", "He bought two chairs.", "No."]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GUEST_RECORD", str(tmp_path / "record"))
    yield
    close_all()


def faulty(fault: str) -> Exec:
    return Exec(command=shlex.join([sys.executable, str(FAULTY), fault]), batch=4096)


class TestExternalMetrics:
    def test_are_explained_by_repairs(self) -> None:
        metric = similarity_guest()
        for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True):
            found = metric.explain(hypothesis, reference)
            assert found.score == metric.sentence_score(hypothesis, [reference]).score
            assert found.maximum == metric.sentence_score(reference, [reference]).score
            assert found.repairs
            gained = sum(one.points for one in found.repairs)
            assert gained == pytest.approx(found.maximum - found.score, abs=1e-9)
            assert (found.links, found.features) == ((), ())

    def test_an_empty_reference_has_a_score_and_no_repairs(self) -> None:
        found = similarity_guest().explain("", "")
        assert (found.score, found.repairs, found.maximum) == (1.0, (), None)

    def test_are_asked_once_for_all_segments(self, tmp_path: Path) -> None:
        corpus = Corpus({"a": HYPOTHESES[:2], "b": REFERENCES[:2]}, [REFERENCES[:2]])
        places = [(system, row, 0) for system in corpus.systems for row in (0, 1)]
        faulty("").explainer(corpus).explain(places)
        assert len((tmp_path / "record").read_text("utf-8").splitlines()) == 1

    def test_of_lower_is_better_lose_points(self) -> None:
        found = faulty("lower is better").explain("The cat sat down.", "The cat sat.")
        assert not found.higher_is_better
        assert found.maximum is not None

    def test_read_the_sources_of_the_corpus(self) -> None:
        metric = faulty("reads source")
        corpus = Corpus({"a": ["a cat"]}, [["a dog"]], sources=["un chat"])
        found = metric.explainer(corpus)("a", 0, 0)
        assert found.score == metric.sentence_score("a cat", ["a dog"], source="un chat").score
        with pytest.raises(InputError, match="MP724"):
            metric.explain("a cat", "a dog")

    def test_the_command_says_how_many_scores_it_takes(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        files = []
        for name, texts in (("ref", REFERENCES[:2]), ("hyp", HYPOTHESES[:2])):
            (tmp_path / name).write_text("\n".join([*texts, ""]), "utf-8")
            files.append(str(tmp_path / name))
        command = similarity_guest().specification
        asked = ["explain", files[0], "-i", files[1], "--worst", "2", "-m", command]
        assert main([*asked, "--format", "json"]) == 0
        shown = capsys.readouterr()
        # Of three edits there are eight texts, of one two; a reference is there twice, as a repaired text.
        assert "10 scores for 2 segments" in shown.err
        assert [len(one["repairs"]) for one in json.loads(shown.out)] == [3, 1]


class TestBeyondTheSegment:
    def test_what_can_be_counted_is_that_of_the_whole_corpus(self) -> None:
        metric = metaphrase.Nist()
        corpus = Corpus({"a": HYPOTHESES[:2]}, [REFERENCES[:2]])
        scores = metric.segment_scores(HYPOTHESES[:2], [REFERENCES[:2]])
        explainer = metric.explainer(corpus)
        for row in (0, 1):
            found = explainer("a", row, 0)
            assert found.score == pytest.approx(scores[row], rel=1e-12)
            assert found.maximum is not None
            gained = sum(one.points for one in found.repairs)
            assert gained == pytest.approx(found.maximum - scores[row], abs=1e-9)

    def test_repairs_take_what_was_counted(self) -> None:
        metric = metaphrase.Nist()
        corpus = Corpus({"a": HYPOTHESES[:2]}, [REFERENCES[:2]])
        totals = corpus_totals(metric, corpus)
        found = metric.repairs(HYPOTHESES[:2], REFERENCES[:2], of_corpus=totals)
        scores = metric.segment_scores(HYPOTHESES[:2], [REFERENCES[:2]])
        assert [one.score for one in found] == pytest.approx(scores.tolist(), rel=1e-12)
        with pytest.raises(OptionError, match="MP502"):
            metric.repairs(HYPOTHESES[:2], REFERENCES[:2])


def test_one_segment_that_cannot_be_repaired_does_not_cost_the_others_theirs() -> None:
    long = "word " * 1001
    corpus = Corpus({"a": [long, "A cat."]}, [[long + "more", "A dog."]])
    metric = metaphrase.Accord(lang="xx")
    first, second = metric.explainer(corpus).explain([("a", 0, 0), ("a", 1, 0)])
    assert "There are no repairs" in first.notes[-1]
    assert [one.after for one in second.repairs] == ["dog"]
    assert np.isfinite(first.score)
