"""What an engine is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol


class Engine(Protocol):
    """Calls a function for each of several numbers, in any order, on any machine."""

    def map(
        self, function: Callable[[int], int], numbers: Sequence[int]
    ) -> Iterator[tuple[int, int | BaseException]]:
        """Each number with what the function returned for it, or with the error that it raised."""
