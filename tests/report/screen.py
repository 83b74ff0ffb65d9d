"""What a terminal shows."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO

from rich.console import Console, RenderableType


def on_screen(
    parts: Iterable[RenderableType], *, width: int = 80, colour: str | None = None
) -> str:
    screen = StringIO()
    console = Console(file=screen, width=width, color_system=colour, force_terminal=bool(colour))
    for part in parts:
        console.print(part, crop=False, highlight=False)  # as the command line does
    return screen.getvalue()
