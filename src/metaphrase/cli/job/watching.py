"""Long work that somebody may watch, and may end at any time."""

from __future__ import annotations

import signal
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


class Terminated(BaseException):
    """Somebody wants us to stop, as Ctrl-C does."""


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM, which schedulers send before they kill, end the work in an orderly way."""

    def stop(*_: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
