"""What goes to the screen or into a file, and the progress of long work."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from shutil import get_terminal_size
from typing import TYPE_CHECKING, BinaryIO

from metaphrase.corpus.writing import atomic_writer, refuse_descriptor
from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from rich.console import RenderableType

#: A narrower terminal wraps lines by itself, which loses nothing.
_NARROWEST = 40
#: What text is folded to where there is no screen to measure.
_USUAL = 80
#: Wide enough that nothing is folded for a screen that is not there.
_UNFOLDED = 1_000_000


def check_output(path: str | None, inputs: Iterable[str | None]) -> None:
    """Refuse an output file that cannot be written, or is an input, before hours of work are lost."""
    if path is None:
        return
    target = os.path.realpath(path)
    if any(name and os.path.realpath(name) == target for name in inputs):
        raise OptionError(
            "MP607", "the output file is also an input.", path=path, hint="Choose another name."
        )
    refuse_descriptor(path)
    folder = os.path.dirname(target)
    if os.path.isdir(target) or not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise InputError(
            "MP132",
            "The file cannot be written there.",
            path=path,
            hint="Name a file in a directory that exists and may be written to.",
        )


def print_view(
    parts: Iterable[RenderableType], path: str | None = None, *, folded: bool = False
) -> None:
    """Print what is meant for people: with colours on a terminal, as plain text elsewhere.

    Text that is not in columns is folded for a terminal, and elsewhere if it is to be ``folded``.
    """
    if path is None and sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        with _writing():
            columns, rows = get_terminal_size()
            console = Console(
                width=max(_NARROWEST, columns),
                height=rows,  # a dumb terminal would have 80 columns without it
                markup=False,
                emoji=False,
                highlight=False,
            )
            for part in parts:
                console.print(part, crop=False)
        return
    print_lines(_plain_lines(parts, _USUAL if folded else None), path)


def print_lines(lines: Iterable[str], path: str | None = None) -> None:
    """Print what is meant for programs, in UTF-8; with ``path``, write it whole or not at all."""
    if path is not None:
        with atomic_writer(path) as stream:
            stream.writelines(f"{line}\n".encode() for line in lines)
        return
    with _writing():
        binary: BinaryIO | None = getattr(sys.stdout, "buffer", None)
        shown = _on_screen(lines) if sys.stdout.isatty() else lines
        for line in shown:
            if binary is None:
                sys.stdout.write(f"{line}\n")
            else:
                binary.write(f"{line}\n".encode())


@contextmanager
def _writing() -> Iterator[None]:
    """Turn what can happen to standard output into an error that says so."""
    if sys.stdout is None:
        raise InputError("MP132", "Standard output is closed.")
    try:
        sys.stdout.flush()
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if (
            os.name == "nt" and error.errno == errno.EINVAL
        ):  # what Windows says of a pipe that nobody reads
            raise BrokenPipeError from None
        _silence_stdout()
        raise InputError("MP132", f"Standard output cannot be written: {error.strerror}.") from None


def _silence_stdout() -> None:
    """Keep the interpreter from trying once more, and failing, when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _on_screen(lines: Iterable[str]) -> Iterator[str]:
    """What programs read exactly, for a screen: no character may move the cursor or change colours."""
    from metaphrase.report.terminal.columns import visible

    return (visible(line, keep="\n\t") for line in lines)


def _plain_lines(parts: Iterable[RenderableType], width: int | None = None) -> Iterator[str]:
    from rich.console import Console

    from metaphrase.report.terminal.columns import Columns

    for part in parts:
        if isinstance(part, Columns):
            yield from part.lines(width)
            continue
        screen = StringIO()
        plain = Console(
            file=screen,
            width=width or _UNFOLDED,
            color_system=None,
            markup=False,
            emoji=False,
            highlight=False,
        )
        plain.print(part)
        yield from (line.rstrip() for line in screen.getvalue().split("\n")[:-1])


def _can_show_progress() -> bool:
    """Whether the error stream is a terminal that can write over what it has written."""
    dumb = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    return sys.stderr is not None and sys.stderr.isatty() and not dumb


@contextmanager
def progress_bar(
    what: str = "scoring",
    unit: str = "segments",
    *,
    total: Callable[[], int | None] = lambda: None,
) -> Iterator[Callable[[int], None] | None]:
    """A function to tell how many of a unit are done; nothing unless the error stream can show it.

    ``total`` is asked only then how many there are; ``None`` if nobody knows.
    """
    if not _can_show_progress():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    number = total()
    known = number is not None
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        *([BarColumn(bar_width=20)] if known else []),
        TextColumn(f"{{task.completed:,}}{' of {task.total:,}' if known else ''} {unit}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(elapsed_when_finished=True) if known else TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=number, rate="")

        def tell(done: int) -> None:
            elapsed = bar.tasks[task].elapsed or 0.0
            rate = f"{done / elapsed:,.0f}/s" if elapsed > 0.5 else ""
            bar.update(task, completed=done, rate=rate)

        yield tell


@contextmanager
def progress_line() -> Iterator[Callable[[str], None] | None]:
    """A function to tell what is being done; nothing unless the error stream can show it."""
    if not _can_show_progress():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status("starting") as status:
        yield lambda what: status.update(escape(what))
