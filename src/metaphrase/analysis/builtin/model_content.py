"""The content of model files, which are read whole."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from metaphrase.errors import ResourceError


def read_model(path: str | PathLike[str]) -> bytes:
    """A file that one of the scripts in ``training`` wrote."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ResourceError(
            "MP211", f"The model cannot be opened: {error.strerror}.", path=path
        ) from None
