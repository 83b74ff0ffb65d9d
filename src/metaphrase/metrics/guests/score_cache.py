"""Scores of guests kept on disk by text and model, so that a second table costs nothing.

Entries are addressed by content: a hash of all that the signature says of the guest and of the row. Whatever
is wrong with the file ends in asking again, never in an error.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from metaphrase.analysis.blob_store import BlobStore
from metaphrase.analysis.cache import default_directory
from metaphrase.metrics.guests.protocol import PROTOCOL, Row

_LIMIT_BYTES = 1 << 30
_ENTRY = struct.Struct("<dI")


def row_keys(identity: Mapping[str, str], rows: Sequence[Row]) -> list[bytes]:
    """By what the score of each row is kept, for a guest of which all this is known."""
    said = json.dumps([PROTOCOL, dict(identity)], sort_keys=True)
    begun = blake2b(said.encode("ascii"), digest_size=16)
    keys = []
    for row in rows:
        digest = begun.copy()
        digest.update(json.dumps(row.as_dict(), sort_keys=True).encode("ascii"))
        keys.append(digest.digest())
    return keys


def find(keys: Sequence[bytes]) -> dict[bytes, float]:
    """The scores that are known."""
    entries = _store(default_directory()).find(keys)
    found = {}
    for key, entry in entries.items():
        if (score := _decode(key, entry)) is not None:
            found[key] = score
    return found


def keep(scores: Mapping[bytes, float]) -> None:
    """Remember scores."""
    _store(default_directory()).put((key, _encode(key, score)) for key, score in scores.items())


def remembered(question: str, make: Callable[[], str]) -> str:
    """``make()``, unless the answer to this question is known."""
    key = blake2b(question.encode("utf-8", "surrogateescape"), digest_size=16).digest()
    entry = _store(default_directory()).find([key]).get(key)
    if isinstance(entry, bytes) and entry[:4] == zlib.crc32(key + entry[4:]).to_bytes(4, "big"):
        return entry[4:].decode("utf-8")
    answer = make()
    text = answer.encode()
    _store(default_directory()).put([(key, zlib.crc32(key + text).to_bytes(4, "big") + text)])
    return answer


@lru_cache(maxsize=4)
def _store(directory: Path) -> BlobStore:
    return BlobStore(directory / "guests.sqlite", limit_bytes=_LIMIT_BYTES)


def _encode(key: bytes, score: float) -> bytes:
    # The checksum is over the key, too, so that an entry under a wrong key is found out.
    return _ENTRY.pack(score, zlib.crc32(key + struct.pack("<d", score)))


def _decode(key: bytes, entry: object) -> float | None:
    if not isinstance(entry, bytes) or len(entry) != _ENTRY.size:
        return None
    score, _ = _ENTRY.unpack(entry)
    return score if math.isfinite(score) and entry == _encode(key, score) else None
