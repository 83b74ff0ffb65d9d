"""What tests of jobs share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest

pytest.importorskip("pyarrow")


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Nobody pulls the plug of a test."""
    with patch.object(os, "fsync", lambda _: None):
        yield
