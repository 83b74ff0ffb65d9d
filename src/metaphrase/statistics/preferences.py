"""Which of two systems' translations of one segment do people prefer?

The common coin of rankings (each ranking of five systems is ten preferences) and of direct assessment
(two scores far enough apart are one): what WMT's τ, segment consistency and annotator agreement read.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase.arrays import FloatArray, Int64Array, one_line
from metaphrase.errors import InputError
from metaphrase.statistics.checked_scores import (
    ids,
    indices,
    non_negative,
    score_matrix,
    score_vector,
)
from metaphrase.statistics.grouping import pairs_within


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Judgements of pairs: in ``segment``, ``judge`` compared the systems ``first`` and ``second``.

    ``order`` is 1 where the first is better, −1 where the second is, 0 for a tie. Systems and segments
    are the rows and columns of the metric's matrix of scores; judges are numbered from 0.
    """

    segment: Int64Array
    first: Int64Array
    second: Int64Array
    order: NDArray[np.int8]
    judge: Int64Array

    __repr__ = one_line

    def __post_init__(self) -> None:
        """Refuse columns that do not fit together."""
        length = np.shape(self.segment)[0] if np.ndim(self.segment) == 1 else 0
        for field in fields(self):
            name = field.name
            if name != "order":
                object.__setattr__(self, name, indices(getattr(self, name), name, length))
        order = score_vector(self.order, "order")
        if order.shape != (length,) or not np.isin(order, (-1, 0, 1)).all():
            raise InputError("MP704", "order must have a 1, 0 or −1 for each judgement.")
        if (self.first == self.second).any():
            raise InputError("MP704", "a system was compared with itself.")
        object.__setattr__(self, "order", order.astype(np.int8))

    def __len__(self) -> int:
        return int(self.segment.size)

    def select(self, chosen: ArrayLike) -> Preferences:
        """The judgements that a mask or an array of positions chooses."""
        rows = np.asarray(chosen)
        return Preferences(
            **{field.name: getattr(self, field.name)[rows] for field in fields(self)}
        )

    def metric_order(self, metric: ArrayLike) -> FloatArray:
        """How a metric's scores (systems, segments) order each pair: 1, 0, −1; NaN without a score."""
        scores = score_matrix(metric, "metric")
        systems, segments = scores.shape
        if len(self) > 0 and (
            max(int(self.first.max()), int(self.second.max())) >= systems
            or int(self.segment.max()) >= segments
        ):
            raise InputError(
                "MP705",
                f"a judgement names a system or segment outside the metric's {systems} × {segments}.",
                hint="Rows of the metric's scores are systems, columns are segments.",
            )
        first, second = scores[self.first, self.segment], scores[self.second, self.segment]
        return np.sign(first - second)


def from_rankings(
    *,
    ranking: ArrayLike,
    segment: ArrayLike,
    system: ArrayLike,
    rank: ArrayLike,
    judge: ArrayLike | None = None,
) -> Preferences:
    """All preferences that rankings imply, from one row per ranked system.

    Rows with the same label in ``ranking`` belong to one ranking; 1 is the best rank, equal ranks are a
    tie, NaN is a system shown but not ranked. k systems ranked make k(k − 1)/2 preferences; a
    system shown twice is not compared with itself.
    """
    ranks = score_vector(rank, "rank")
    rows = ranks.size
    label = ids(ranking, "ranking", rows)
    columns = {
        "segment": indices(segment, "segment", rows),
        "judge": np.zeros(rows, np.int64) if judge is None else ids(judge, "judge", rows),
    }
    for name, column in columns.items():
        leader = np.zeros(int(label.max(initial=-1)) + 1, dtype=np.int64)
        leader[label] = column
        if (leader[label] != column).any():
            raise InputError("MP704", f"one ranking has rows of more than one {name}.")
    systems = indices(system, "system", rows)
    order = np.argsort(label, kind="stable")
    order = order[~np.isnan(ranks[order])]
    left, right = _all_pairs(label[order])
    left, right = order[left], order[right]
    different = systems[left] != systems[right]
    left, right = left[different], right[different]
    return Preferences(
        segment=columns["segment"][left],
        first=systems[left],
        second=systems[right],
        order=np.sign(ranks[right] - ranks[left]).astype(np.int8),
        judge=columns["judge"][left],
    )


def relative_ranking(human: ArrayLike, *, threshold: float = 25.0) -> Preferences:
    """Direct assessment as relative ranking, daRR (Bojar, Graham and Kamran, WMT 2017).

    Two systems on one segment make a preference if their scores (systems, segments; on a scale of 100
    points) differ by at least ``threshold``; smaller differences are too uncertain to tell anything.
    """
    non_negative(threshold, "threshold")
    scores = score_matrix(human, "human")
    systems = max(scores.shape[0], 1)
    flat = scores.T.ravel()
    known = np.flatnonzero(~np.isnan(flat))
    left, right = _all_pairs(known // systems)
    left, right = known[left], known[right]
    difference = flat[left] - flat[right]
    decided = np.abs(difference) >= threshold
    left, right, difference = left[decided], right[decided], difference[decided]
    return Preferences(
        segment=left // systems,
        first=left % systems,
        second=right % systems,
        order=np.sign(difference).astype(np.int8),
        judge=np.zeros(left.size, dtype=np.int64),
    )


def _all_pairs(group: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Pairs of positions of one group, ordered by group and position."""
    pairs = list(pairs_within(group))
    if not pairs:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    left, right = (np.concatenate(side) for side in zip(*pairs, strict=True))
    order = np.lexsort((right, left))
    return left[order], right[order]
