"""Scores as every measure takes them: float64, equal shapes, NaN for what was not judged or scored.

A wrong shape, a type that is not a number, an infinite score or an unknown option is an error with a
code. What cannot be computed from well-formed scores is not an error: the measures give NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import InputError, OptionError

#: No score may be larger in size, so that no square or sum of scores overflows.
LARGEST = 1e150
Choice = TypeVar("Choice", bound=str)


def score_vector(values: ArrayLike, name: str) -> FloatArray:
    """``values`` as a vector of scores."""
    return _scores(values, name, dimensions=1)


def score_matrix(values: ArrayLike, name: str) -> FloatArray:
    """``values`` as a matrix of scores (systems, segments)."""
    return _scores(values, name, dimensions=2)


def vector_pair(metric: ArrayLike, human: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two vectors of one length."""
    return _same_shape(score_vector(metric, "metric"), score_vector(human, "human"))


def matrix_pair(metric: ArrayLike, human: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two matrices (systems, segments) of one shape."""
    return _same_shape(score_matrix(metric, "metric"), score_matrix(human, "human"))


def ids(values: ArrayLike, name: str, length: int) -> Int64Array:
    """``values`` as ``length`` numbers from 0 upwards, equal where the (hashable) labels are equal.

    Numbers follow the order in which labels first appear.
    """
    labels = _array(values, name)
    if labels.ndim != 1 or labels.shape[0] != length:
        raise InputError(
            "MP701",
            f"{name} has the shape {labels.shape} where ({length},) is expected.",
            hint="Give one label per score, segment or judgement.",
        )
    numbers: dict[Any, int] = {}
    return np.array(
        [numbers.setdefault(label, len(numbers)) for label in labels.tolist()], dtype=np.int64
    )


def indices(values: ArrayLike, name: str, length: int) -> Int64Array:
    """``values`` as ``length`` row or column numbers, none negative."""
    array = _array(values, name)
    if array.ndim != 1 or array.shape[0] != length:
        raise InputError("MP701", f"{name} has the shape {array.shape}, not ({length},).")
    if array.size > 0 and array.dtype.kind not in "iu":
        raise InputError("MP702", f"{name} holds {array.dtype} where integers are expected.")
    if array.size > 0 and int(array.min()) < 0:
        raise InputError("MP705", f"{name} holds the negative number {int(array.min())}.")
    return array.astype(np.int64)


def one_of(value: Choice, allowed: Sequence[str], name: str) -> Choice:
    """``value``, which must be one of the words ``allowed``."""
    if value not in allowed:
        raise OptionError(
            "MP710", f"{name} is {value!r}.", hint=f"It is one of: {', '.join(allowed)}."
        )
    return value


def non_negative(value: float, name: str) -> float:
    """``value``, which must be a finite number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise OptionError("MP711", f"{name} is {value!r}; it must be a number.")
    if not isfinite(value) or value < 0:
        raise OptionError("MP711", f"{name} is {value}; it must be 0 or a larger finite number.")
    return float(value)


def _array(values: ArrayLike, name: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InputError("MP701", f"{name} is not a rectangular array: {error}.") from error


def _scores(values: ArrayLike, name: str, dimensions: int) -> FloatArray:
    array = _array(values, name)
    if array.ndim != dimensions:
        shape = "(systems, segments)" if dimensions == 2 else "one dimension"
        raise InputError(
            "MP701", f"{name} has {array.ndim} dimensions.", hint=f"Its shape must be {shape}."
        )
    if array.size > 0 and array.dtype.kind not in "biuf":
        raise InputError(
            "MP702",
            f"{name} holds {array.dtype} where numbers are expected.",
            hint="Write NaN for a score that is missing.",
        )
    scores = array.astype(np.float64)
    too_large = np.argwhere(np.abs(scores) > LARGEST)
    if too_large.size > 0:
        place = ", ".join(str(number) for number in too_large[0])
        raise InputError(
            "MP703",
            f"{name}[{place}] is infinite or beyond ±{LARGEST:g}.",
            hint="Write NaN to leave it out.",
        )
    return scores


def _same_shape(metric: FloatArray, human: FloatArray) -> tuple[FloatArray, FloatArray]:
    if metric.shape != human.shape:
        raise InputError(
            "MP701",
            f"metric has the shape {metric.shape} and human {human.shape}.",
            hint="Both need one score for each system and segment, NaN where there is none.",
        )
    return metric, human
