"""A table of what raters prefer is its file; what it says rises with the difference and the segments."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import ResourceError
from metaphrase.trained.preference_table import PreferenceTable

TABLE = PreferenceTable(
    name="test",
    models=("en", "any"),
    calibrated_on="judgements – Ä",
    segments=3.0,
    differences=(1.0, 2.0),
    probabilities=(0.6, 0.8),
    training={"sets": ["a"]},
    licence="Apache-2.0",
)
_DIFFERENCE = st.floats(0, 1e6)
_SEGMENTS = st.integers(1, 10**7)


def test_it_is_straight_between_points_and_flat_beyond_them() -> None:
    # Of one segment a difference of d counts d / √(1 + 3/1) = d/2; half a point is half-way from 0.5 to 0.6.
    assert TABLE.probability(0.0, 1) == 0.5
    assert TABLE.probability(1.0, 1) == pytest.approx(0.55)
    assert TABLE.probability(3.0, 1) == pytest.approx(0.7)
    assert TABLE.probability(100.0, 1) == TABLE.probability(-100.0, 1e9) == 0.8


@given(_DIFFERENCE, _DIFFERENCE, _SEGMENTS, _SEGMENTS)
def test_it_rises_with_the_difference_and_with_the_segments(
    difference: float, more: float, segments: int, others: int
) -> None:
    low, high = sorted((segments, others))
    assert 0.5 <= TABLE.probability(difference, low) <= TABLE.probability(difference + more, high)
    assert TABLE.probability(difference + more, high) <= 0.8


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    TABLE.save(path)
    assert PreferenceTable.load(path) == TABLE


@pytest.mark.parametrize(
    "change",
    [
        {"differences": (2.0, 1.0)},
        {"probabilities": (0.6,)},
        {"probabilities": (0.8, 0.6)},
        {"probabilities": (0.4, 0.6)},
        {"probabilities": (0.6, 1.0)},
        {"segments": -1.0},
        {"differences": (), "probabilities": ()},
    ],
)
def test_what_does_not_rise_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ResourceError) as caught:
        replace(TABLE, **change)  # type: ignore[arg-type]
    assert caught.value.code == "MP842"


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("version", 2, "MP843"),
        ("format", "another", "MP843"),
        ("models", [1], "MP842"),
        ("probabilities", [0.6, "much"], "MP842"),
        ("probabilities", [0.8, 0.6], "MP842"),
        ("segments", None, "MP842"),
        ("extra", 1, "MP842"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, key: str, value: object, code: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(json.loads(TABLE.to_json()) | {key: value}), "utf-8")
    with pytest.raises(ResourceError) as caught:
        PreferenceTable.load(path)
    assert caught.value.code == code
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="MP840"):
        PreferenceTable.load(tmp_path / "none.json")
