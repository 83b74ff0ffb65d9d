"""Guests with the libraries that they are for, and tiny models with random weights.

``make test-guests`` makes an environment of requirements/guests.txt and runs this with it. Expected scores
are what the libraries say without us (tiny_models.py).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from guests.tiny_models import ROWS
from metaphrase import Corpus, create, score
from metaphrase.errors import OptionError, ResourceError
from metaphrase.metrics.guests.process import OFFLINE, close_all

PYTHON = os.environ.get("METAPHRASE_GUEST_PYTHON", "")
pytestmark = pytest.mark.skipif(
    not PYTHON, reason="METAPHRASE_GUEST_PYTHON names no interpreter with torch: make test-guests"
)
HYPOTHESES, REFERENCES, SOURCES = (
    [row[side] for row in ROWS] for side in ("hypothesis", "reference", "source")
)
#: What padding beside other rows may change.
CLOSE = {"rel": 1e-5, "abs": 1e-5}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("models")
    program = Path(__file__).with_name("tiny_models.py")
    python = Path(PYTHON, "bin", "python") if Path(PYTHON).is_dir() else PYTHON
    made = subprocess.run(
        [python, program, folder], env={**os.environ, **OFFLINE}, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    yield folder
    close_all()


@pytest.fixture(scope="module")
def expected(models: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((models / "expected.json").read_text("utf-8"))
    return found


def specification(models: Path, template: str) -> str:
    return template.replace("@", f"{models}/")


COMET = "comet:model=@tiny-comet:encoder=@encoder:trust=yes"
KIWI = "comet:model=@tiny-kiwi/checkpoints/model.ckpt:encoder=@encoder:trust=yes"
BERTSCORE = "bertscore:model=@encoder:layer=2"
METRICX = "metricx:model=@tiny-metricx:tokenizer=@encoder"
CASES = {
    COMET: ("comet",),
    KIWI: ("kiwi",),
    f"{BERTSCORE}:batch=1": ("bertscore", "f1"),
    f"{BERTSCORE}:part=recall": ("bertscore", "recall"),
    METRICX: ("metricx", "24"),
    f"{METRICX}:qe=yes:batch=1": ("metricx", "24 qe"),
    f"{METRICX}:year=23": ("metricx", "23"),
    f"{METRICX}:year=23:qe=yes": ("metricx", "23 qe"),
}


@pytest.mark.filterwarnings("ignore:.*is not deterministic")
class TestScores:
    @pytest.mark.parametrize("template", CASES)
    def test_are_those_of_the_library(
        self, template: str, models: Path, expected: dict[str, Any]
    ) -> None:
        values = expected
        for key in CASES[template]:
            values = values[key]
        metric = create(specification(models, template))
        found = metric.segment_scores(HYPOTHESES, [REFERENCES], sources=SOURCES)
        assert found.tolist() == pytest.approx(values, **CLOSE)
        assert len(set(values)) == len(ROWS)  # they say something

    def test_are_kept(self, models: Path) -> None:
        metric = create(specification(models, METRICX))
        first = metric.segment_scores(HYPOTHESES, [REFERENCES], sources=SOURCES)
        close_all()
        again = metric.segment_scores(HYPOTHESES, [REFERENCES], sources=SOURCES)
        assert again.tolist() == first.tolist()

    def test_of_several_references(self, models: Path) -> None:
        metric = create(specification(models, BERTSCORE))
        other = [*REFERENCES[1:], REFERENCES[0]]
        both = metric.segment_scores(HYPOTHESES, [REFERENCES, other])
        each = [metric.segment_scores(HYPOTHESES, [side]) for side in (REFERENCES, other)]
        assert both.tolist() == pytest.approx(np.maximum(*each).tolist(), **CLOSE)

    def test_of_empty_texts_are_numbers(self, models: Path) -> None:
        for template in (COMET, BERTSCORE, METRICX):
            metric = create(specification(models, template))
            found = metric.segment_scores(["", "a"], [["a", "a"]], sources=["", "b"])
            assert np.isfinite(found).all()

    def test_of_all_at_once(self, models: Path) -> None:
        corpus = Corpus({"a": HYPOTHESES, "b": REFERENCES}, [REFERENCES], sources=SOURCES)
        metrics = [specification(models, one) for one in (COMET, BERTSCORE, METRICX)]
        found = score(corpus, metrics, check_language=False)
        assert [one.higher_is_better for one in found.metrics] == [True, True, False]


class TestSignature:
    def test_names_the_model_its_licence_and_the_libraries(self, models: Path) -> None:
        found = dict(create(specification(models, COMET)).signature(1).items)
        assert found["model"].startswith("tiny-comet@")
        assert found["licence"] == "apache-2.0"
        assert found["guest"].startswith("unbabel-comet 2.")
        assert "torch " in found["libraries"]
        assert (found["batch"], found["device"], found["deterministic"]) == ("16", "cpu", "no")

    def test_says_that_rows_by_themselves_are_deterministic(self, models: Path) -> None:
        found = dict(create(specification(models, f"{BERTSCORE}:batch=1")).signature(1).items)
        assert found["deterministic"] == "yes"
        assert found["licence"] == "cc0-1.0"


class TestFaults:
    def test_a_pickle_must_be_trusted(self, models: Path) -> None:
        with pytest.raises(OptionError, match=r"MP715.*model.ckpt can run"):
            create(specification(models, COMET).replace(":trust=yes", "")).signature()

    def test_an_encoder_that_is_not_here_is_not_downloaded(self, models: Path) -> None:
        metric = create(specification(models, "comet:model=@tiny-comet:trust=yes"))
        with pytest.raises(ResourceError, match=r"MP722.*'nobody/tiny'.*encoder=PATH"):
            metric.segment_scores(HYPOTHESES, [REFERENCES], sources=SOURCES)

    def test_an_unknown_layer_is_told(self, models: Path) -> None:
        metric = create(specification(models, "bertscore:model=@encoder"))
        with pytest.raises(ResourceError, match=r"MP722.*choose one with layer=NUMBER"):
            metric.sentence_score("a", ["b"])

    def test_a_library_that_is_not_there_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "saved_model.pb").write_bytes(b"")
        # BLEURT is on no registry, so that this environment does not have it.
        with pytest.raises(ResourceError, match=r"MP722.*has no BLEURT: install it there with"):
            create(f"bleurt:model={tmp_path}:trust=yes").signature()

    def test_a_model_that_is_none_is_told(self, models: Path) -> None:
        metric = create(specification(models, "metricx:model=@encoder:year=23"))
        with pytest.raises(ResourceError, match="MP722"):
            metric.sentence_score("a", ["b"])
