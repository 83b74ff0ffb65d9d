"""A pretrained encoder of English for metaphrase: it puts words into their contexts."""

from __future__ import annotations

from pathlib import Path

_DATA = Path(__file__).parent / "data"


def path(name: str) -> Path:
    """Where the file called ``name`` is, or would be if this package had it."""
    return _DATA / name
