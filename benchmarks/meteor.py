"""METEOR 1.5, the Java program that people compare with: where its jar is."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

MISSING = (
    "METEOR is not there: it needs Java and `pip install pycocoevalcap`, which carries its jar."
)


def meteor_jar() -> Path | None:
    """The jar inside pycocoevalcap, if both it and Java are installed."""
    package = find_spec("pycocoevalcap")
    for place in (package.submodule_search_locations or ()) if package else ():
        jar = Path(place) / "meteor" / "meteor-1.5.jar"
        if jar.is_file() and shutil.which("java"):
            return jar
    return None
