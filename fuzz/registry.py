"""All targets, room by room."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from fuzz.target import Target

ROOMS = (
    "corpora",
    "units",
    "checking",
    "judged",
    "decisions",
    "lexica",
    "binaries",
    "kept",
    "server",
    "texts",
    "kernels",
)


@cache
def targets() -> dict[str, Target]:
    """Each target by its name."""
    found: dict[str, Target] = {}
    for room in ROOMS:
        for target in import_module(f"fuzz.{room}").targets():
            assert target.name not in found, target.name
            found[target.name] = target
    return found
