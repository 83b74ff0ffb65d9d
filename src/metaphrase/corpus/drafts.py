"""Temporary names beside what is to be written, and an end for those whose process was killed.

A process that is killed cannot tidy up. So each draft is locked for as long as somebody works on it: the
system gives the lock back however the process ends, and whoever writes into that folder next removes drafts
that nobody holds. Locks of other machines cannot be seen on every network's file system, which is why the
name of a draft says on which one it was made.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

#: Folders that this process has looked through.
_swept: set[Path] = set()


def draft_name(ending: str = "tmp") -> str:
    """A name that nobody else uses."""
    return f".metaphrase-{_machine()}{secrets.token_hex(8)}.{ending}"


def is_draft(name: str) -> bool:
    """Whether a file or folder of that name is something half written."""
    return re.fullmatch(r"\.metaphrase-([0-9a-f]{8})?[0-9a-f]{16}\.tmp", name) is not None


@contextmanager
def new_draft(folder: Path) -> Iterator[tuple[Path, int]]:
    """An empty file in ``folder``, ours alone, and the descriptor to write to it, which is yours to close.

    In the end it is removed, unless it has another name by then.
    """
    sweep(folder)
    draft = folder / draft_name()
    lock = None
    try:
        while True:
            # Unlike the tempfile module's, this mode lets the user's umask decide who may read.
            descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
            # Somebody who looks through the folder may have been quicker than our lock.
            if not _locked(descriptor, wait=True) or os.fstat(descriptor).st_nlink:
                break
            os.close(descriptor)
        lock = os.dup(descriptor) if os.name == "posix" else None
        yield draft, descriptor
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        _let_go(lock)


@contextmanager
def new_draft_folder(folder: Path, *, mode: int = 0o777) -> Iterator[Path]:
    """An empty folder in ``folder``, which is removed in the end unless it has another name by then."""
    sweep(folder)
    draft = folder / draft_name()
    lock = None
    try:
        while True:
            draft.mkdir(mode)
            lock = _opened_folder(draft)
            if lock is None or not _locked(lock, wait=True) or draft.is_dir():
                break
            _let_go(lock)
        yield draft
    finally:
        try:
            shutil.rmtree(draft, ignore_errors=True)
        except BaseException:  # Ctrl-C or SIGTERM, which may wait until all of it is gone
            shutil.rmtree(draft, ignore_errors=True)
            raise
        _let_go(lock)


def sweep(folder: Path) -> None:
    """Remove drafts of this user and machine whose process is no more; once is enough."""
    if folder in _swept or os.name != "posix":
        return
    _swept.add(folder)
    ours = re.compile(rf"\.metaphrase-{_machine()}[0-9a-f]{{16}}\.tmp")
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if ours.fullmatch(entry.name):
                with suppress(OSError):
                    _remove_if_abandoned(Path(entry.path))


def _remove_if_abandoned(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid() or not _locked(descriptor, wait=False):
            return
        if stat.S_ISREG(status.st_mode):
            path.unlink()
        elif stat.S_ISDIR(status.st_mode):
            shutil.rmtree(path)
    finally:
        os.close(descriptor)


def _machine() -> str:
    """Eight digits for this machine."""
    name = os.uname().nodename if hasattr(os, "uname") else ""
    return blake2b(name.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()


def _opened_folder(path: Path) -> int | None:
    try:
        return os.open(path, os.O_RDONLY) if os.name == "posix" else None
    except OSError:
        return None


def _let_go(lock: int | None) -> None:
    if lock is not None:
        with suppress(OSError):
            os.close(lock)


def _locked(descriptor: int, *, wait: bool) -> bool:
    """Whether the lock is ours; nobody has it where there are none."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True
