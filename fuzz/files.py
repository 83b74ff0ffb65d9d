"""Bytes as files, in a folder of memory where the system has one: targets read by path, as users do."""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import Any

#: Between the files of an input that has several.
SEPARATOR = b"\n=====\n"
_MEMORY = Path("/dev/shm")
_ROOT = Path(__file__).parent.parent
EXAMPLES = _ROOT / "examples"
TESTS = _ROOT / "tests"


def folder() -> Path:
    """One for each process."""
    place = _folder(os.getpid())
    place.mkdir(mode=0o700, exist_ok=True)
    return place


def remove_folder(process: int | None = None) -> None:
    """Of this process, or of one that was ended before it could do so."""
    shutil.rmtree(_folder(process or os.getpid()), ignore_errors=True)


@cache
def _folder(process: int) -> Path:
    memory = _MEMORY if _MEMORY.is_dir() else Path(gettempdir())
    if process == os.getpid():
        atexit.register(remove_folder)
    return memory / f"metaphrase-fuzz-{process}"


def written(name: str, data: bytes) -> Path:
    """A new file, since the one before may still be mapped."""
    path = folder() / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    return path


def reading(reader: Callable[[Any], object], name: str) -> Callable[[bytes], object]:
    """What gives a reader the input as a file of this name, and takes all that comes of it."""

    def run(data: bytes) -> object:
        return drained(reader(str(written(name, data))))

    return run


def reading_several(reader: Callable[..., object], *names: str) -> Callable[[bytes], object]:
    """The same for a reader of several files; those that the input does not have are empty."""

    def run(data: bytes) -> object:
        parts = data.split(SEPARATOR, len(names) - 1)
        parts += [b""] * (len(names) - len(parts))
        paths = [str(written(name, part)) for name, part in zip(names, parts, strict=True)]
        return drained(reader(*paths))

    return run


def drained(found: object) -> object:
    """Read to the end what is read as it is asked for."""
    if isinstance(found, Iterator):
        for _ in found:
            pass
    return found


def joined(*parts: bytes | str) -> bytes:
    """Several files as one input."""
    return SEPARATOR.join(part.encode() if isinstance(part, str) else part for part in parts)


def content(*names: str) -> list[bytes]:
    """Files of the examples."""
    return [(EXAMPLES / name).read_bytes() for name in names]


def shipped(name: str) -> Path:
    """A model or list that ships, in whichever package of this tree it is."""
    own = _ROOT / "src" / "metaphrase" / "models" / name
    return next((path for path in _ROOT.glob(f"packages/*/src/*/data/{name}")), own)


def some_lines(data: bytes, count: int) -> bytes:
    """The first lines of a text: seeds must be small."""
    return b"".join(data.splitlines(keepends=True)[:count])
