"""References are N × R here, and only here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaphrase.arrays import FloatArray
from metaphrase.errors import InputError, OptionError
from metaphrase.interchange.evaluate_module import SCRIPT, EvaluateModule
from metaphrase.metrics import Metric, create
from metaphrase.metrics.comparison import Comparison

PREDICTIONS = ["The cat sits .", "A dog barks ."]
REFERENCES = [["The cat sat .", "A cat sits ."], ["The dog barks .", "A dog barked ."]]
TURNED = [list(column) for column in zip(*REFERENCES, strict=True)]


def test_references_are_turned() -> None:
    found = EvaluateModule().compute(predictions=PREDICTIONS, references=REFERENCES)
    ours = create("accord")
    expected = ours.corpus_score(PREDICTIONS, TURNED)
    assert found["score"] == expected.score
    assert found["scores"] == ours.segment_scores(PREDICTIONS, TURNED).tolist()
    assert found["signature"] == str(expected.signature)
    assert found["higher_is_better"]


def test_a_text_alone_is_one_reference() -> None:
    module = EvaluateModule("bleu")
    alone = module.compute(predictions=PREDICTIONS, references=["The cat .", "A dog ."])
    lists = module.compute(predictions=PREDICTIONS, references=[["The cat ."], ["A dog ."]])
    assert alone == lists


def test_what_was_added_counts_once() -> None:
    module = EvaluateModule("chrf")
    module.add(prediction=PREDICTIONS[0], references=REFERENCES[0])
    module.add_batch(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
    whole = module.compute(predictions=None, references=None)
    assert whole == module.compute(predictions=PREDICTIONS, references=REFERENCES)


def test_what_was_refused_is_forgotten() -> None:
    module = EvaluateModule("bleu")
    expected = module.compute(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(InputError, match="MP573"):
        module.compute(predictions=PREDICTIONS, references=[[] for _ in PREDICTIONS])
    assert module.compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    with pytest.raises(InputError, match="MP573"):
        module.add(prediction="a", references=[])
    module.add(prediction="a", references=["b"])
    with pytest.raises(InputError, match="MP572"):
        module.compute(predictions=PREDICTIONS, references=REFERENCES[:1])
    assert module.compute(predictions=PREDICTIONS, references=REFERENCES) == expected


def test_arrays_and_generators_are_lists() -> None:
    module = EvaluateModule("bleu")
    expected = module.compute(predictions=PREDICTIONS, references=REFERENCES)
    arrays = module.compute(predictions=np.array(PREDICTIONS), references=np.array(REFERENCES))
    lazy = module.compute(
        predictions=(text for text in PREDICTIONS), references=(tuple(row) for row in REFERENCES)
    )
    assert arrays == lazy == expected
    with pytest.raises(InputError, match="MP572"):
        module.compute(predictions=["a"], references=[7])


def test_a_turned_shape_is_named() -> None:
    three = [*PREDICTIONS, "More ."]
    with pytest.raises(InputError, match=r"look like 2 × 3 \(R × N\).* 3 × 2 \(N × R\)") as raised:
        EvaluateModule("bleu").compute(predictions=three, references=[["a"] * 3, ["b"] * 3])
    assert raised.value.code == "MP572"


@pytest.mark.parametrize(
    ("predictions", "references", "code"),
    [
        (["a", "b"], [["a"]], "MP572"),
        ("ab", ["a", "b"], "MP572"),
        (["a", "b"], "ab", "MP572"),
        ({"a", "b"}, ["a", "b"], "MP572"),
        (["a"], [{"a", "b"}], "MP572"),
        (["a", "b"], [["a"], []], "MP573"),
        (["a", "b"], [[], []], "MP573"),
        ([], [], "MP101"),
    ],
)
def test_wrong_shapes(predictions, references, code: str) -> None:
    with pytest.raises(InputError) as raised:
        EvaluateModule("bleu").compute(predictions=predictions, references=references)
    assert raised.value.code == code


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(OptionError):
        EvaluateModule("blue")


class _SourceShare(Metric):
    """How many of the source's words are left; a plug-in may read sources."""

    name = "source-share"
    summary = "words of the source in the translation"
    citation = "none"

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        assert comparison.sources is not None
        sources = (set(text.split()) for text in comparison.sources)
        texts = (row.split() for row in PREDICTIONS)
        return np.array(
            [[len(s & {*t}) / len(s), 1.0] for s, t in zip(sources, texts, strict=True)]
        )


