"""The types of arrays, by what they hold, how gaps are made in them and how tables of them are shown."""

from collections.abc import Mapping, Sized
from dataclasses import fields, is_dataclass
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]
Uint8Array = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

#: Entries of a column that one line has room for.
_SHOWN = 4


def spread(values: FloatArray, kept: BoolArray) -> FloatArray:
    """``values`` in the places that are ``kept``, and NaN in the others.

    >>> spread(np.array([2.0, 3.0]), np.array([True, False, True]))
    array([ 2., nan,  3.])
    """
    whole = np.full((len(kept), *values.shape[1:]), np.nan)
    whole[kept] = values
    return whole


def one_line(table: Any) -> str:
    """The ``repr`` of a dataclass of columns: short values as they are, of long columns how long they are.

    >>> from metaphrase.metrics import Predictions
    >>> Predictions(np.zeros(500), np.ones(500), coverage=0.9)
    <Predictions low[500] high[500] coverage=0.9>
    """
    names = [one.name for one in fields(table) if one.repr and not one.name.startswith("_")]
    parts = (_part(name, getattr(table, name)) for name in names)
    return f"<{type(table).__name__} {' '.join(filter(None, parts))}>"


def _part(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, np.ndarray):
        if value.ndim != 1 or len(value) > _SHOWN:
            return f"{name}[{'×'.join(map(str, value.shape))}]"
        value = value.tolist()
    elif isinstance(value, Mapping):
        value = list(value)
    elif isinstance(value, Sized) and not isinstance(value, str) and len(value) > _SHOWN:
        return f"{name}[{len(value)}]"
    elif is_dataclass(value):
        return f"{name}={type(value).__name__}"
    return f"{name}={' '.join(shortened(value).split())}"
