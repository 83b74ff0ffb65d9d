"""Errors that an external metric marks itself: checked, kept, and taken for its own instead of repairs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metaphrase
from metaphrase.cli import main
from metaphrase.corpus.ratings import MarkedError
from metaphrase.errors import ResourceError
from metaphrase.metrics import guests
from metaphrase.metrics.guests.process import close_all
from metaphrase.metrics.guests.protocol import Row, read_answer, read_errors, written_errors
from metrics.test_guests import asked, guest

PROGRAM = Path(guests.__file__).parent / "programs" / "comet_guest.py"
MISSING = MarkedError("minor", "omission", None, 1.5)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GUEST_RECORD", str(tmp_path / "record"))
    yield
    close_all()


def first_word(text: str) -> MarkedError:
    return MarkedError("critical", "", (0, len(text.split(" ")[0])))


class TestOwnErrors:
    def test_are_those_of_the_guest(self) -> None:
        metric = guest("spans")
        assert metric.own_spans
        texts = ["big cats", ""]
        assert metric.error_spans(texts, [["small cats", "no"]]) == [
            (first_word("big cats"), MISSING),
            (MISSING,),
        ]

    def test_are_repairs_if_the_guest_marks_none(self) -> None:
        metric = guest()
        assert not metric.own_spans
        # Longer is better to this guest, so that the missing word costs points.
        (errors,) = metric.error_spans(["a cat"], [["a cat sat"]])
        assert [(one.category, one.span) for one in errors] == [("missing words", None)]

    def test_of_the_reference_with_the_better_score(self) -> None:
        # The ratio of lengths is better with the shorter reference.
        (found,) = guest("spans").marked_segments(["a cat"], [["a cat sat on it"], ["cat"]])
        assert found.score == 5 / 4
        assert found.percent == 100.0

    def test_of_all_references_at_once(self) -> None:
        (found,) = guest("spans of all").marked_segments(["a cat"], [["a cat"], ["cat"]])
        assert found.score == 5 / 9
        assert found.percent == pytest.approx(100 * 5 / 9)

    def test_are_kept_with_the_scores(self, tmp_path: Path) -> None:
        metric = guest("spans")
        texts = ["a cat", "no"]
        once = metric.error_spans(texts, [texts])
        close_all()
        assert guest("spans").error_spans(texts, [texts]) == once
        assert guest("spans").segment_scores(texts, [texts]).tolist()
        assert asked(tmp_path / "record") == [texts]

    def test_are_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        command = guest("spans").specification
        texts = ["--reference", "small cats", "--hypothesis", "big cats", "-m", command]
        assert main(["explain", *texts, "--format", "spans"]) == 0
        (rating,) = json.loads(capsys.readouterr().out)["ratings"]
        assert rating["spans"] == [
            {"side": "target", "start": 0, "end": 3, "severity": "critical"},
            {"side": "none", "severity": "minor", "category": "omission", "points": 1.5},
        ]


class TestFaults:
    @pytest.mark.parametrize(
        ("fault", "message"),
        [
            ("spans outside", "from 0 to 5 is not in the hypothesis, which has 4 characters"),
            ("spans backwards", "from 2 to 1"),
            ("spans halfway", "no whole numbers"),
            ("spans severe", "'terrible', which is none of neutral, undecided, minor"),
            ("spans unknown", "'colour', which means nothing"),
            ("spans pointless", "points that are no number"),
            ("spans missing", "no list of objects"),
        ],
    )
    def test_of_a_row_names_the_segment_and_can_be_skipped(self, fault: str, message: str) -> None:
        metric = guest(fault)
        texts = ["a cat", "MARK", "no"]
        with pytest.raises(ResourceError, match="MP534") as caught:
            metric.error_spans(texts, [texts])
        assert "the segment 'MARK'" in str(caught.value)
        assert message in str(caught.value)
        with pytest.warns(UserWarning, match="MP534"):
            scores = metric.segment_scores(texts, [texts], on_error="skip")
        assert [bool(score == score) for score in scores] == [True, False, True]

    @pytest.mark.parametrize(("fault", "code"), [("spans few", "MP720"), ("spans none", "MP719")])
    def test_of_an_answer_end_the_run(self, fault: str, code: str) -> None:
        with pytest.raises(ResourceError, match=code):
            guest(fault).error_spans(["MARK"], [["MARK"]])

    @given(st.recursive(
        st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["start", "end", "severity", "category", "points"]), inner, max_size=4
        ),
        max_leaves=8,
    ))  # fmt: skip
    def test_whatever_is_marked_is_in_the_text_or_a_fault_of_its_row(self, marked: Any) -> None:
        line = json.dumps({"id": 1, "scores": [0.5], "spans": [marked]}).encode()
        answer = read_answer(line, 1, [Row("a cat", ())], (0.0, 1.0), spans=True)
        assert answer.errors is not None
        if answer.faults:
            assert answer.faults[0].code == "MP534"
        for error in answer.errors[0]:
            assert error.span is None or "a cat"[slice(*error.span)].strip()


def test_what_is_kept_is_read_again() -> None:
    errors = (first_word("big cats"), MarkedError("minor", "x", (4, 8), 2.0), MISSING)
    assert read_errors(json.loads(written_errors(errors)), "big cats") == errors


FAKE = """
from types import SimpleNamespace
class Model:
    def eval(self): pass
    def predict(self, samples, **given):
        spans = [[
            {"text": "x", "confidence": 0.5, "severity": "major", "start": 1, "end": 99},
            {"text": "", "confidence": 0.5, "severity": "minor", "start": 99, "end": 99},
        ] for _ in samples]
        metadata = SimpleNamespace(error_spans=spans)
        return SimpleNamespace(scores=[0.5] * len(samples), metadata=metadata)
def load_from_checkpoint(path, **given):
    return Model()
"""


@pytest.mark.parametrize(
    ("kind", "spans"), [("xcomet_metric", [[{"start": 1, "end": 5, "severity": "major"}]]),
                        ("regression_metric", None)],
)  # fmt: skip
def test_models_of_xcomet_mark_errors(
    kind: str, spans: list[list[dict[str, Any]]] | None, tmp_path: Path
) -> None:
    """With a library that has the functions and the output of unbabel-comet 2.2 (docs of xCOMET)."""
    library, model = tmp_path / "library", tmp_path / "model"
    (library / "comet").mkdir(parents=True)
    (library / "comet" / "__init__.py").write_text(FAKE)
    (library / "unbabel_comet-2.2.6.dist-info").mkdir()
    (library / "unbabel_comet-2.2.6.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: unbabel-comet\nVersion: 2.2.6\n"
    )
    (model / "checkpoints").mkdir(parents=True)
    (model / "hparams.yaml").write_text(f"class_identifier: {kind}\n")
    row = {"hypothesis": "a cat", "references": ["the cat"], "source": "die Katze"}
    found = subprocess.run(
        [
            *(sys.executable, str(PROGRAM), "--device", "cpu"),
            *("--batch", "1", "--checkpoint", str(model / "checkpoints" / "model.ckpt")),
        ],
        input=json.dumps({"id": 1, "rows": [row]}) + "\n",
        env={**os.environ, "PYTHONPATH": str(library)},
        capture_output=True,
        text=True,
        check=True,
    )
    hello, answer = map(json.loads, found.stdout.splitlines())
    assert hello["spans"] is (spans is not None)
    assert answer == {"id": 1, "scores": [0.5]} | ({} if spans is None else {"spans": spans})


def test_no_metric_of_ours_marks_errors_itself() -> None:
    assert not metaphrase.Chrf().own_spans
