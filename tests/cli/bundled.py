"""The bundled example as the command line names it, and how a command fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCE = str(EXAMPLES / "reference.txt")
SYSTEMS = [str(EXAMPLES / f"system-{letter}.txt") for letter in "ab"]
TEXTS = [REFERENCE, "-i", *SYSTEMS]
#: Runs a command that must fail: its exit code and message.
Fails = Callable[..., tuple[int, str]]
