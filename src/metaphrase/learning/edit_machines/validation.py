"""How an edit machine predicts scores of what it was not trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.errors import InputError
from metaphrase.learning.edit_machines.data import TrainingData
from metaphrase.learning.edit_machines.regression import Report
from metaphrase.learning.edit_machines.training import FitOptions, predictions, train_edit_machine
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.meta import pearson, spearman
from metaphrase.trained.edit_model import EditModel

#: Parts that segments are put together to: a few pairs have no correlation that means something.
SEGMENT_FOLDS = 10
#: A name, and places of rows.
Fold = tuple[str, NDArray[np.intp]]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How a model predicts pairs that it was not trained on."""

    group: str
    pairs: int
    pearson: float
    spearman: float
    mean_squared_error: float

    @classmethod
    def of(cls, group: str, predicted: FloatArray, targets: FloatArray) -> HeldOut:
        """Predictions beside what people said."""
        errors = targets - predicted
        correlations = pearson(predicted, targets), spearman(predicted, targets)
        return cls(group, len(targets), *correlations, float(np.mean(errors * errors)))


@dataclass(frozen=True, slots=True)
class Validation:
    """Each part that was held out, and all their pairs pooled, whatever model predicted them."""

    parts: tuple[HeldOut, ...]
    pooled: HeldOut


def cross_validate(
    model: EditModel,
    pairs: EditPairs,
    targets: FloatArray,
    folds: Sequence[Fold],
    *,
    options: FitOptions | None = None,
    threads: int = 1,
    report: Callable[[str], Report | None] | None = None,
) -> Validation:
    """Each fold's rows predicted by a model that was trained on the rows of all others.

    ``report`` is asked, by the name of a fold, whom to tell how far its training has come.
    """
    predicted = np.empty(len(pairs))
    for name, rows in folds:
        others = np.setdiff1d(np.arange(len(pairs)), rows)
        trained = train_edit_machine(
            model,
            chosen_pairs(pairs, others),
            targets[others],
            options=options,
            threads=threads,
            report=None if report is None else report(name),
        )
        predicted[rows] = predictions(trained, chosen_pairs(pairs, rows), threads=threads)
    every = np.sort(np.concatenate([rows for _, rows in folds]))
    return Validation(
        tuple(HeldOut.of(name, predicted[rows], targets[rows]) for name, rows in folds),
        HeldOut.of("all", predicted[every], targets[every]),
    )


def folds_by_group(data: TrainingData, by: str, folds: int | None = None) -> list[Fold]:
    """Names and rows of folds that no group is divided between, in the order of appearance.

    By default every language pair or set is a fold (round robin), and segments are put together to
    ``SEGMENT_FOLDS``. With ``folds``, so many of about equal size: groups are taken by size, and each goes to
    the smallest fold so far.
    """
    if folds is None and by == "segment":
        folds = SEGMENT_FOLDS
    members: dict[str, list[int]] = {}
    for row, label in enumerate(data.groups(by)):
        members.setdefault(label, []).append(row)
    if folds is None:
        parts = list(members.items())
    else:
        parts = [(f"fold {number + 1}", []) for number in range(min(folds, len(members)))]
        for rows in sorted(members.values(), key=len, reverse=True):
            min(parts, key=lambda part: len(part[1]))[1].extend(rows)
    if len(parts) < 2:
        raise InputError(
            "MP635",
            f"all {len(data)} rows are of one {by}, so there is nothing to hold out.",
            hint="Give data of several, or group by segment.",
        )
    return [(name, np.array(sorted(rows), dtype=np.intp)) for name, rows in parts]


def chosen_pairs(pairs: EditPairs, rows: NDArray[np.intp]) -> EditPairs:
    """Some of the pairs, in the order of ``rows``."""
    substitutions = _chosen(pairs.substitution_offsets, pairs.substitutions, rows)
    dependencies = _chosen(pairs.dependency_offsets, pairs.dependencies, rows)
    lengths = pairs.reference_lengths[rows], pairs.hypothesis_lengths[rows]
    return EditPairs(*lengths, *substitutions, *dependencies)


def _chosen(
    offsets: Int64Array, table: Int32Array, rows: NDArray[np.intp]
) -> tuple[Int64Array, Int32Array]:
    counts = np.diff(offsets)[rows]
    chosen = np.concatenate(([0], np.cumsum(counts)))
    places = np.repeat(offsets[:-1][rows] - chosen[:-1], counts) + np.arange(chosen[-1])
    return chosen, table[places]
