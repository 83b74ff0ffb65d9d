"""Arrays as the kernels take them: contiguous, one type, one dimension; anything else is an error.

Ids may come in any integer type and weights in any real type; a fraction is never cut to an integer
and a negative number never wraps around.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase._core import RefusedInputError
from metaphrase.errors import InputError

Number = TypeVar("Number", np.float32, np.float64, np.int32, np.int64, np.uint8)


def vector(values: ArrayLike, dtype: type[Number], name: str) -> NDArray[Number]:
    """``values`` as a contiguous vector of ``dtype``."""
    return _array(values, dtype, name, dimensions=1)


def matrix(values: ArrayLike, dtype: type[Number], name: str) -> NDArray[Number]:
    """``values`` as a contiguous matrix of ``dtype``."""
    return _array(values, dtype, name, dimensions=2)


def _array(values: ArrayLike, dtype: type[Number], name: str, dimensions: int) -> NDArray[Number]:
    try:
        array: NDArray[Any] = np.asarray(values)
    except ValueError as error:
        raise InputError("MP401", f"{name} is not an array: {error}.") from error
    if array.ndim != dimensions:
        raise InputError(
            "MP401", f"{name} has {array.ndim} dimensions where {dimensions} are expected."
        )
    allowed = "biuf" if issubclass(dtype, np.floating) else "biu"
    # An empty list has no type of its own: NumPy calls it float64.
    if array.size > 0 and array.dtype.kind not in allowed:
        kind = "numbers" if issubclass(dtype, np.floating) else "integers"
        raise InputError("MP401", f"{name} holds {array.dtype} where {kind} are expected.")
    if array.size > 0 and not issubclass(dtype, np.floating) and array.dtype != dtype:
        limits = np.iinfo(dtype)
        if int(array.min()) < limits.min or int(array.max()) > limits.max:
            raise InputError("MP403", f"{name} holds a number that does not fit {limits.dtype}.")
    return np.ascontiguousarray(array, dtype=dtype)


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what the compiled core refuses into the package's own errors."""
    try:
        yield
    except RefusedInputError as refusal:
        error = InputError(refusal.code, refusal.message)
        error.row, error.fault = refusal.row, refusal.fault
        raise error from refusal