def test_sources_are_for_metrics_that_read_them() -> None:
    given = {"predictions": PREDICTIONS, "references": REFERENCES}
    found = EvaluateModule(_SourceShare()).compute(**given, sources=["cat x", "dog barks"])
    assert found["scores"] == [0.5, 1.0]
    with pytest.raises(InputError, match="MP102"):
        EvaluateModule("chrf").compute(**given, sources=["one"])
    with pytest.raises(InputError, match="MP572"):
        EvaluateModule("chrf").compute(**given, sources="no list")


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """``evaluate.load`` of the real package, which is told to stay off the network."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    evaluate = pytest.importorskip("evaluate", reason="the package evaluate is not installed")
    return partial(evaluate.load, SCRIPT, cache_dir=str(tmp_path))


@pytest.mark.filterwarnings("ignore")  # of what evaluate imports
class TestInsideEvaluate:
    def test_scores_are_those_of_the_module(self, load: Callable[..., Any]) -> None:
        loaded = load("tesla-m", module_type="metric")
        found = loaded.compute(predictions=PREDICTIONS, references=REFERENCES, lang="en")
        assert found == EvaluateModule("tesla-m").compute(
            predictions=PREDICTIONS, references=REFERENCES
        )
        loaded.add(prediction=PREDICTIONS[0], references=REFERENCES[:1])
        loaded.add_batch(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
        assert loaded.compute() == found

    def test_the_default_metric_has_no_name(self, load: Callable[..., Any]) -> None:
        found = load().compute(predictions=["a cat"], references=["the cat"])
        assert found["signature"].startswith("accord|nrefs:1|lang:en|")

    def test_options_are_those_of_the_metric(self, load: Callable[..., Any]) -> None:
        given = {"predictions": PREDICTIONS, "references": REFERENCES}
        by_keyword = load("chrf").compute(**given, beta=3, sources=["a", "b"])
        assert by_keyword == load("chrf:beta=3").compute(**given)
        with pytest.raises(OptionError, match="MP501"):
            load("chrf").compute(**given, betta=3)

    def test_several_metrics_are_combined(self, load: Callable[..., Any]) -> None:
        import evaluate

        given = {"predictions": PREDICTIONS, "references": REFERENCES}
        both = evaluate.combine({"accord": load("accord"), "ter": load("ter")}).compute(**given)
        for name in ("accord", "ter"):
            alone = EvaluateModule(name).compute(**given)
            assert {key: both[f"{name}_{key}"] for key in alone} == alone

    def test_an_unknown_metric_is_refused_at_once(self, load: Callable[..., Any]) -> None:
        with pytest.raises(OptionError, match="MP504"):
            load("blue")


@pytest.mark.filterwarnings("ignore:.*segments refused")
def test_what_the_metric_refuses_has_no_score() -> None:
    given = {"predictions": ["a cat", "word " * 9], "references": ["a cat", "a dog"]}
    found = EvaluateModule("ter:longest=5").compute(**given, on_error="skip")
    assert (found["score"], found["scores"], found["skipped"]) == (0.0, [0.0, None], 1)


def test_predictions_may_have_different_numbers_of_references() -> None:
    found = EvaluateModule("ter").compute(
        predictions=["a cat", "dogs"], references=[["a dog", "the cat"], "dogs"]
    )
    assert found["scores"] == [50.0, 0.0]
    assert "|nrefs:var|" in found["signature"]
