"""Evaluations on disk: each one a folder that is there whole or not at all, whenever the server is killed.

``ID/record.json`` says what became of it, ``request.json`` and ``files/`` what was asked for, ``results/`` is
there when it is done. Names that begin with a dot are drafts.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, MetaphraseError, ResourceError
from metaphrase.serve.limits import MEGABYTE
from metaphrase.serve.problems import not_found, to_record
from metaphrase.serve.submission import Submission
from metaphrase.serve.worker import FILES, REPORT, REQUEST, RESULTS

_RECORD = "record.json"
_LOCK = ".lock"
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
UNFINISHED = ("queued", "running")
STATES = (*UNFINISHED, "done", "failed", "cancelled")


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


class Store:
    """The folder of one server, which no other one may use at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
            # Who else may look into a folder that was there before is its owner's decision.
        except OSError as error:
            raise ResourceError(
                "MP822",
                f"evaluations cannot be kept there: {error.strerror}.",
                path=folder,
                hint="Name another folder with --store, or none.",
            ) from None
        if not _locked(self._lock):
            os.close(self._lock)
            raise ResourceError(
                "MP822",
                "another server keeps its evaluations there.",
                path=folder,
                hint="Use that one, or name another folder with --store, or none.",
            )

    def close(self) -> None:
        """Let another server have the folder."""
        os.close(self._lock)

    def recover(self) -> list[Record]:
        """What is there, oldest first, after what a killed server has left half done is put in order."""
        records = []
        for folder in self.folder.iterdir():
            if not folder.is_dir():
                continue
            if folder.name.startswith("."):
                _remove(folder)
                continue
            if not _ID.fullmatch(folder.name):
                continue  # not ours
            record = _read_record(folder)
            if record is None or (record.state == "done" and not (folder / RESULTS).is_dir()):
                _remove(folder)
                continue
            for draft in folder.glob(".*"):
                _remove(draft) if draft.is_dir() else draft.unlink(missing_ok=True)
            if record.state in UNFINISHED:
                record.state, record.error = "failed", to_record(stopped())
                self.update(record)
            records.append(record)
        return sorted(records, key=lambda record: record.created)

    def create(self, submission: Submission) -> Record:
        """Keep what was sent; the folder gets its name when it is complete."""
        record = Record(secrets.token_urlsafe(18), submission.listed_as, time.time())
        draft = self.folder / f".{record.id}"
        try:
            (draft / FILES).mkdir(mode=0o700, parents=True)
            draft.chmod(0o700)
            request = submission.save(draft / FILES)
            (draft / REQUEST).write_text(json.dumps(request), encoding="utf-8")
            (draft / _RECORD).write_text(json.dumps(asdict(record)), encoding="utf-8")
            draft.rename(self.folder / record.id)
        except OSError as error:
            _remove(draft)
            raise ResourceError(
                "MP822", f"the files cannot be kept: {error.strerror}.", hint="Is the disk full?"
            ) from None
        return record

    def update(self, record: Record) -> None:
        """Write what became of it."""
        with atomic_writer(self.folder / record.id / _RECORD) as stream:
            stream.write(json.dumps(asdict(record)).encode())

    def delete(self, id: str) -> None:
        """Remove all of it; it is gone at once, even if the server is killed while it removes files."""
        doomed = self.folder / f".{id}"
        try:
            (self.folder / id).rename(doomed)
        except FileNotFoundError:
            return
        _remove(doomed)

    def path(self, id: str) -> Path:
        """The folder of an evaluation."""
        return self.folder / id

    def report(self, id: str) -> Path:
        """The report of an evaluation, if it has been made."""
        return self.folder / id / REPORT

    def result(self, id: str, name: str) -> Path:
        """A file of the results: ``overview.json``, ``scores.json`` or ``scores.tsv``."""
        return self.folder / id / RESULTS / name

    def shape(self, id: str) -> tuple[int, int, int]:
        """The numbers of metrics, systems and segments."""
        overview = json.loads(self.result(id, "overview.json").read_bytes())
        return len(overview["metrics"]), len(overview["systems"]), overview["segments"]

    def block(self, id: str, name: str) -> bytes:
        """A block of the report, compressed."""
        places = json.loads(self.result(id, "blocks.json").read_bytes())
        if name not in places:
            raise not_found("such block")
        start, length = places[name]
        with self.result(id, "blocks").open("rb") as stream:
            stream.seek(start)
            return stream.read(length)

    def surplus(self, records: list[Record], keep: int, megabytes: int) -> Iterator[Record]:
        """The oldest of the finished ``records``, newest first, that are more than are to be kept."""
        left = megabytes * MEGABYTE
        for number, record in enumerate(records):
            left -= _size(self.folder / record.id)
            # However large, the last one is what somebody is waiting for.
            if number and (number >= keep or left < 0):
                yield record


def _read_record(folder: Path) -> Record | None:
    try:
        record = Record(**json.loads((folder / _RECORD).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    return record if record.state in STATES and record.id == folder.name else None


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue  # gone in the meantime
    return total


def _locked(descriptor: int) -> bool:
    """Whether the lock is ours; the system gives it back when the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
