"""Exact sums of statistics over rows: of all, by document, and resampled."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.jobs.plan import Plan
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.statistics.poisson_bootstrap import PoissonSums

#: A system and the label of a metric.
Key = tuple[str, str]


@dataclass(slots=True)
class Sums:
    """Sums by system and metric; those of resamples are side by side, in the order of ``totals``."""

    rows: int = 0
    totals: dict[Key, ExactSum] = field(default_factory=dict)
    resampled: PoissonSums | None = None
    #: Rows by document, and sums by document, system and metric.
    documents: dict[str, int] = field(default_factory=dict)
    by_document: dict[tuple[str, str, str], ExactSum] = field(default_factory=dict)

    def add(
        self,
        statistics: Mapping[Key, FloatArray],
        documents: Sequence[str] | None,
        *,
        first: int,
        plan: Plan,
    ) -> None:
        """Add statistics of rows, from row ``first`` of the job on, which may belong to documents."""
        for key, rows in statistics.items():
            self.totals.setdefault(key, ExactSum()).add(rows)
        if plan.resamples:
            self.resampled = self.resampled or PoissonSums(plan.resamples, plan.seed)
            self.resampled.add(np.hstack(list(statistics.values())), first)
        if documents is not None:
            self._add_documents(statistics, documents)
        self.rows += len(next(iter(statistics.values())))

    def _add_documents(
        self, statistics: Mapping[Key, FloatArray], documents: Sequence[str]
    ) -> None:
        places: dict[str, list[int]] = {}
        for place, document in enumerate(documents):
            places.setdefault(document, []).append(place)
        for document, rows in places.items():
            self.documents[document] = self.documents.get(document, 0) + len(rows)
            for key, all_rows in statistics.items():
                self.by_document.setdefault((document, *key), ExactSum()).add(all_rows[rows])

    def merge(self, other: Sums) -> None:
        """Add the sums of other rows."""
        self.rows += other.rows
        for name, count in other.documents.items():
            self.documents[name] = self.documents.get(name, 0) + count
        for key, total in other.totals.items():
            self.totals.setdefault(key, ExactSum()).merge(total)
        for document_key, total in other.by_document.items():
            self.by_document.setdefault(document_key, ExactSum()).merge(total)
        if self.resampled is None:
            self.resampled = other.resampled
        elif other.resampled is not None:
            self.resampled.merge(other.resampled)

    def resamples(self) -> dict[Key, FloatArray]:
        """Sums of the statistics of each resample that has any row, by system and metric."""
        if self.resampled is None:
            return {}
        widths = [total.limbs.shape[-1] for total in self.totals.values()]
        columns = np.split(self.resampled.value(), np.cumsum(widths)[:-1], axis=1)
        return dict(zip(self.totals, columns, strict=True))

    def as_dict(self) -> dict[str, Any]:
        """As JSON; arrays are packed."""
        drawn = self.resampled
        return {
            "totals": [[*key, packed(total.limbs)] for key, total in self.totals.items()],
            "resampled": None if drawn is None else [packed(drawn.rows), packed(drawn.sums.limbs)],
            "documents": self.documents,
            "by document": [[*key, packed(sum_.limbs)] for key, sum_ in self.by_document.items()],
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], rows: int, plan: Plan) -> Sums:
        """What :meth:`as_dict` gave."""
        sums = cls(rows=rows, documents=dict(found["documents"]))
        for system, label, limbs in found["totals"]:
            sums.totals[system, label] = _summed(limbs)
        if found["resampled"] is not None:
            sums.resampled = PoissonSums(plan.resamples, plan.seed)
            drawn, limbs = found["resampled"]
            sums.resampled.rows, sums.resampled.sums = unpacked(drawn), _summed(limbs)
        for document, system, label, limbs in found["by document"]:
            sums.by_document[document, system, label] = _summed(limbs)
        return sums


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
    numbers: Int64Array = np.frombuffer(raw, dtype="<i8").astype(np.int64).reshape(shape)
    return numbers


def _summed(limbs: list[Any]) -> ExactSum:
    total = ExactSum()
    total.add_limbs(unpacked(limbs))
    return total
