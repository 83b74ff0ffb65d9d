"""What the package for learning offers, it has."""

from __future__ import annotations

import pytest

from metaphrase import learning


@pytest.mark.parametrize("name", learning.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(learning, name) is not None
