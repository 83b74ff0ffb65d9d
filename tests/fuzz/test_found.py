"""What fuzzing found once is not found again: every input that a target failed on, by the same functions."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fuzz.registry", reason="a source distribution has no targets")

from fuzz.registry import targets
from fuzz.target import examine

#: A folder for each target; the files say what was wrong.
FOUND = sorted(path for path in (Path(__file__).parent / "found").rglob("*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}: {path.name}")
def test_an_input_that_was_trouble_is_none_any_more(path: Path) -> None:
    finding = examine(targets()[path.parent.name], path.read_bytes())
    assert finding is None, finding.account
