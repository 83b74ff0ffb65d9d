"""Errors that UPF-Cobalt's alignment shows by itself."""

from __future__ import annotations

import pytest

pytest.importorskip("experiments.cobalt_errors", reason="a source distribution has no experiments")

from experiments.cobalt_errors import aligned_errors

from metaphrase import Cobalt

HYPOTHESIS = "He buys yesterday two wooden chairs and a table."
REFERENCE = "He bought three wooden chairs yesterday and a table."


def test_errors_have_kinds_and_places() -> None:
    found = aligned_errors(Cobalt().explain(HYPOTHESIS, REFERENCE), alpha=0.75)
    kinds = {one.before: one.kind for one in found.repairs}
    assert kinds["buys"] in ("inflection", "syntax")
    assert "yesterday" not in kinds  # order alone costs nothing, if the relations are the same
    assert kinds["two"] == "wrong word"
    assert all(
        HYPOTHESIS[mark.start : mark.end] == mark.text
        for one in found.repairs
        for mark in one.hypothesis_marks
    )


def test_what_is_missing_has_no_place_and_costs_recall_alone() -> None:
    found = aligned_errors(Cobalt().explain("He slept .", "He slept long ."), alpha=0.75)
    (missing,) = (one for one in found.repairs if one.kind == "missing words")
    assert (missing.hypothesis_marks, missing.after) == ((), "long")
    # Of a reference that weighs 0.7 + 0.7 + 0.3 + 0.3.
    assert missing.points == pytest.approx(0.75 * 0.7 / 2.0)


def test_equal_texts_have_no_errors() -> None:
    found = aligned_errors(Cobalt().explain(REFERENCE, REFERENCE), alpha=0.75)
    assert (found.repairs, found.matched) == ((), 1.0)
