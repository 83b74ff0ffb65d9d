"""Evaluations on disk: each one a folder that is there whole or not at all, whenever the server is killed.

``evaluations/ID/record.json`` says what became of it, ``request.json`` and ``files/`` what was asked for,
``results/`` is there when it is done. ``evaluations/.draft-ID`` is on its way in or out. The store and each
folder in it hold a mark: whatever has none is somebody else's, and is neither used nor removed.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from metaphrase.corpus.drafts import is_draft
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, MetaphraseError, ResourceError
from metaphrase.serve.evaluation_request import EvaluationRequest
from metaphrase.serve.limits import MEGABYTE
from metaphrase.serve.problems import cannot_keep, not_found, to_record
from metaphrase.serve.worker import DRAFT, FILES, REPORT, REQUEST, RESULTS

#: In the folder of a store and of an evaluation: it was made by a server.
MARK = "metaphrase-serve.txt"
LOCK = ".lock"
_EVALUATIONS = "evaluations"
_RECORD = "record.json"
_ID = re.compile(r"[A-Za-z0-9_-]{24}")
_DRAFT = re.compile(r"\.draft-[A-Za-z0-9_-]{24}")
UNFINISHED = ("queued", "running")
STATES = (*UNFINISHED, "done", "failed", "cancelled")
_EXPLANATION = """\
metaphrase serve made this folder and keeps evaluations here. This file tells it so: without it, the folder
is not used again, and nothing in it is removed.
"""


@dataclass(slots=True)
class Record:
    """What became of an evaluation; ``created`` is in seconds since 1970."""

    id: str
    title: str
    created: float
    state: str = "queued"
    error: dict[str, Any] | None = None


def default_folder() -> Path:
    """Where the user's programs keep what they have done."""
    if os.name == "nt":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "metaphrase" / "serve"


def stopped() -> MetaphraseError:
    """The error of evaluations that ended with the server."""
    return InputError(
        "MP834", "the server was stopped before the evaluation was done.", hint="Send it again."
    )


