"""Analyses kept on disk, so that a text is analysed once however many runs need it.

Entries are addressed by content: a hash of the analyser's name, of its fingerprint for all its
columns and of the text. An entry holds every column that was computed for the text so far, which is
possible because the cells of a column do not depend on what else is asked for. Whatever is wrong
with the file ends in analysing again, never in an error: a cache may be lost at any time, and only
time is lost with it.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Collection, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from metaphrase.analysis.analyser import Analyser, requested_columns
from metaphrase.analysis.blob_store import BlobStore
from metaphrase.analysis.sentence import BASE_COLUMNS, COLUMNS, Batch, Sentence

#: How many texts are analysed between two writes: what an interrupted run can lose.
_TEXTS_PER_WRITE = 2048
#: Bytes of the checksum before each payload.
_CHECKSUM = 4

Cells = dict[str, tuple[Any, ...]]


class CachedAnalyser:
    """An analyser that remembers; what it answers is what ``analyser`` answers.

    ``path`` is a directory (default: :func:`default_directory`) that all analysers, and any number
    of processes, can share. ``limit_bytes`` bounds the file in it.
    """

    def __init__(
        self,
        analyser: Analyser,
        path: str | os.PathLike[str] | None = None,
        *,
        limit_bytes: int = 1 << 30,
    ) -> None:
        self.name = analyser.name
        self.columns = analyser.columns
        self._analyser = analyser
        self._directory = default_directory() if path is None else Path(path)
        self._store = BlobStore(self._directory / "analyses.sqlite", limit_bytes=limit_bytes)
        identity = [self.name, analyser.fingerprint(analyser.columns)]
        self._hash = blake2b(json.dumps(identity).encode(), digest_size=16)

    def __repr__(self) -> str:
        return f"<CachedAnalyser {self.name}>"

    def fingerprint(self, columns: Collection[str]) -> str:
        """That of the analyser behind it."""
        return self._analyser.fingerprint(columns)

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """Answer from the cache where it can; analyse the rest, each text once, and remember it."""
        names = requested_columns(self, columns)
        keys = {text: self._key(text) for text in dict.fromkeys(texts)}
        known = self._find(keys)
        rows = {
            text: Sentence(text, **{name: cells[name] for name in names})
            for text, cells in known.items()
            if names <= cells.keys()
        }
        missing = [text for text in keys if text not in rows]
        for first in range(0, len(missing), _TEXTS_PER_WRITE):
            some = missing[first : first + _TEXTS_PER_WRITE]
            fresh = self._analyser.analyse(some, names, threads=threads)
            rows.update(zip(some, fresh, strict=True))
            self._store.put(
                (keys[text], _encode(keys[text], text, _merged(known.get(text), rows[text])))
                for text in some
            )
        return Batch.pack([rows[text] for text in texts], names)

    def close(self) -> None:
        """Let go of the file; the next analysis opens it again."""
        self._store.close()

    def _find(self, keys: dict[str, bytes]) -> dict[str, Cells]:
        payloads = self._store.find(keys.values())
        found: dict[str, Cells] = {}
        for text, key in keys.items():
            cells = _decode(key, text, payloads.get(key))
            if cells is not None:
                found[text] = cells
        return found

    def _key(self, text: str) -> bytes:
        digest = self._hash.copy()
        digest.update(text.encode("utf-8", "surrogatepass"))
        return digest.digest()

    def __reduce__(self) -> tuple[object, ...]:
        # The open file stays behind: worker processes open their own.
        return _rebuild, (self._analyser, self._directory, self._store.limit_bytes)


def default_directory() -> Path:
    """``$METAPHRASE_CACHE``, else ``metaphrase`` in the user's cache directory."""
    if given := os.environ.get("METAPHRASE_CACHE"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "metaphrase"


def _rebuild(analyser: Analyser, directory: Path, limit_bytes: int) -> CachedAnalyser:
    return CachedAnalyser(analyser, directory, limit_bytes=limit_bytes)


def _merged(known: Cells | None, fresh: Sentence) -> Cells:
    cells: Cells = {name: getattr(fresh, name) for name in fresh.columns}
    if known is None or any(known[name] != cells[name] for name in BASE_COLUMNS):
        return cells
    return known | cells


def _encode(key: bytes, text: str, cells: Cells) -> bytes:
    """JSON, compressed: nothing that could run code when it is read."""
    spans = zip(cells["start"], cells["end"], strict=True)
    # A form that stands in the text need not be kept twice.
    forms = [
        None if form == text[start:end] else form
        for form, (start, end) in zip(cells["form"], spans, strict=True)
    ]
    # In one order, so that the size of the file does not hang on the hashes of this process.
    content = json.dumps({**cells, "form": forms}, separators=(",", ":"), sort_keys=True)
    payload = zlib.compress(content.encode("ascii"), 1)
    return _checksum(key, payload) + payload


def _decode(key: bytes, text: str, entry: object) -> Cells | None:
    """What :func:`_encode` was given, or ``None`` if ``entry`` is anything but its result."""
    if not isinstance(entry, bytes) or entry[:_CHECKSUM] != _checksum(key, entry[_CHECKSUM:]):
        return None
    try:
        content = json.loads(zlib.decompress(entry[_CHECKSUM:]))
        cells: Cells = {name: tuple(content[name]) for name in COLUMNS if name in content}
        forms = zip(cells["form"], cells["start"], cells["end"], strict=True)
        cells["form"] = tuple(
            text[start:end] if form is None else form for form, start, end in forms
        )
    except (zlib.error, ValueError, LookupError, TypeError, RecursionError):
        return None
    return cells if len({len(column) for column in cells.values()}) == 1 else None


def _checksum(key: bytes, payload: bytes) -> bytes:
    """Over the key too, so that an entry under a wrong key is found out."""
    return zlib.crc32(payload, zlib.crc32(key)).to_bytes(_CHECKSUM, "big")
