"""What goes to the screen or into a file, and the progress of long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING

from metaphrase.corpus.writing import atomic_writer

if TYPE_CHECKING:
    from rich.console import RenderableType

#: Tables in a file or a pipe are not folded to a screen that is not there.
_PIPE_WIDTH = 10_000


def print_result(result: RenderableType | Iterable[str], path: str | None = None) -> None:
    """Print a table or lines of text; with ``path``, write them there, whole or not at all."""
    if path is not None:
        with atomic_writer(path) as stream:
            stream.write(_plain(result).encode())
    elif sys.stdout.isatty() and not _is_lines(result):
        from rich.console import Console

        Console().print(result, highlight=False)
    else:
        sys.stdout.write(_plain(result))


def _is_lines(result: RenderableType | Iterable[str]) -> bool:
    return not hasattr(result, "__rich_console__") and not hasattr(result, "__rich__")


def _plain(result: RenderableType | Iterable[str]) -> str:
    if _is_lines(result):
        return "".join(f"{line}\n" for line in result)  # type: ignore[union-attr]
    from rich.console import Console

    screen = StringIO()
    console = Console(file=screen, width=_PIPE_WIDTH, color_system=None, highlight=False)
    console.print(result)
    return "".join(f"{line.rstrip()}\n" for line in screen.getvalue().split("\n")[:-1])


@contextmanager
def progress_bar(what: str = "scoring") -> Iterator[Callable[[int], None] | None]:
    """A function to tell how many segments are done; nothing unless the error stream is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,} segments"),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")

        def tell(done: int) -> None:
            elapsed = bar.tasks[task].elapsed or 0.0
            rate = f"{done / elapsed:,.0f}/s" if elapsed > 0.5 else ""
            bar.update(task, completed=done, rate=rate)

        yield tell
