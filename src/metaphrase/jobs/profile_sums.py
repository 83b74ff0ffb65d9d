"""What points are lost by, in sums that shards can make by themselves: a profile that can be added up.

Rows of a sample, which belongs to the plan, are repaired wherever their shard is scored. What is kept of them
does not grow with the sample: exact sums of points, those of resamples whose draws are functions of seed,
resample and row, the largest differences of two systems, and counts of repairs. The sums of any cut into
shards are the same.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.corpus import Corpus
from metaphrase.jobs.packing import packed, summed, unpacked
from metaphrase.jobs.plan import Plan
from metaphrase.metrics import Metric
from metaphrase.scoring.repair_counts import RepairCounts
from metaphrase.scoring.repair_losses import LOSSES, Losses, losses
from metaphrase.scoring.repair_profile import sample_rows
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.statistics.poisson_bootstrap import ExchangedSums, PoissonSums
from metaphrase.statistics.resampling import RESAMPLES

#: Different repairs of a system that are counted: more than a sample of the usual size has.
MOST_REPAIRS = 50_000
#: Differences of two systems that are kept, the largest of either: if more make half of it, nobody counts on.
_LARGEST = 2_000
#: Columns of a system's sums: points by kind, the score and that of the reference.
WIDTH = len(LOSSES) + 2


@dataclass(slots=True)
class ProfileSums:
    """The sums of one metric: by system, side by side; of two systems also of their difference.

    A row that the metric refused is drawn like the others, and adds nothing.
    """

    systems: int
    resamples: int
    seed: int
    rows: int = 0
    totals: ExactSum = field(default_factory=ExactSum)
    #: How many segments have any of a kind, by system, and how many differ in a kind.
    touched: Int64Array = field(default_factory=lambda: np.zeros((0, len(LOSSES)), dtype=np.int64))
    counts: list[RepairCounts] = field(default_factory=list)
    documents: dict[str, int] = field(default_factory=dict)
    by_document: dict[str, ExactSum] = field(default_factory=dict)
    #: The sums of segment scores of all rows, and how many these are.
    all_rows: int = 0
    of_all: ExactSum = field(default_factory=ExactSum)
    resampled: PoissonSums = field(init=False)
    #: Of two systems: how much less the first one loses.
    exchanged: ExchangedSums = field(init=False)
    differing: int = 0
    largest: FloatArray = field(default_factory=lambda: np.zeros(0))
    smallest: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        self.touched = np.zeros((self.systems + 1, len(LOSSES)), dtype=np.int64)
        self.counts = [RepairCounts() for _ in range(self.systems)]
        self.resampled = PoissonSums(self.resamples, self.seed)
        self.exchanged = ExchangedSums(self.resamples, self.seed)

    def add_scores(self, scores: Sequence[FloatArray], kept: BoolArray) -> None:
        """Add segment scores of all rows by all systems."""
        if kept.any():
            self.of_all.add(np.column_stack(scores)[kept])
            self.all_rows += int(kept.sum())

    def add(
        self,
        found: Sequence[Losses],
        kept: BoolArray,
        first: int,
        documents: Sequence[str] | None,
    ) -> None:
        """Add what rows of the sample lose, from row ``first`` of the sample on, by system.

        There are losses of those that are ``kept``; ``documents`` are of these.
        """
        points = np.stack([one.points for one in found])
        columns = [np.column_stack([one.points, one.scores, one.maxima]) for one in found]
        rows = np.hstack(columns)
        difference = points[1] - points[0] if self.systems == 2 else np.zeros_like(points[0])
        whole = difference.sum(axis=1)
        self.rows += len(rows)
        if len(rows):
            self.totals.add(rows)
        self.touched[:-1] += np.count_nonzero(points, axis=1)
        self.touched[-1] += np.count_nonzero(difference, axis=0)
        self.differing += int(np.count_nonzero(whole))
        self._keep_largest(whole)
        for mine, one in zip(self.counts, found, strict=True):
            mine.merge(one.counts)
        everything = np.zeros((len(kept), 1 + rows.shape[1]))
        everything[kept] = np.column_stack([np.ones(len(rows)), rows])
        self.resampled.add(everything, first)
        exchanged = np.zeros((len(kept), 1))
        exchanged[kept, 0] = whole
        self.exchanged.add(exchanged, first)
        for document, row in zip(documents or (), rows, strict=documents is not None):
            self.documents[document] = self.documents.get(document, 0) + 1
            self.by_document.setdefault(document, ExactSum()).add(row[None])

    def merge(self, other: ProfileSums) -> None:
        """Add the sums of other rows."""
        for mine, theirs in (
            (self.totals, other.totals),
            (self.of_all, other.of_all),
        ):
            if not theirs.is_empty:
                mine.merge(theirs)
        self.rows += other.rows
        self.all_rows += other.all_rows
        self.touched = self.touched + other.touched
        self.differing += other.differing
        self._keep_largest(np.concatenate([other.largest, other.smallest]))
        for counts, others in zip(self.counts, other.counts, strict=True):
            counts.merge(others)
            if len(counts.found) > 4 * MOST_REPAIRS:
                counts.prune(MOST_REPAIRS)
        for drawn, others_drawn in (
            (self.resampled, other.resampled),
            (self.exchanged, other.exchanged),
        ):
            if not others_drawn.sums.is_empty:
                drawn.merge(others_drawn)
        for document, count in other.documents.items():
            self.documents[document] = self.documents.get(document, 0) + count
            self.by_document.setdefault(document, ExactSum()).merge(other.by_document[document])

    def _keep_largest(self, differences: FloatArray) -> None:
        """The first one's largest gains and the second one's, each of one sign and in order."""
        gains = np.concatenate([self.largest, differences[differences > 0]])
        losses_ = np.concatenate([self.smallest, differences[differences < 0]])
        self.largest = np.sort(gains)[::-1][:_LARGEST]
        self.smallest = np.sort(losses_)[:_LARGEST]

    def as_dict(self) -> dict[str, Any]:
        """As JSON; arrays are packed."""
        for counts in self.counts:
            counts.prune(MOST_REPAIRS)
        return {
            "rows": self.rows,
            "totals": _packed_sum(self.totals),
            "touched": packed(self.touched),
            "counts": [[_packed_text(list(one.rows())), one.missed] for one in self.counts],
            "documents": [
                [name, count, packed(self.by_document[name].limbs)]
                for name, count in self.documents.items()
            ],
            "all rows": self.all_rows,
            "of all": _packed_sum(self.of_all),
            "resampled": [packed(self.resampled.rows), _packed_sum(self.resampled.sums)],
            "exchanged": [packed(self.exchanged.rows), _packed_sum(self.exchanged.sums)],
            "differing": self.differing,
            "largest": packed(self.largest.view(np.int64)),
            "smallest": packed(self.smallest.view(np.int64)),
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], plan: Plan) -> ProfileSums:
        """What :meth:`as_dict` gave."""
        sums = for_plan(plan)
        sums.rows, sums.all_rows = found["rows"], found["all rows"]
        sums.differing = found["differing"]
        sums.totals, sums.of_all = _unpacked_sum(found["totals"]), _unpacked_sum(found["of all"])
        sums.touched = unpacked(found["touched"])
        sums.counts = [
            RepairCounts.from_rows(_unpacked_text(rows), missed) for rows, missed in found["counts"]
        ]
        for name, count, limbs in found["documents"]:
            sums.documents[name], sums.by_document[name] = count, summed(limbs)
        for drawn, (rows, limbs) in (
            (sums.resampled, found["resampled"]),
            (sums.exchanged, found["exchanged"]),
        ):
            drawn.rows, drawn.sums = unpacked(rows), _unpacked_sum(limbs)
        sums.largest = unpacked(found["largest"]).view(np.float64)
        sums.smallest = unpacked(found["smallest"]).view(np.float64)
        return sums


def for_plan(plan: Plan) -> ProfileSums:
    """Sums of no rows."""
    return ProfileSums(len(plan.systems), plan.resamples or RESAMPLES, plan.seed)


def add_rows(
    sums: ProfileSums,
    plan: Plan,
    metric: Metric,
    corpus: Corpus,
    scores: Sequence[FloatArray],
    kept: BoolArray,
    first: int,
    threads: int,
) -> None:
    """Add rows of the job, from row ``first`` on: the scores of all, and what those of the sample lose."""
    sums.add_scores(scores, kept)
    begin, rows = _sampled(plan, first, len(corpus))
    if not len(rows):
        return
    known = kept[rows]
    sample = corpus.select(rows[known].tolist()) if known.any() else None
    found = [
        _none() if sample is None else losses(metric, sample, system, threads=threads)
        for system in plan.systems
    ]
    documents = None
    if plan.documents and corpus.documents is not None:
        documents = [corpus.documents[row] for row in rows[known].tolist()]
    sums.add(found, known, begin, documents)


def _none() -> Losses:
    return Losses(np.zeros((0, len(LOSSES))), np.zeros(0), np.zeros(0), RepairCounts())


def _sampled(plan: Plan, first: int, rows: int) -> tuple[int, Int64Array]:
    """Which of some rows are in the sample, and the place of the first of them there."""
    if plan.profile >= plan.rows:
        return first, np.arange(rows)
    chosen = _sample(plan.rows, plan.profile, plan.seed)
    begin, end = np.searchsorted(chosen, [first, first + rows]).tolist()
    return begin, chosen[begin:end] - first


@lru_cache(maxsize=2)
def _sample(rows: int, segments: int, seed: int) -> Int64Array:
    return sample_rows(rows, segments, seed)


def _packed_sum(total: ExactSum) -> list[Any] | None:
    return None if total.is_empty else packed(total.limbs)


def _unpacked_sum(found: list[Any] | None) -> ExactSum:
    return ExactSum() if found is None else summed(found)


def _packed_text(content: Any) -> str:
    return base64.b64encode(
        zlib.compress(json.dumps(content, ensure_ascii=False).encode())
    ).decode()


def _unpacked_text(found: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(found, validate=True)))
