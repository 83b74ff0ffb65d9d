"""The bundled example as the command line names it, and what is expected of a command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCE = str(EXAMPLES / "reference.txt")
SYSTEMS = [str(EXAMPLES / f"system-{letter}.txt") for letter in "ab"]
TEXTS = [REFERENCE, "-i", *SYSTEMS]
#: ``fails(2, "MP602", "score", …)``: that command must; its message.
Fails = Callable[..., str]
#: ``prints("score", …)``: what a command that must succeed does.
Prints = Callable[..., str]
#: The same with ``--format json``, read.
Answers = Callable[..., Any]
