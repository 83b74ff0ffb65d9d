"""exp, log and powers of arrays that are the same bits on every machine.

NumPy's own depend on the processor (those of AVX-512 round otherwise than the others), and those of ``math``
on the C library. These are ours (``src/core/base/elementary.hpp``): the double nearest to the true value, or
as good as. Whatever is in a score goes through them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import elementary as _core
from metaphrase.arrays import FloatArray


def exp(values: ArrayLike) -> FloatArray:
    """E to the power of each value.

    >>> exp([0.0, 1.0]).tolist()
    [1.0, 2.718281828459045]
    """
    return _of_each(_core.exp, values)


def log(values: ArrayLike) -> FloatArray:
    """The natural logarithm of each value; minus infinity for 0.

    >>> log([1, 10]).tolist()
    [0.0, 2.302585092994046]
    """
    return _of_each(_core.log, values)


def power(values: ArrayLike, exponent: float) -> FloatArray:
    """Each value, which is at least 0, to the same power.

    >>> power([0.25, 4.0], 0.5).tolist()
    [0.5, 2.0]
    """
    return _of_each(lambda flat: _core.power(flat, exponent), values)


def _of_each(function: Callable[[FloatArray], FloatArray], values: ArrayLike) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    return function(np.ascontiguousarray(array).reshape(-1)).reshape(array.shape)
