"""Says where the build finds the packages that metaphrase depends on and that are made in this folder.

None of them needs to be on a registry for ``pip install .`` in a clone: it takes them from their folders. A
release names them with their versions, as everything else that it depends on. What is a release: a source
distribution, whatever is built from one, and what is built with ``METAPHRASE_RELEASE=1`` or by cibuildwheel.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent


class Companions:
    """A provider of dynamic metadata (scikit-build-core calls it); its settings are requirements by field."""

    def __init__(self) -> None:
        self._release = any(
            os.environ.get(name, "0") != "0" for name in ("METAPHRASE_RELEASE", "CIBUILDWHEEL")
        )

    def build_state(self, build_state: str) -> None:
        """What is being built."""
        self._release = self._release or build_state == "sdist"

    def dynamic_metadata(
        self, settings: Mapping[str, Any], project: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The fields in ``settings``, with folders of this clone for those packages that it has."""
        return {field: self._located(value) for field, value in settings.items()}

    def _located(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {extra: self._located(wanted) for extra, wanted in value.items()}
        return [self._requirement(wanted) for wanted in value]

    def _requirement(self, wanted: str) -> str:
        name = re.split(r"[^\w-]", wanted, maxsplit=1)[0]
        folder = _HERE / name
        if self._release or not (folder / "pyproject.toml").is_file():
            return wanted
        return f"{name} @ {folder.as_uri()}"
