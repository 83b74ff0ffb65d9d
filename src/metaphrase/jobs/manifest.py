"""What a shard left behind: how many rows, the hash of its part, how long it took, and exact sums."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.jobs.plan import VERSION, Plan, Shard
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.statistics.poisson_bootstrap import PoissonSums

#: A system and a metric.
Key = tuple[str, str]


@dataclass(slots=True)
class Sums:
    """Exact sums of statistics over rows, by system and metric: of all, by document, and resampled."""

    rows: int = 0
    totals: dict[Key, ExactSum] = field(default_factory=dict)
    resampled: dict[Key, PoissonSums] = field(default_factory=dict)
    #: Rows by document, and sums by document, system and metric.
    documents: dict[str, int] = field(default_factory=dict)
    by_document: dict[tuple[str, str, str], ExactSum] = field(default_factory=dict)

    def add(self, key: Key, statistics: FloatArray, documents: list[str] | None) -> None:
        """Add statistics of rows, which may belong to documents."""
        self.totals.setdefault(key, ExactSum()).add(statistics)
        if documents is None:
            return
        names, places = np.unique(np.array(documents, dtype=object), return_inverse=True)
        order = np.argsort(places, kind="stable")
        ends = np.searchsorted(places[order], np.arange(1, len(names)))
        for name, rows in zip(names.tolist(), np.split(order, ends), strict=True):
            self.by_document.setdefault((name, *key), ExactSum()).add(statistics[rows])

    def resample(self, key: Key, statistics: FloatArray, first: int, plan: Plan) -> None:
        """Add them to every resample, from row ``first`` of the job on."""
        if plan.resamples:
            sums = self.resampled.setdefault(key, PoissonSums(plan.resamples, plan.seed))
            sums.add(statistics, first)

    def merge(self, other: Sums) -> None:
        """Add the sums of other rows."""
        self.rows += other.rows
        for name, count in other.documents.items():
            self.documents[name] = self.documents.get(name, 0) + count
        for key, total in other.totals.items():
            self.totals.setdefault(key, ExactSum()).merge(total)
        for document_key, total in other.by_document.items():
            self.by_document.setdefault(document_key, ExactSum()).merge(total)
        for key, sums in other.resampled.items():
            if key in self.resampled:
                self.resampled[key].merge(sums)
            else:
                self.resampled[key] = sums

    def as_dict(self) -> dict[str, Any]:
        """As JSON; arrays are packed."""
        return {
            "totals": [[*key, packed(total.limbs)] for key, total in self.totals.items()],
            "resampled": [
                [*key, packed(sums.rows), packed(sums.sums.limbs)]
                for key, sums in self.resampled.items()
            ],
            "documents": self.documents,
            "by document": [[*key, packed(sum_.limbs)] for key, sum_ in self.by_document.items()],
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], rows: int, plan: Plan) -> Sums:
        """What :meth:`as_dict` gave."""
        sums = cls(rows=rows, documents=dict(found["documents"]))
        for system, label, limbs in found["totals"]:
            sums.totals[system, label] = _summed(limbs)
        for system, label, drawn, limbs in found["resampled"]:
            one = PoissonSums(plan.resamples, plan.seed)
            one.rows, one.sums = unpacked(drawn), _summed(limbs)
            sums.resampled[system, label] = one
        for document, system, label, limbs in found["by document"]:
            sums.by_document[document, system, label] = _summed(limbs)
        return sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A shard that is done."""

    shard: Shard
    digest: str
    size: int
    #: When it was done, and how long it took: seconds since 1970, and of time on the wall.
    done: float
    seconds: float
    sums: Sums

    def save(self, path: Path, plan: Plan) -> None:
        """Write it, when its part is there: from now on the shard is done."""
        whole = {
            "version": VERSION,
            "job": plan.job,
            "shard": self.shard.number,
            "rows": self.sums.rows,
            "part": {"size": self.size, "digest": self.digest},
            "done": self.done,
            "seconds": self.seconds,
            **self.sums.as_dict(),
        }
        body = json.dumps(whole, ensure_ascii=False)
        # Its own hash first, so that half a manifest, or a changed one, is never believed.
        lines = json.dumps({"crc": zlib.crc32(body.encode())}), body
        with atomic_writer(path, sync=True) as stream:
            stream.write("".join(f"{line}\n" for line in lines).encode())

    @classmethod
    def load(cls, path: Path, shard: Shard, plan: Plan) -> Manifest:
        """The manifest of a shard of this plan; a file that is not there is a ``FileNotFoundError``."""
        data = path.read_bytes()
        try:
            head, body, rest = data.split(b"\n")
            found = json.loads(body)
            whole = json.loads(head)["crc"] == zlib.crc32(body) and not rest
            if not whole or found["version"] != VERSION or found["shard"] != shard.number:
                raise ValueError
            if found["job"] != plan.job:
                raise InputError(
                    "MP934",
                    "The manifest belongs to another job.",
                    path=path,
                    hint="Give each job a folder of its own.",
                )
            if found["rows"] != shard.rows:
                raise ValueError
            return cls(
                shard=shard,
                digest=str(found["part"]["digest"]),
                size=int(found["part"]["size"]),
                done=float(found["done"]),
                seconds=float(found["seconds"]),
                sums=Sums.from_dict(found, shard.rows, plan),
            )
        except (ValueError, KeyError, TypeError, IndexError, zlib.error) as error:
            raise InputError(
                "MP935",
                "The manifest is damaged.",
                path=path,
                hint="Delete it and run the job again: only this shard is scored anew.",
            ) from error


def packed(numbers: Int64Array) -> list[Any]:
    """An array of whole numbers as JSON: its shape, and its bytes in base64."""
    data = zlib.compress(np.ascontiguousarray(numbers, dtype="<i8").tobytes(), 6)
    return [list(numbers.shape), base64.b64encode(data).decode()]


def unpacked(found: list[Any]) -> Int64Array:
    """What :func:`packed` gave."""
    shape, data = found
    size = 8 * int(np.prod(shape, dtype=np.int64))
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(base64.b64decode(data, validate=True), size + 1)
    if len(raw) != size:
        raise ValueError("the array has another size than it says")
    return np.frombuffer(raw, dtype="<i8").astype(np.int64).reshape(shape)


def _summed(limbs: list[Any]) -> ExactSum:
    total = ExactSum()
    total.add_limbs(unpacked(limbs))
    return total
