"""Two metrics' scores beside people's, packed group by group as the permutation kernels read them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from metaphrase.errors import InputError
from metaphrase.statistics.grouping import GroupBy

#: Sums of weighted pairs stay below this, so that twice a sum still fits a signed word.
_LARGEST_SUM = 1 << 61


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCells:
    """Cells that all three have scored. ``offsets`` says where groups begin and end.

    ``metric`` and ``rival`` are standardised, ``raw_metric`` and ``raw_rival`` are not.
    """

    metric: FloatArray
    rival: FloatArray
    human: FloatArray
    raw_metric: FloatArray
    raw_rival: FloatArray
    systems: Int32Array
    segments: Int32Array
    offsets: Int64Array

    @classmethod
    def of(
        cls,
        metric: ArrayLike,
        rival: ArrayLike,
        human: ArrayLike,
        *,
        group_by: GroupBy,
    ) -> JudgedCells:
        """Pack matrices (systems, segments); groups without a cell vanish."""
        matrices = [np.asarray(scores, dtype=np.float64) for scores in (metric, rival, human)]
        shapes = [matrix.shape for matrix in matrices]
        if matrices[0].ndim != 2 or len(set(shapes)) != 1:
            raise InputError(
                "MP751",
                f"metric, rival and human scores have shapes {', '.join(map(str, shapes))}.",
                hint="They must be three matrices (systems, segments) of one shape.",
            )
        if any(np.isinf(matrix).any() for matrix in matrices):
            raise InputError("MP703", "a score is infinite.", hint="NaN stands for no score.")
        judged = ~np.isnan(np.stack(matrices)).any(axis=0)
        systems, segments = np.nonzero(judged)
        keys = {"none": np.zeros_like(systems), "segment": segments, "system": systems}[group_by]
        order = np.argsort(keys, kind="stable")
        places = systems[order], segments[order]
        sizes = np.bincount(keys, minlength=1)
        raw_metric, raw_rival, judgements = (
            np.ascontiguousarray(matrix[places]) for matrix in matrices
        )
        return cls(
            standardised(raw_metric),
            standardised(raw_rival),
            judgements,
            raw_metric,
            raw_rival,
            places[0].astype(np.int32),
            places[1].astype(np.int32),
            np.concatenate([[0], np.cumsum(sizes[sizes > 0])]).astype(np.int64),
        )

    def units(self, swap: str) -> tuple[Int32Array, int]:
        """Each cell's unit of exchange, and how many units there are."""
        if swap == "cell":
            return np.arange(len(self.human), dtype=np.int32), max(len(self.human), 1)
        places = self.systems if swap == "system" else self.segments
        names, unit = np.unique(places, return_inverse=True)
        return unit.astype(np.int32), max(len(names), 1)

    def pairs(self) -> Int64Array:
        """The number of pairs in each group."""
        sizes = np.diff(self.offsets)
        return np.asarray(sizes * (sizes - 1) // 2)

    def pair_weights(self) -> tuple[Int64Array, int]:
        """Integer weights that give each group with pairs the same say, and the sum of all weighted pairs.

        They are exact (a common multiple of the numbers of pairs, divided by each) unless the multiple is
        astronomical; then they are rounded to about 40 bits.
        """
        pairs = [int(n) for n in self.pairs()]
        groups = sum(n > 0 for n in pairs)
        if groups == 0:
            return np.zeros(len(pairs), dtype=np.int64), 0
        multiple = math.lcm(*(n for n in pairs if n > 0))
        if multiple * groups > _LARGEST_SUM:
            multiple = _LARGEST_SUM // groups
        weights = np.array([multiple // n if n > 0 else 0 for n in pairs], dtype=np.int64)
        return weights, sum(n * int(w) for n, w in zip(pairs, weights, strict=True))

    def right_pairs(
        self,
        scores: FloatArray,
        epsilon: float | Literal["calibrated"],
        weights: Int64Array,
    ) -> list[BoolArray]:
        """Which pairs of each group ``scores`` has right; calibration chooses the smallest best ε."""
        differences: list[FloatArray] = []
        wanted: list[FloatArray] = []
        for begin, end in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            one, two = np.triu_indices(end - begin, 1)
            group, human = scores[begin:end], self.human[begin:end]
            differences.append(group[one] - group[two])
            wanted.append(np.sign(human[one] - human[two]))
        if epsilon == "calibrated":
            epsilon = _best_epsilon(differences, wanted, weights)
        return [
            np.where(np.abs(d) <= epsilon, 0.0, np.sign(d)) == w
            for d, w in zip(differences, wanted, strict=True)
        ]


def _best_epsilon(
    differences: list[FloatArray], wanted: list[FloatArray], weights: Int64Array
) -> float:
    """The smallest difference that, taken for a tie with all smaller ones, makes most pairs right."""
    if not differences:
        return 0.0
    weight = np.repeat(weights, [len(d) for d in differences])
    difference, order = np.concatenate(differences), np.concatenate(wanted)
    size = np.abs(difference)
    # Becoming a tie gains what people tie and loses what was ordered rightly; ties stay as they are.
    gain = np.where(order == 0, weight, np.where(np.sign(difference) == order, -weight, 0))
    places = np.argsort(size, kind="stable")
    places = places[size[places] > 0]
    sums = np.cumsum(gain[places])
    last = np.append(size[places][1:] != size[places][:-1], True) if len(places) else places
    sums, sizes = sums[last.astype(bool)], size[places][last.astype(bool)]
    return float(sizes[np.argmax(sums)]) if len(sums) and sums.max() > 0 else 0.0


def standardised(scores: FloatArray) -> FloatArray:
    """Mean 0 and, unless constant, deviation 1."""
    if len(scores) == 0:
        return scores
    centred = scores - scores.mean()
    deviation = scores.std()
    return np.ascontiguousarray(centred / deviation if deviation > 0 else centred)
