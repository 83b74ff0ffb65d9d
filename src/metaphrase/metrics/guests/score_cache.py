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


def find_errors(keys: Sequence[bytes]) -> dict[bytes, str]:
    """The errors that were marked in rows, as JSON, as far as they are known."""
    names = {_errors_key(key): key for key in keys}
    entries = _store(default_directory()).find(list(names))
    texts = ((names[name], _checked(name, entry)) for name, entry in entries.items())
    return {key: text for key, text in texts if text is not None}


def keep_errors(errors: Mapping[bytes, str]) -> None:
    """Remember them."""
    named = ((_errors_key(key), text.encode()) for key, text in errors.items())
    _store(default_directory()).put((name, _summed(name, text)) for name, text in named)


def _errors_key(key: bytes) -> bytes:
    return blake2b(b"errors" + key, digest_size=16).digest()


def remembered(question: str, make: Callable[[], str]) -> str:
    """``make()``, unless the answer to this question is known."""
    key = blake2b(question.encode("utf-8", "surrogateescape"), digest_size=16).digest()
    known = _checked(key, _store(default_directory()).find([key]).get(key))
    if known is not None:
        return known
    answer = make()
    _store(default_directory()).put([(key, _summed(key, answer.encode()))])
    return answer


def _summed(key: bytes, text: bytes) -> bytes:
    return zlib.crc32(key + text).to_bytes(4, "big") + text


def _checked(key: bytes, entry: object) -> str | None:
    if isinstance(entry, bytes) and entry == _summed(key, entry[4:]):
        return entry[4:].decode("utf-8")
    return None


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
