"""What a shard left behind: how many rows, the hash of its part, how long it took, and exact sums.

The first line of a manifest is short, so that whoever asks how far a job is need not read sums, which are
large where there are resamples; the second has the sums. Each begins with its checksum.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metaphrase.corpus.lines import cannot_read
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.jobs.plan import VERSION, Plan, Shard
from metaphrase.jobs.sums import Sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A shard that is done: its part, when it was done, and how long that took.

    ``done`` is in seconds since 1970, and ``skipped`` how many of its rows each metric refused, if any.
    """

    shard: Shard
    digest: str
    size: int
    done: float
    seconds: float
    skipped: Mapping[str, int] = field(default_factory=dict)


def write_manifest(path: Path, manifest: Manifest, sums: Sums, plan: Plan) -> None:
    """Write it, when its part is there: from now on the shard is done."""
    body = _line(sums.as_dict())
    head = {
        "version": VERSION,
        "job": plan.job,
        "shard": manifest.shard.number,
        "rows": sums.rows,
        "part": {"size": manifest.size, "digest": manifest.digest},
        "done": manifest.done,
        "seconds": manifest.seconds,
        "skipped": dict(manifest.skipped),
        "sums": len(body),
    }
    with atomic_writer(path, sync=True) as stream:
        stream.write(_line(head) + body)


def read_manifest(path: Path, shard: Shard, plan: Plan) -> Manifest:
    """The manifest of a shard of this plan; of its sums it is only known that all of them are there.

    A file that is not there is a ``FileNotFoundError``.
    """
    with _reading(path), path.open("rb") as stream:
        head = stream.readline()
        body = stream.seek(0, 2) - len(head)
    return _head(path, head, body, shard, plan)


def read_sums(path: Path, shard: Shard, plan: Plan) -> Sums:
    """The sums of a shard, to the last bit as they were written."""
    head, body = _halves(path)
    _head(path, head, len(body), shard, plan)
    try:
        return Sums.from_dict(_content(body), shard.rows, plan)
    except _DAMAGES as error:
        raise _damaged(path) from error


def check_manifest(path: Path, shard: Shard, plan: Plan) -> Manifest:
    """As :func:`read_manifest`, and the sums are as they were written."""
    head, body = _halves(path)
    try:
        _body(body)
    except _DAMAGES as error:
        raise _damaged(path) from error
    return _head(path, head, len(body), shard, plan)


_DAMAGES = (ValueError, KeyError, TypeError, IndexError, AttributeError, zlib.error, RecursionError)


def _head(path: Path, head: bytes, body: int, shard: Shard, plan: Plan) -> Manifest:
    try:
        found = _content(head)
        version, job, number = found["version"], found["job"], found["shard"]
        if job != plan.job:
            raise InputError(
                "MP934",
                "The manifest belongs to another job.",
                path=path,
                hint="Give each job a folder of its own.",
            )
        facts = version, number, found["rows"], found["sums"]
        if facts != (VERSION, shard.number, shard.rows, body):
            raise ValueError("it is another shard's, or cut short")
        return Manifest(
            shard=shard,
            digest=str(found["part"]["digest"]),
            size=int(found["part"]["size"]),
            done=float(found["done"]),
            seconds=float(found["seconds"]),
            skipped={str(label): int(count) for label, count in found.get("skipped", {}).items()},
        )
    except _DAMAGES as error:
        raise _damaged(path) from error


def _halves(path: Path) -> tuple[bytes, bytes]:
    with _reading(path):
        head, end, body = path.read_bytes().partition(b"\n")
    return head + end, body


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise cannot_read(path, str(path), error) from error


def _line(content: Mapping[str, Any]) -> bytes:
    body = json.dumps(content, ensure_ascii=False).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def _body(line: bytes) -> bytes:
    """What the line says, if it is as it was written."""
    checksum, _, rest = line.partition(b" ")
    body = rest.removesuffix(b"\n")
    if len(body) == len(rest) or checksum != b"%08x" % zlib.crc32(body):
        raise ValueError("the line is not as it was written")
    return body


def _content(line: bytes) -> Any:
    return json.loads(_body(line))


def _damaged(path: Path) -> InputError:
    return InputError(
        "MP935",
        "The manifest is damaged.",
        path=path,
        hint="Run the job again: only this shard is scored anew.",
    )
