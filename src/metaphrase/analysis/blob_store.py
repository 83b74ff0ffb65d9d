"""A bounded table of blobs on disk, for several processes and threads at once."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from metaphrase.errors import OptionError

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")

SMALLEST_LIMIT = 1 << 20
#: To be raised whenever the table or what is kept in it changes; other versions are emptied.
_VERSION = 1
#: How long to wait for another process that writes, before going on without it.
_PATIENCE_SECONDS = 10.0
#: How many keys one query names: the smallest limit that SQLite is commonly built with is 999.
_KEYS_PER_QUERY = 500
#: The time of the last use is kept in these steps, so that reading seldom has to write.
_SECONDS_PER_TICK = 3600
#: Of a header that claims to be read-only, one of another format, and a schema without the table.
_SIGNS_OF_DAMAGE = ("readonly database", "unsupported file format", "no such ")
#: Connections inherited through a fork: closing them would break the locks of the parent process.
_INHERITED: list[sqlite3.Connection] = []


class BlobStore:
    """Keys and payloads in SQLite; whatever is wrong with the file, an entry is just not there.

    Writes are short transactions under the write-ahead log, so a process that is killed leaves a
    valid file. A damaged file is deleted and begun anew; one that cannot be used (read-only, locked
    for long, disk full) is passed over, with one warning to the log. ``limit_bytes`` bounds the
    file; what was not used for longest goes first.
    """

    def __init__(self, path: Path, *, limit_bytes: int) -> None:
        self._connection: sqlite3.Connection | None = None
        if limit_bytes < SMALLEST_LIMIT:
            raise OptionError(
                "MP290",
                f"a cache of {limit_bytes} bytes is too small to be of use.",
                hint=f"Give it {SMALLEST_LIMIT} bytes or more.",
            )
        self.path = path
        self.limit_bytes = limit_bytes
        self._lock = threading.Lock()
        # Whose connection it is and to which file: it outlives neither a fork nor the file.
        self._process = os.getpid()
        self._file: tuple[int, int] | None = None
        self._warned = False

    def find(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The payloads of those ``keys`` that are there; they count as used now."""
        found: dict[bytes, bytes] = {}
        wanted = list(keys)
        for first in range(0, len(wanted), _KEYS_PER_QUERY):
            rows = self._attempt(_select, wanted[first : first + _KEYS_PER_QUERY]) or []
            found.update((key, payload) for key, payload, _ in rows)
            now = _tick()
            if stale := [(now, key) for key, _, used in rows if used != now]:
                self._attempt(_touch, stale)
        return found

    def put(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep ``entries``, pairs of key and payload, and make room for them."""
        # In pieces small enough that the file stays within its limit, however much comes at once.
        piece_bytes = min(self.limit_bytes // 8, 4 << 20)
        piece: list[tuple[bytes, bytes, int]] = []
        size = 0
        for key, payload in entries:
            if len(payload) > piece_bytes:
                continue
            piece.append((key, payload, _tick()))
            size += len(payload)
            if size > piece_bytes:
                self._attempt(_insert, piece, self.limit_bytes)
                piece, size = [], 0
        if piece:
            self._attempt(_insert, piece, self.limit_bytes)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            self._drop_connection()

    def _attempt(self, work: Callable[..., _T], *arguments: object) -> _T | None:
        """Do ``work`` on the open file; replace a damaged one and try again, pass over the rest."""
        with self._lock:
            for again in (True, False):
                try:
                    return work(self._connect(), *arguments)
                except (sqlite3.DatabaseError, OSError) as error:
                    self._drop_connection()
                    if not (again and self._is_damage(error) and self._delete()):
                        self._warn(error)
                        return None
                    _LOG.info("%s is damaged (%s) and begun anew", self.path, error)
        return None

    def _is_damage(self, error: Exception) -> bool:
        if isinstance(error, sqlite3.OperationalError):
            # Mostly locked or out of reach; but some damage is reported in the same way.
            writable = os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)
            return writable and any(sign in str(error) for sign in _SIGNS_OF_DAMAGE)
        return isinstance(error, sqlite3.DatabaseError)

    def _connect(self) -> sqlite3.Connection:
        # The file is another one if another process found it damaged and began it anew.
        if self._process != os.getpid() or self._file != _identity(self.path):
            self._drop_connection()
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = _open(self.path)
            self._process, self._file = os.getpid(), _identity(self.path)
        return self._connection

    def _drop_connection(self) -> None:
        if self._connection is None:
            return
        if self._process == os.getpid():
            self._connection.close()
        else:
            _INHERITED.append(self._connection)
        self._connection = None

    def __del__(self) -> None:
        self._drop_connection()

    def _delete(self) -> bool:
        try:
            for suffix in ("-wal", "-shm", ""):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            if isinstance(error, FileExistsError):
                reason = "its folder is a file"
            _LOG.warning("going on without the cache %s: %s", self.path, reason)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=_PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
    )
    # A flipped bit can turn a blob into text; as bytes it fails its checksum, and nothing else.
    connection.text_factory = bytes
    try:
        if not _pragma(connection, "page_count"):
            # The choice is made with the first page; repeating it later would be a write.
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        # With the write-ahead log this risks the last writes at a power cut, not the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint = 256")
        connection.execute(f"PRAGMA journal_size_limit = {SMALLEST_LIMIT}")
        if _pragma(connection, "user_version") != _VERSION:
            _create(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _create(connection: sqlite3.Connection) -> None:
    with _transaction(connection):
        if _pragma(connection, "user_version") == _VERSION:
            return  # another process was quicker
        connection.execute("DROP TABLE IF EXISTS entry")
        connection.execute(
            "CREATE TABLE entry (key BLOB PRIMARY KEY, payload BLOB NOT NULL, "
            "used INTEGER NOT NULL) WITHOUT ROWID"
        )
        connection.execute("CREATE INDEX by_use ON entry (used)")
        connection.execute(f"PRAGMA user_version = {_VERSION}")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; the right to write is taken first, since it cannot be waited for later."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _select(
    connection: sqlite3.Connection, keys: Sequence[bytes]
) -> list[tuple[bytes, bytes, int]]:
    marks = ",".join("?" * len(keys))
    query = f"SELECT key, payload, used FROM entry WHERE key IN ({marks})"
    return connection.execute(query, keys).fetchall()


def _touch(connection: sqlite3.Connection, rows: Sequence[tuple[int, bytes]]) -> None:
    with _transaction(connection):
        connection.executemany("UPDATE entry SET used = ? WHERE key = ?", rows)


def _insert(
    connection: sqlite3.Connection, rows: Sequence[tuple[bytes, bytes, int]], limit_bytes: int
) -> None:
    # Half again for the index and for pages that are not full.
    needed = sum(len(payload) + 64 for _, payload, _ in rows) * 3 // 2
    with _transaction(connection):
        if _occupied_bytes(connection) > limit_bytes - needed:
            # Further down than needed, so that most writes find room.
            _evict(connection, (limit_bytes - needed) * 3 // 4)
        connection.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?, ?)", rows)
    if _pragma(connection, "page_count") * _pragma(connection, "page_size") > limit_bytes:
        # As a script, because execute() stops after the first page.
        connection.executescript("PRAGMA incremental_vacuum")


def _evict(connection: sqlite3.Connection, target_bytes: int) -> None:
    oldest = "SELECT key FROM entry ORDER BY used LIMIT ?"
    while _occupied_bytes(connection) > target_bytes:
        count = int(connection.execute("SELECT count(*) FROM entry").fetchone()[0])
        if not count:
            return
        deletion = f"DELETE FROM entry WHERE key IN ({oldest})"
        if not connection.execute(deletion, (count // 8 + 1,)).rowcount:
            raise sqlite3.DatabaseError("table and index disagree")


def _occupied_bytes(connection: sqlite3.Connection) -> int:
    pages = _pragma(connection, "page_count") - _pragma(connection, "freelist_count")
    return pages * _pragma(connection, "page_size")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _tick() -> int:
    return int(time.time()) // _SECONDS_PER_TICK
