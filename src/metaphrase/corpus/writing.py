"""Files and folders that are there completely or not at all, and lines that read back as written."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from metaphrase.corpus.drafts import draft_name, is_draft, new_draft, new_draft_folder
from metaphrase.corpus.lines import STDIN, FilePath
from metaphrase.errors import InputError, MetaphraseError, OptionError


@contextmanager
def atomic_writer(
    path: FilePath, *, overwrite: bool = True, sync: bool = False
) -> Iterator[BinaryIO]:
    """A binary stream whose bytes become the file ``path`` when the block ends without an error.

    Until then they are in a temporary file of the same directory, so nobody ever sees half a file
    and an error leaves the old one as it was. A name in ``.gz`` is compressed, without a time
    stamp, so that the same text gives the same bytes. ``sync`` waits until the disk has it, so that
    the file outlives a power cut.
    """
    target = _target(path, overwrite)
    try:
        with new_draft(target.parent) as (draft, descriptor):
            with os.fdopen(descriptor, "wb") as stream:
                if os.fspath(path).endswith(".gz"):
                    with gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
                        yield cast("BinaryIO", packed)
                else:
                    yield stream
                if sync:
                    stream.flush()
                    os.fsync(stream.fileno())
            if target.exists():
                draft.chmod(stat.S_IMODE(target.stat().st_mode))
            draft.replace(target)
            if sync:
                _sync_folder(target.parent)
    except OSError as error:
        raise _cannot_write(path, error) from error


def _sync_folder(folder: Path) -> None:
    """Names are on the disk only when their folder is; Windows has no such thing."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_folder(path: FilePath, *, replace: bool = False) -> Iterator[Path]:
    """A new folder that becomes ``path`` when the block ends without an error; else nothing is left of it.

    A folder that is there already, and not empty, is refused, because files of two origins must not mix,
    unless the whole of it is to be replaced.
    """
    target = Path(os.path.realpath(path))
    stack = ExitStack()
    try:
        there = os.path.lexists(target)
        if there and not os.path.isdir(target):
            raise InputError("MP132", "This is not a folder.", path=path, hint="Name a folder.")
        if there and any(not is_draft(file.name) for file in target.iterdir()) and not replace:
            raise InputError(
                "MP130", "The folder exists.", path=path, hint="Name one that is new or empty."
            )
        temporary = stack.enter_context(new_draft_folder(target.parent))
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from error
    with stack:
        try:
            yield temporary
        except MetaphraseError as error:
            if error.path is None or not error.path.startswith(str(temporary)):
                raise
            # Nobody knows the folder by the name that it has for now.
            named = os.fspath(path) + error.path.removeprefix(str(temporary))
            raise error.at(named, error.line) from None
        try:
            _put_in_place(temporary, target)
        except OSError as error:
            raise _cannot_write(path, error) from error


def _put_in_place(folder: Path, target: Path) -> None:
    """The old folder goes when the new one is there."""
    if not os.path.lexists(target):
        folder.rename(target)
        return
    old = target.with_name(draft_name("old"))
    target.rename(old)
    try:
        folder.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def encoded_lines(lines: Iterable[str], path: FilePath) -> Iterator[bytes]:
    """Each line in UTF-8 with its line feed; one that would not read back the same is refused."""
    for number, line in enumerate(lines, 1):
        if "\n" in line:
            raise cannot_hold(path, number, "contains a line feed")
        if "\0" in line:
            raise cannot_hold(path, number, "contains a NUL character")
        if line.endswith("\r"):
            raise cannot_hold(path, number, "ends in a carriage return")
        if number == 1 and line.startswith("\ufeff"):
            raise cannot_hold(path, number, "begins with a byte order mark")
        try:
            yield line.encode() + b"\n"
        except UnicodeEncodeError:
            raise cannot_hold(path, number, "has half a surrogate pair") from None


def cannot_hold(path: FilePath, number: int | None, fault: str) -> InputError:
    """The error for a text that line ``number`` of the file to be written cannot hold."""
    return InputError(
        "MP131", f"The text {fault}.", path=path, line=number, hint="Write JSONL instead."
    )


def refuse_descriptor(path: FilePath) -> None:
    """Refuse ``/dev/stdout`` and its like: whoever opened the file that it stands for writes to it, too."""
    current = Path(path)
    for _ in range(40):  # as many links as systems follow
        try:
            if not current.is_symlink():
                return
        except OSError:
            return  # who may not even look there is told so when it is written
        folder = Path(os.path.realpath(current.parent))
        if folder.is_relative_to("/proc") or folder.is_relative_to("/dev/fd"):
            raise InputError(
                "MP132",
                "This is a file that is open already, not one to be written.",
                path=path,
                hint="Name the file itself, or leave -o out where something is printed without it.",
            )
        current = folder / current.readlink()


def _target(path: FilePath, overwrite: bool) -> Path:
    """The file to replace: what a symbolic link points to, never a device or a pipe."""
    if os.fspath(path) == STDIN:
        raise OptionError("MP108", "Nothing is written to '-'.", hint="Name a file.")
    try:
        refuse_descriptor(path)
        target = Path(os.path.realpath(path))
        exists = target.exists()
        regular = target.is_file()
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from error
    if exists and not regular:
        kind = "a directory" if target.is_dir() else "not a regular file"
        raise InputError("MP132", f"This is {kind}.", path=path, hint="Name a file to write.")
    if exists and not overwrite:
        raise InputError(
            "MP130", "The file exists.", path=path, hint="Choose another name or overwrite it."
        )
    return target


def _cannot_write(path: FilePath, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or error
    return InputError(
        "MP132",
        f"The file cannot be written: {reason}.",
        path=path,
        hint="Check that its directory exists and may be written to.",
    )
