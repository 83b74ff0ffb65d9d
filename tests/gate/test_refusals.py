"""A gate says what metrics refused, and does not take it for as good as before."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gate.runs import BAD, GOOD, REFERENCES, broken, judged, run
from metaphrase.errors import InputError
from metaphrase.gate import Rules, Section, Snapshot, load_baseline, write_baseline
from metaphrase.gate.rules import Settings
from metaphrase.report.before_and_after import before_and_after

METRICS = ["ter:longest=12", "chrf"]
TER = METRICS[0]
LONG = "word " * 20
pytestmark = pytest.mark.filterwarnings("ignore:.*segments refused")


def skipping(hypotheses: list[str], rows: list[int]) -> Snapshot:
    texts = [LONG if row in rows else text for row, text in enumerate(hypotheses)]
    return run(texts, metrics=METRICS, on_error="skip")


def test_a_segment_that_lost_its_score_is_red() -> None:
    verdict = judged(run(metrics=METRICS), skipping(GOOD, [2]), METRICS)
    assert broken(verdict) == [f"max_skipped {TER}"]
    assert verdict.broken[0].segments == ("3",)
    assert f"{TER} refused 1 of 8 segments" in verdict.notes[0]


def test_unless_the_rules_allow_it() -> None:
    rules = Rules(section=Section(), settings=Settings(max_skipped=1))
    assert judged(run(metrics=METRICS), skipping(GOOD, [2]), METRICS, rules=rules).passed


def test_what_was_refused_before_is_nothing_new() -> None:
    verdict = judged(skipping(GOOD, [2]), skipping(GOOD, [2]), METRICS)
    assert verdict.passed
    assert not verdict.changes


def test_scores_are_compared_on_what_has_one_before_and_after() -> None:
    before, after = skipping(GOOD, [2]), skipping(BAD, [4])
    verdict = judged(before, after, METRICS, max_drop=0, max_segment_drop=0)
    rows = [row for row in range(8) if row not in (2, 4)]
    without = [
        run([texts[row] for row in rows], [REFERENCES[row] for row in rows], metrics=METRICS)
        for texts in (GOOD, BAD)
    ]
    expected = judged(*without, METRICS, max_drop=0)
    assert verdict.scores[TER] == expected.scores[TER]
    drops = [one for one in verdict.outcomes if one.title == f"max_segment_drop {TER}"]
    assert set(drops[0].segments) <= {str(row + 1) for row in rows}


def test_a_verdict_in_json_has_no_numbers_that_are_none() -> None:
    content = judged(run(metrics=METRICS), skipping(BAD, [2]), METRICS).to_dict()
    text = json.dumps(content, allow_nan=False)
    change = next(one for one in json.loads(text)["changes"] if one["segment"] == "3")
    assert change["scores"][TER]["after"] is None
    assert change["scores"][TER]["before"] is not None


def test_a_baseline_keeps_the_gaps(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    before = skipping(GOOD, [2, 3])
    write_baseline(path, before)
    again = load_baseline(path)
    for name in METRICS:
        for what in ("segment", "statistics"):
            one, other = getattr(before.metrics[name], what), getattr(again.metrics[name], what)
            assert np.array_equal(one, other, equal_nan=True)
    assert again.metrics[TER].signature.endswith("|skipped:2")


def test_a_baseline_with_half_a_gap_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, skipping(GOOD, [2]))
    content = json.loads(path.read_text(encoding="utf-8"))
    content["segments"][1]["scores"][0] = None
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=r"MP901.*segment 2"):
        load_baseline(path)


def test_a_page_shows_both_versions() -> None:
    before, after = skipping(GOOD, [2]), skipping(BAD, [4])
    overview = before_and_after(before, after, METRICS, resamples=20).overview
    assert overview["metrics"][0]["skipped"] == 2
    assert "2 refused" in overview["changes"]["summary"]
