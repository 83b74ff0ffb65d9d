"""pyarrow, which Parquet needs and the rest of the package does not."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from metaphrase.extras import not_installed


def arrow() -> Any:
    """The module ``pyarrow``."""
    return _module("pyarrow")


def parquet() -> Any:
    """The module ``pyarrow.parquet``."""
    return _module("pyarrow.parquet")


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise not_installed("pyarrow is not installed.", "jobs") from None
