"""Files that the metric TESLA of metaphrase reads: pivot phrase tables and language models."""

from __future__ import annotations

from pathlib import Path

_DATA = Path(__file__).parent / "data"


def path(name: str) -> Path:
    """Where the file called ``name`` is, or would be if this package had it."""
    return _DATA / name