class EvaluationStore:
    """The folder of one server, which no other one may use at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._evaluations = folder / _EVALUATIONS
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Who else may look into a folder that was there before is its owner's decision.
            if not is_marked(folder) and {path.name for path in folder.iterdir()} - {LOCK}:
                raise _unusable(folder, "the folder has files that are not of a server")
            self._lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise _unusable(folder, str(error.strerror)) from None
        try:
            if not locked(self._lock):
                raise _unusable(folder, "another server keeps its evaluations there")
            if not is_marked(folder):
                mark(folder)
            self._evaluations.mkdir(mode=0o700, exist_ok=True)
            if self._evaluations.is_symlink():
                raise _unusable(folder, f"{_EVALUATIONS} leads elsewhere")
        except OSError as error:
            self.close()
            raise _unusable(folder, str(error.strerror)) from None
        except ResourceError:
            self.close()
            raise

    def close(self) -> None:
        """Let another server have the folder."""
        with suppress(OSError):
            os.close(self._lock)

    def recover(self) -> list[Record]:
        """What is there, oldest first, after what a killed server has left half done is put in order."""
        records = []
        for folder in self._evaluations.iterdir():
            if _DRAFT.fullmatch(folder.name):
                remove_marked(folder)
            if not _ID.fullmatch(folder.name) or not is_marked(folder):
                continue  # not ours
            record = _read_record(folder)
            if record is None:
                continue  # damaged: nobody can say what it was
            self.clean(record.id)
            # Results are there whole or not at all, even if a full disk had no room to note that they are.
            has_results = (folder / RESULTS).is_dir()
            if record.state in UNFINISHED and has_results:
                record.state = "done"
                self.update(record)
            elif record.state in UNFINISHED or (record.state == "done" and not has_results):
                record.state, record.error = "failed", to_record(stopped())
                self.update(record)
            records.append(record)
        return sorted(records, key=lambda record: record.created)

    def clean(self, id: str) -> None:
        """Remove what a worker that did not finish has left half written."""
        draft = self.path(id) / DRAFT
        if not draft.is_symlink():
            shutil.rmtree(draft, ignore_errors=True)
        with suppress(OSError):
            for path in self.path(id).iterdir():
                if is_draft(path.name):
                    path.unlink(missing_ok=True)

    def create(self, request: EvaluationRequest) -> Record:
        """Keep what was sent; the folder gets its name when it is complete."""
        record = Record(secrets.token_urlsafe(18), request.listed_as, time.time())
        draft = self._draft(record.id)
        try:
            draft.mkdir(mode=0o700)
            mark(draft)
            (draft / FILES).mkdir(mode=0o700)
            saved = request.save(draft / FILES)
            (draft / REQUEST).write_text(json.dumps(saved), encoding="utf-8")
            (draft / _RECORD).write_text(json.dumps(asdict(record)), encoding="utf-8")
            draft.rename(self.path(record.id))
        except OSError as error:
            remove_marked(draft)
            raise cannot_keep("the files", error) from None
        return record

    def update(self, record: Record) -> None:
        """Write what became of it."""
        with atomic_writer(self.path(record.id) / _RECORD) as stream:
            stream.write(json.dumps(asdict(record)).encode())

    def delete(self, id: str) -> None:
        """Remove all of it; it is gone at once, even if the server is killed while it removes files."""
        doomed = self._draft(id)
        try:
            self.path(id).rename(doomed)
        except FileNotFoundError:
            return
        except OSError as error:  # Windows keeps a folder with a file that somebody is reading
            raise ResourceError(
                "MP822",
                f"the evaluation cannot be removed: {error.strerror}.",
                hint="Is one of its files in use? Try again.",
            ) from None
        remove_marked(doomed)

    def path(self, id: str) -> Path:
        """The folder of an evaluation."""
        return self._evaluations / id

    def report(self, id: str) -> Path:
        """The report of an evaluation, if it has been made."""
        return self.path(id) / REPORT

    def result(self, id: str, name: str) -> Path:
        """A file of the results: ``overview.json``, ``scores.json`` or ``scores.tsv``."""
        return self.path(id) / RESULTS / name

    def shape(self, id: str) -> tuple[int, int, int]:
        """The numbers of metrics, systems and segments."""
        with self._reading(id):
            overview = json.loads(self.result(id, "overview.json").read_bytes())
            return len(overview["metrics"]), len(overview["systems"]), int(overview["segments"])

    def block(self, id: str, name: str) -> bytes:
        """A block of the report, compressed."""
        with self._reading(id):
            places = json.loads(self.result(id, "blocks.json").read_bytes())
            if name not in places:
                raise not_found("such block")
            start, length = places[name]
            with self.result(id, "blocks").open("rb") as stream:
                stream.seek(start)
                return stream.read(length)

    @contextmanager
    def _reading(self, id: str) -> Iterator[None]:
        """Results that somebody has changed are no bug of ours; that they are gone is for others to say."""
        try:
            yield
        except (ValueError, LookupError, TypeError, OverflowError, RecursionError):
            raise _unusable(self.path(id), "the results of this evaluation are damaged") from None

    def surplus(self, records: list[Record], keep: int, megabytes: int) -> Iterator[Record]:
        """The oldest of the finished ``records``, newest first, that are more than are to be kept."""
        left = megabytes * MEGABYTE
        for number, record in enumerate(records):
            left -= _size(self.path(record.id))
            # However large, the last one is what somebody is waiting for.
            if number and (number >= keep or left < 0):
                yield record

    def _draft(self, id: str) -> Path:
        return self._evaluations / f".draft-{id}"


def mark(folder: Path, name: str = MARK) -> None:
    """Say in the folder whose it is."""
    (folder / name).write_text(_EXPLANATION, encoding="utf-8")


def is_marked(folder: Path, name: str = MARK) -> bool:
    """Whether it is a folder, not a link to one, that was made by a server."""
    return _is_folder(folder) and stat.S_ISREG(_mode(folder / name))


def remove_marked(folder: Path, name: str = MARK) -> None:
    """Remove a folder that was made by a server; its mark goes last, so that it can be done again."""
    with suppress(OSError):
        if not is_marked(folder, name):
            # One that was killed before it could mark the folder has left it empty.
            if _is_folder(folder):
                folder.rmdir()
            return
        for path in folder.iterdir():
            if path.name == name:
                continue
            if _is_folder(path):
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        if [path.name for path in folder.iterdir()] == [name]:
            (folder / name).unlink()
            folder.rmdir()


def _is_folder(path: Path) -> bool:
    return stat.S_ISDIR(_mode(path))


def _mode(path: Path) -> int:
    """What ``path`` is itself, wherever it may lead; 0: nothing."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _unusable(folder: Path, reason: str) -> ResourceError:
    return ResourceError(
        "MP822",
        f"evaluations cannot be kept there: {reason}.",
        path=folder,
        hint="Name another folder with --store, new or empty, or none.",
    )


def _read_record(folder: Path) -> Record | None:
    try:
        record = Record(**json.loads((folder / _RECORD).read_bytes()))
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return record if record.id == folder.name and _is_sound(record) else None


def _is_sound(record: Record) -> bool:
    """Whether it can be listed and sent."""
    return (
        record.state in STATES
        and isinstance(record.title, str)
        and isinstance(record.created, int | float)
        and isfinite(record.created)
        and isinstance(record.error, dict | None)
    )


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue  # gone in the meantime
    return total


def locked(descriptor: int) -> bool:
    """Whether the lock is ours; the system gives it back when the process ends, however it ends."""
    try:
        try:
            import fcntl
        except ImportError:  # Windows locks bytes, and that one need not be there
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
