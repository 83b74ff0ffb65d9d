"""Long work that somebody may watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from metaphrase.cli.output import progress_bar


@contextmanager
def row_progress() -> Iterator[Callable[[int, int], None]]:
    """A bar of rows, as soon as it is known how many there are to do."""
    with ExitStack() as stack:
        bars: list[Callable[[int], None] | None] = []

        def tell(done: int, of: int) -> None:
            if not bars:
                bars.append(stack.enter_context(progress_bar(unit="rows", total=lambda: of)))
            if bars[0] is not None:
                bars[0](done)

        yield tell
