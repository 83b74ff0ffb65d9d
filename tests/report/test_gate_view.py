"""The verdict of a gate on a screen: red or green first, and what changed marked."""

from __future__ import annotations

import pytest
from rich.console import Console

from gate.runs import GOOD, REFERENCES, judged, run
from metaphrase.gate import Verdict
from metaphrase.gate.snapshot import SegmentFinding
from metaphrase.report import gate_view
from metaphrase.report.before_and_after import before_and_after

CHANGED = ["The museum stays open until noon.", *GOOD[1:]]


def shown(verdict: Verdict, worst: int = 5, width: int = 100) -> str:
    console = Console(width=width, color_system=None, highlight=False, markup=False)
    with console.capture() as captured:
        for part in gate_view(verdict, worst=worst):
            console.print(part)
    return captured.get()


def test_the_verdict_comes_first_and_broken_rules_before_others() -> None:
    lines = shown(judged(run(), run(CHANGED), max_drop=0)).splitlines()
    assert lines[0] == "mine: red: 2 of 3 rules are broken"
    states = [line.split()[0] for line in lines if line.startswith(("BROKEN", "holds"))]
    assert states == ["BROKEN", "BROKEN", "holds"]


def test_green_says_so() -> None:
    text = shown(judged(run(), run(), max_drop=0))
    assert text.startswith("mine: green: all 3 rules hold\n8 of 8 segments compared · 0 reworded\n")
    assert "segment 1" not in text


def test_words_that_went_and_came_are_marked() -> None:
    text = shown(judged(run(), run(CHANGED), max_drop=0))
    assert "changed    The museum stays open until [-midnight-]{+noon+}." in text


def test_findings_stand_below_their_segment_and_before_other_segments() -> None:
    finding = SegmentFinding("numbers/missing", "critical", "12 is missing.")
    findings = [(), [finding], *[()] * 6]
    before, after = run(findings=[()] * 8), run(CHANGED, findings=findings)
    text = shown(judged(before, after), worst=1)
    assert "segment 2 " in text
    assert "critical   12 is missing. (numbers/missing)" in text
    assert "1 more segment got worse" in text


def test_new_and_removed_segments_are_named() -> None:
    after = run([*GOOD[1:], "New."], [*REFERENCES[1:], "New."])
    text = shown(judged(run(), after))
    assert "7 of 8 segments compared · 0 reworded · 1 added · 1 removed" in text
    assert "added: 8\nremoved: 1" in text


def test_texts_cannot_steer_the_terminal() -> None:
    text = shown(judged(run(), run(["\x1b[31mnoon\x07", *GOOD[1:]]), max_drop=0))
    assert "\x1b" not in text
    assert "\x07" not in text


@pytest.mark.parametrize("width", [40, 80])
def test_it_fits_the_screen(width: int) -> None:
    text = shown(judged(run(), run(CHANGED), max_drop=0, alpha=0.05), width=width)
    assert max(map(len, text.splitlines())) <= width


def test_the_report_has_both_versions_with_the_same_scores() -> None:
    before, after = run(), run(CHANGED)
    data = before_and_after(before, after, ["chrf", "ter"], threads=1, resamples=20)
    assert data.overview["systems"] == ["before", "after"]
    assert data.overview["segments"] == 8
    rows = {row["system"]: row["score"] for row in data.overview["table"][0]["rows"]}
    assert rows == {0: before.metrics["chrf"].system, 1: after.metrics["chrf"].system}
