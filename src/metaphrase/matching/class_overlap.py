"""The transportation problem in closed form, where similarity means membership in one class.

If s_ij = 1 when i and j belong to the same class and 0 otherwise, the classes are separate problems
in which everything is equally similar, and the optimum is

    sum over classes g of  min(weight of g on the left, weight of g on the right).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase.errors import InputError
from metaphrase.matching.checked_array import vector


def class_overlap(
    left_classes: ArrayLike,
    left_weights: ArrayLike,
    right_classes: ArrayLike,
    right_weights: ArrayLike,
) -> float:
    """The matched weight of two bags; classes are integers, repeated ones add up.

    >>> class_overlap([1, 1, 2], [1.0, 1.0, 0.1], [1, 3], [1.5, 1.0])
    1.5
    """
    left = vector(left_classes, np.int64, "left_classes")
    right = vector(right_classes, np.int64, "right_classes")
    overlap = class_overlap_batch(
        left, left_weights, [0, len(left)], right, right_weights, [0, len(right)]
    )
    return float(overlap[0])


def class_overlap_batch(
    left_classes: ArrayLike,
    left_weights: ArrayLike,
    left_offsets: ArrayLike,
    right_classes: ArrayLike,
    right_weights: ArrayLike,
    right_offsets: ArrayLike,
) -> NDArray[np.float64]:
    """Overlaps of many pairs; on each side pair ``p`` is ``[offsets[p] : offsets[p + 1]]``."""
    left, left_weight, left_pair = _side(left_classes, left_weights, left_offsets, "left")
    right, right_weight, right_pair = _side(right_classes, right_weights, right_offsets, "right")
    pairs = len(np.asarray(left_offsets)) - 1
    if pairs != len(np.asarray(right_offsets)) - 1:
        raise InputError("MP406", "left_offsets and right_offsets must be equally long.")
    names, dense = np.unique(np.concatenate([left, right]), return_inverse=True)
    # One number per (pair, class); both factors are below 2^31, so the product fits.
    keys = np.concatenate([left_pair, right_pair]) * len(names) + dense
    groups, group = np.unique(keys, return_inverse=True)
    on_left = np.bincount(group[: len(left)], weights=left_weight, minlength=len(groups))
    on_right = np.bincount(group[len(left) :], weights=right_weight, minlength=len(groups))
    matched = np.minimum(on_left, on_right)
    overlap = np.bincount(groups // max(len(names), 1), weights=matched, minlength=pairs)
    return overlap.astype(np.float64)  # NumPy counts in integers where there is nothing to weigh


def _side(
    classes: ArrayLike, weights: ArrayLike, offsets: ArrayLike, side: str
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    ids = vector(classes, np.int64, f"{side}_classes")
    weight = vector(weights, np.float64, f"{side}_weights")
    bounds = vector(offsets, np.int64, f"{side}_offsets")
    if len(ids) != len(weight):
        raise InputError("MP406", f"There are {len(ids)} {side} classes for {len(weight)} weights.")
    lengths = np.diff(bounds)
    if len(bounds) == 0 or bounds[0] != 0 or bounds[-1] != len(ids) or np.any(lengths < 0):
        raise InputError("MP406", f"{side}_offsets must rise from 0 to {len(ids)}.")
    if not np.all(np.isfinite(weight)) or np.any(weight < 0):
        raise InputError("MP402", f"{side}_weights must be finite and not negative.")
    return ids, weight, np.repeat(np.arange(len(lengths)), lengths)
