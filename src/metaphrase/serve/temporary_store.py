"""A store that goes with its server, or, if that was killed, at the start of the next one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from metaphrase.errors import ResourceError
from metaphrase.serve.store import LOCK, EvaluationStore, is_marked, locked, mark, remove_marked

_PREFIX = "metaphrase-serve-"
#: In the folder of a store that nobody has asked to be kept.
_TEMPORARY = "temporary.txt"


@contextmanager
def temporary_store() -> Iterator[EvaluationStore]:
    """A new store in the system's folder for temporary files."""
    _remove_abandoned()
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    except OSError as error:
        raise ResourceError(
            "MP822",
            f"evaluations cannot be kept even for a while: {error.strerror}.",
            hint="Name a folder with --store.",
        ) from None
    store = EvaluationStore(folder)
    try:
        # Its lock is held before it is called temporary: one without a lock has lost its server.
        mark(folder, _TEMPORARY)
        yield store
    finally:
        remove_marked(folder, _TEMPORARY)
        store.close()


def _remove_abandoned() -> None:
    """Remove the stores of this user whose servers were killed."""
    if os.name != "posix":
        return  # where there are no locks, nobody can say whether a server still runs
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            ours = is_marked(folder, _TEMPORARY) and folder.lstat().st_uid == os.getuid()
        except OSError:
            continue  # gone in the meantime
        if ours and _is_abandoned(folder / LOCK):
            remove_marked(folder, _TEMPORARY)


def _is_abandoned(lock: Path) -> bool:
    try:
        descriptor = os.open(lock, os.O_RDWR)
    except FileNotFoundError:
        return True  # whoever removed the store was killed too
    except OSError:
        return False
    try:
        return locked(descriptor)
    finally:
        os.close(descriptor)
