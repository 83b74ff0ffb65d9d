"""What the package for learning offers, it has."""

from __future__ import annotations

import subprocess
import sys

import pytest

from metaphrase import learning


@pytest.mark.parametrize("name", learning.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(learning, name) is not None


def test_other_names_are_missing() -> None:
    with pytest.raises(AttributeError, match="no attribute 'teach'"):
        learning.teach  # noqa: B018


def test_edit_machines_are_loaded_when_asked_for() -> None:
    program = "import sys, metaphrase.learning; sys.exit('metaphrase.meta' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
