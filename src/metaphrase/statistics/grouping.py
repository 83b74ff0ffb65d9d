"""Which cells of the two matrices are compared with each other, and how groups are averaged.

``none`` pools all cells into one group; ``segment`` compares the systems of one segment with each other
and ``system`` the segments of one system, and the mean over the groups is the result (as
mt-metrics-eval's ``average_by``). A cell takes part where both scores are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.statistics.checked_scores import (
    ids,
    matrix_pair,
    one_of,
    score_matrix,
    score_vector,
    vector_pair,
)

GroupBy = Literal["none", "segment", "system"]
Undefined = Literal["leave-out", "zero", "propagate"]
Aggregate = Literal["mean", "sum"]


@dataclass(frozen=True, slots=True)
class Groups:
    """Pairs of scores, group after group; ``group`` ascends and ``count`` says how many there are.

    Groups without a single pair of scores do not appear.
    """

    metric: FloatArray
    human: FloatArray
    group: Int64Array
    count: int

    def sizes(self) -> Int64Array:
        """How many pairs of scores each group has."""
        return np.bincount(self.group, minlength=self.count)

    def sums(self, values: FloatArray) -> FloatArray:
        """The sum of ``values`` in each group."""
        if self.count == 0:
            return np.zeros(0)
        starts = np.flatnonzero(np.diff(self.group, prepend=-1))
        # reduceat adds pairwise within a group, which bincount with weights would not.
        return np.add.reduceat(values, starts)


def one_group(metric: ArrayLike, human: ArrayLike) -> Groups:
    """Two vectors as a single group."""
    return _group(*vector_pair(metric, human), None)


def cells(
    metric: ArrayLike,
    human: ArrayLike,
    *,
    group_by: GroupBy = "none",
    documents: ArrayLike | None = None,
    aggregate: Aggregate = "mean",
) -> Groups:
    """The cells of two matrices (systems, segments) in groups.

    With ``documents``, one label per segment, the cells of a system in a document are first averaged
    (or summed) over those segments for which both sides have a score; ``segment`` then means document.
    """
    one_of(group_by, get_args(GroupBy), "group_by")
    metric, human = matrix_pair(metric, human)
    if documents is not None:
        unknown = np.isnan(metric) | np.isnan(human)
        metric, human = (
            document_scores(np.where(unknown, np.nan, scores), documents, aggregate=aggregate)
            for scores in (metric, human)
        )
    systems, segments = metric.shape
    if group_by == "segment":
        return _group(metric.T.ravel(), human.T.ravel(), np.repeat(np.arange(segments), systems))
    if group_by == "system":
        return _group(metric.ravel(), human.ravel(), np.repeat(np.arange(systems), segments))
    return _group(metric.ravel(), human.ravel(), None)


def document_scores(
    scores: ArrayLike, documents: ArrayLike, *, aggregate: Aggregate = "mean"
) -> FloatArray:
    """Scores (systems, documents) from scores (systems, segments): the mean or the sum of the known.

    Documents come in the order in which ``documents`` first names them; one without a known score is NaN.
    """
    one_of(aggregate, get_args(Aggregate), "aggregate")
    matrix = score_matrix(scores, "scores")
    document = ids(documents, "documents", matrix.shape[1])
    membership = np.zeros((matrix.shape[1], int(document.max(initial=-1)) + 1))
    membership[np.arange(document.size), document] = 1.0
    known = ~np.isnan(matrix)
    judged = known @ membership
    total = np.where(known, matrix, 0.0) @ membership
    divisor = judged if aggregate == "mean" else 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(judged > 0, total / divisor, np.nan)


def average(values: ArrayLike, *, undefined: Undefined = "leave-out") -> float:
    """The plain mean of coefficients, over groups or over language pairs.

    ``undefined`` says what a NaN among them does: it is left out, counts as 0, or makes the mean NaN.
    The mean of nothing is NaN.
    """
    one_of(undefined, get_args(Undefined), "undefined")
    vector = score_vector(values, "values")
    unknown = np.isnan(vector)
    if undefined == "leave-out":
        vector = vector[~unknown]
    elif undefined == "zero":
        vector = np.where(unknown, 0.0, vector)
    return float(vector.mean()) if vector.size > 0 else float("nan")


def group_average(
    values: FloatArray, groups: Groups, *, undefined: Undefined = "leave-out"
) -> float:
    """The mean over the groups of at least two pairs of scores; smaller ones compare nothing."""
    return average(values[groups.sizes() > 1], undefined=undefined)


def pairs_within(group: Int64Array) -> Iterator[tuple[Int64Array, Int64Array]]:
    """All pairs (i, j), i < j, of positions with the same group; ``group`` ascends.

    They come lag by lag, so that memory is one vector however many pairs there are.
    """
    largest = int(np.bincount(group).max(initial=0)) if group.size > 0 else 0
    left = np.arange(group.size)
    for lag in range(1, largest):
        # Positions whose group ends before this lag have no partner at longer ones either.
        left = left[: np.searchsorted(left, group.size - lag)]
        left = left[group[left] == group[left + lag]]
        yield left, left + lag


def _group(metric: FloatArray, human: FloatArray, group: Int64Array | None) -> Groups:
    known = ~(np.isnan(metric) | np.isnan(human))
    if group is None:
        number = np.zeros(int(known.sum()), dtype=np.int64)
    else:
        number = np.unique(group[known], return_inverse=True)[1].reshape(-1).astype(np.int64)
    return Groups(metric[known], human[known], number, int(number.max(initial=-1)) + 1)
