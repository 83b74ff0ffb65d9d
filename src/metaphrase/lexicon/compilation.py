"""Large lexical files are compiled once, into the user's cache, and mapped into memory from there.

The compiled file's name is a hash of the original's content, so that an edited file is compiled
anew and one that was moved is not. A cache may be lost or be read-only at any time; that costs time,
never an error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, TypeVar

from metaphrase.analysis.cache import default_directory
from metaphrase.corpus.lines import BLOCK, LineReader
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, ResourceError

T = TypeVar("T")


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
    with TemporaryDirectory(prefix="metaphrase-") as directory:
        target = Path(directory) / name
        _write(source, target, compile_to)
        return opened(target)


def _write(source: Path, target: Path, compile_to: Callable[[BinaryIO], None]) -> None:
    with _status(f"Compiling {source.name}, once …"), atomic_writer(target) as stream:
        compile_to(stream)


@contextmanager
def _status(message: str) -> Iterator[None]:
    """Shown while it lasts, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # only here, for it takes a while to import

    with Console(stderr=True).status(message):
        yield


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=16)
    try:
        # Asked first because opening a pipe would wait for its writer.
        if path.is_file():
            with path.open("rb") as stream:
                while block := stream.read(BLOCK):
                    digest.update(block)
            return digest.hexdigest()
        if path.exists() and not path.is_dir():
            raise InputError(
                "MP351", "This is not a regular file.", path=path, hint="Copy it to one."
            )
    except (OSError, ValueError):
        pass
    with LineReader(path) as reader:  # says what is wrong
        reader.take(1)
    raise InputError("MP112", "The file cannot be read.", path=path, hint="Check its permissions.")
