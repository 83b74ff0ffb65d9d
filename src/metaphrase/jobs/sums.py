"""Exact sums of statistics over rows: of all, by document, and resampled; and what is in none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.jobs.packing import packed, summed, unpacked
from metaphrase.jobs.plan import Plan
from metaphrase.jobs.profile_sums import ProfileSums
from metaphrase.metrics.refusals import Refusal, Refusals
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.statistics.poisson_bootstrap import PoissonSums

#: A system and the label of a metric.
Key = tuple[str, str]
#: Refusals of a shard that are told; of the others there are only numbers, and rows without a score.
_TOLD = 100


@dataclass(slots=True)
class Sums:
    """Sums by system and metric.

    Rows that a metric refused are in none of its sums; a metric that refused all rows has no sums.
    """

    rows: int = 0
    totals: dict[Key, ExactSum] = field(default_factory=dict)
    #: Sums of resamples, side by side, and how many columns each system and metric has of them.
    resampled: PoissonSums | None = None
    widths: dict[Key, int] = field(default_factory=dict)
    #: Rows by document, and sums by document, system and metric.
    documents: dict[str, int] = field(default_factory=dict)
    by_document: dict[tuple[str, str, str], ExactSum] = field(default_factory=dict)
    #: Rows that metrics refused, by metric, and by metric and document; and which, as far as they are told.
    skipped: dict[str, int] = field(default_factory=dict)
    skipped_of: dict[tuple[str, str], int] = field(default_factory=dict)
    #: How many references rows have.
    reference_counts: set[int] = field(default_factory=set)
    refusals: list[Refusal] = field(default_factory=list)
    #: What points are lost by, by metric.
    profiles: dict[str, ProfileSums] = field(default_factory=dict)

    def add(
        self,
        statistics: Mapping[Key, FloatArray],
        documents: Sequence[str] | None,
        kept: Mapping[str, BoolArray],
        *,
        first: int,
        plan: Plan,
    ) -> None:
        """Add statistics of rows, from row ``first`` of the job on, which may belong to documents.

        ``kept`` says for each metric which rows it did not refuse.
        """
        for key, rows in statistics.items():
            if kept[key[1]].any():
                self.totals.setdefault(key, ExactSum()).add(rows[kept[key[1]]])
        if plan.resamples:
            self._widen({key: rows.shape[1] for key, rows in statistics.items()})
            self.resampled = self.resampled or PoissonSums(plan.resamples, plan.seed)
            columns = [
                _filled(rows, kept[key[1]], self.widths[key]) for key, rows in statistics.items()
            ]
            self.resampled.add(np.hstack(columns), first)
        if documents is not None:
            self._add_documents(statistics, documents, kept)
        self.rows += len(next(iter(kept.values())))

    def _add_documents(
        self,
        statistics: Mapping[Key, FloatArray],
        documents: Sequence[str],
        kept: Mapping[str, BoolArray],
    ) -> None:
        places: dict[str, list[int]] = {}
        for place, document in enumerate(documents):
            places.setdefault(document, []).append(place)
        for document, rows in places.items():
            self.documents[document] = self.documents.get(document, 0) + len(rows)
            for label, of_metric in kept.items():
                if refused := len(rows) - int(of_metric[rows].sum()):
                    before = self.skipped_of.get((label, document), 0)
                    self.skipped_of[label, document] = before + refused
            for key, all_rows in statistics.items():
                scored = np.array(rows)[kept[key[1]][rows]]
                if len(scored):
                    total = self.by_document.setdefault((document, *key), ExactSum())
                    total.add(all_rows[scored])

    def note(self, refusals: Refusals) -> None:
        """Remember what was refused, when all rows of a shard are there."""
        self.skipped = refusals.counts()
        self.refusals = refusals.found[:_TOLD]

    def merge(self, other: Sums) -> None:
        """Add the sums of other rows."""
        self.rows += other.rows
        for mine, theirs in (
            (self.documents, other.documents),
            (self.skipped, other.skipped),
            (self.skipped_of, other.skipped_of),
        ):
            _add_counts(mine, theirs)
        self.refusals += other.refusals
        self.reference_counts |= other.reference_counts
        for key, total in other.totals.items():
            self.totals.setdefault(key, ExactSum()).merge(total)
        for document_key, total in other.by_document.items():
            self.by_document.setdefault(document_key, ExactSum()).merge(total)
        for label, sums in other.profiles.items():
            if label in self.profiles:
                self.profiles[label].merge(sums)
            else:
                self.profiles[label] = sums
        if other.resampled is None:
            return
        self._widen(other.widths)
        other.resampled.sums = _widened(other.resampled.sums, other.widths, self.widths)
        if self.resampled is None:
            self.resampled = other.resampled
        else:
            self.resampled.merge(other.resampled)

    def _widen(self, widths: Mapping[Key, int]) -> None:
        """Make room for the columns of a metric that refused all rows so far."""
        wider = {key: max(width, self.widths.get(key, 0)) for key, width in widths.items()}
        if self.resampled is not None:
            self.resampled.sums = _widened(self.resampled.sums, self.widths, wider)
        self.widths = wider

    def resamples(self) -> dict[Key, FloatArray]:
        """Sums of the statistics of each resample that has any row, by system and metric."""
        if self.resampled is None:
            return {}
        ends = np.cumsum(list(self.widths.values()))[:-1]
        columns = np.split(self.resampled.value(), ends, axis=1)
        found = dict(zip(self.widths, columns, strict=True))
        # A resample may have drawn nothing but what a metric refused.
        return {
            key: sums[sums.any(axis=1)] if key[1] in self.skipped else sums
            for key, sums in found.items()
        }

    def as_dict(self) -> dict[str, Any]:
        """As JSON; arrays are packed."""
        drawn = self.resampled
        return {
            "totals": [[*key, packed(total.limbs)] for key, total in self.totals.items()],
            "resampled": None if drawn is None else [packed(drawn.rows), packed(drawn.sums.limbs)],
            "widths": [[*key, width] for key, width in self.widths.items()],
            "documents": self.documents,
            "by document": [[*key, packed(sum_.limbs)] for key, sum_ in self.by_document.items()],
            "skipped": self.skipped,
            "skipped of": [[*key, count] for key, count in self.skipped_of.items()],
            "references": sorted(self.reference_counts),
            "refusals": [refusal.as_dict() for refusal in self.refusals],
            "profiles": {label: sums.as_dict() for label, sums in self.profiles.items()},
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], rows: int, plan: Plan) -> Sums:
        """What :meth:`as_dict` gave."""
        sums = cls(
            rows=rows,
            documents=dict(found["documents"]),
            widths={(system, label): width for system, label, width in found["widths"]},
            skipped=dict(found["skipped"]),
            skipped_of={(label, name): count for label, name, count in found["skipped of"]},
            reference_counts=set(found.get("references", [plan.references])),
            refusals=[Refusal.from_dict(one) for one in found["refusals"]],
        )
        for system, label, limbs in found["totals"]:
            sums.totals[system, label] = summed(limbs)
        if found["resampled"] is not None:
            sums.resampled = PoissonSums(plan.resamples, plan.seed)
            drawn, limbs = found["resampled"]
            sums.resampled.rows, sums.resampled.sums = unpacked(drawn), summed(limbs)
        for label, of_metric in found.get("profiles", {}).items():
            sums.profiles[label] = ProfileSums.from_dict(of_metric, plan)
        for document, system, label, limbs in found["by document"]:
            sums.by_document[document, system, label] = summed(limbs)
        return sums


def _add_counts(mine: dict[Any, int], theirs: Mapping[Any, int]) -> None:
    for name, count in theirs.items():
        mine[name] = mine.get(name, 0) + count


def _filled(rows: FloatArray, kept: BoolArray, width: int) -> FloatArray:
    """The rows with 0 for what was refused, which adds nothing to any resample."""
    if kept.all():
        return rows
    return np.where(kept[:, None], rows, 0) if rows.shape[1] else np.zeros((len(rows), width))


def _widened(sums: ExactSum, widths: Mapping[Key, int], wider: Mapping[Key, int]) -> ExactSum:
    """The same with columns of 0 for whoever had none."""
    if list(widths.values()) == list(wider.values()):
        return sums
    columns = np.split(sums.limbs, np.cumsum(list(widths.values()))[:-1], axis=-1)
    shape = sums.limbs.shape[:-1]
    filled = [
        column if column.shape[-1] == width else np.zeros((*shape, width), dtype=np.int64)
        for column, width in zip(columns, wider.values(), strict=True)
    ]
    whole = ExactSum()
    whole.add_limbs(np.concatenate(filled, axis=-1))
    return whole
