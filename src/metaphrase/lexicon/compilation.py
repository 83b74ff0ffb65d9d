"""Large lexical files are compiled once, into the user's cache, and mapped into memory from there.

The compiled file's name is a hash of the original's content, so that an edited file is compiled
anew and one that was moved is not. A cache may be lost or be read-only at any time; that costs time,
never an error.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO, TypeVar

from metaphrase.analysis.cache import default_directory
from metaphrase.corpus.lines import BLOCK, LineReader
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, ResourceError

T = TypeVar("T")
#: Smaller files are hashed in no time; in bytes.
_LARGE = 1 << 22
#: How long a file must have been as it is for its state to tell whether it changed; in nanoseconds.
_SETTLED = 2_000_000_000


def compiled(
    source: Path,
    *,
    form: str,
    compile_to: Callable[[BinaryIO], None],
    opened: Callable[[Path], T],
) -> T:
    """What ``opened`` makes of the compiled form of ``source``, which must stay valid when unlinked.

    ``form`` tells apart the ways to read one file, and the versions of what is compiled from it.
    """
    name = f"{form}-{_digest(source)}.bin"
    target = default_directory() / "lexicon" / name
    if target.is_file():
        try:
            return opened(target)
        except ResourceError:
            pass  # damaged, so begun anew
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(source, target, compile_to)
    except OSError:
        pass
    except InputError as error:
        if error.code != "MP132":  # anything but that the cache cannot be written
            raise
    else:
        return opened(target)
    folder = Path(mkdtemp(prefix="metaphrase-"))
    try:
        target = folder / name
        _write(source, target, compile_to)
        return opened(target)
    finally:
        # Windows keeps a file that is mapped: it stays then, for whoever tidies up temporary files.
        shutil.rmtree(folder, ignore_errors=True)


def _content_digest(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _note(stamp: str) -> Path:
    name = blake2b(stamp.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return default_directory() / "digests" / name


def _noted(note: Path, stamp: str) -> str | None:
    """The hash that was written down for the file in this state, if any."""
    try:
        text = note.read_text("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return None
    found = text.removeprefix(stamp)
    return found if text.startswith(stamp) and re.fullmatch("[0-9a-f]{32}", found) else None


def _write_down(note: Path, text: str) -> None:
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        with atomic_writer(note) as stream:
            stream.write(text.encode("utf-8", "surrogateescape"))
    except (OSError, InputError):
        pass  # it costs time only


def _write(source: Path, target: Path, compile_to: Callable[[BinaryIO], None]) -> None:
    with _status(f"Compiling {source.name}, once …"), atomic_writer(target) as stream:
        compile_to(stream)


@contextmanager
def _status(message: str) -> Iterator[None]:
    """Shown while it lasts, on a terminal only."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # only here, for it takes a while to import

    with Console(stderr=True).status(message):
        yield


def _digest(path: Path) -> str:
    """The hash of a file's content; of a large one it is read from the cache while the file is the same.

    The same is a file of the same path, device, inode, size and times of change (a program may set the one of
    its content, but not the one of its inode), unless it changed so recently that it could change once more
    within the clock's resolution.
    """
    try:
        # Asked first because opening a pipe would wait for its writer.
        if path.is_file():
            state = path.stat()
            if state.st_size < _LARGE:
                return _content_digest(path)
            stamp = (
                f"{path.resolve()}\n{state.st_dev} {state.st_ino} {state.st_size} "
                f"{state.st_mtime_ns} {state.st_ctime_ns}\n"
            )
            note = _note(stamp)
            if known := _noted(note, stamp):
                return known
            found = _content_digest(path)
            if time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) > _SETTLED:
                _write_down(note, stamp + found)
            return found
        if path.exists() and not path.is_dir():
            raise InputError(
                "MP351", "This is not a regular file.", path=path, hint="Copy it to one."
            )
    except (OSError, ValueError):
        pass
    with LineReader(path) as reader:  # says what is wrong
        reader.take(1)
    raise InputError("MP112", "The file cannot be read.", path=path, hint="Check its permissions.")
