"""Arrays of whole numbers, and exact sums, as they stand in manifests."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

from metaphrase.arrays import Int64Array
from metaphrase.statistics.exact_sum import ExactSum


def packed(numbers: Int64Array) -> list[Any]:
    """An array of whole numbers as JSON: its shape, and its bytes in base64."""
    data = zlib.compress(np.ascontiguousarray(numbers, dtype="<i8").tobytes(), 6)
    return [list(numbers.shape), base64.b64encode(data).decode()]


def unpacked(found: list[Any]) -> Int64Array:
    """What :func:`packed` gave."""
    shape, data = found
    size = 8 * int(np.prod(shape, dtype=np.int64))
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(base64.b64decode(data, validate=True), size + 1)
    if len(raw) != size:
        raise ValueError("the array has another size than it says")
    numbers: Int64Array = np.frombuffer(raw, dtype="<i8").astype(np.int64).reshape(shape)
    return numbers


def summed(limbs: list[Any]) -> ExactSum:
    """A sum of which :func:`packed` has the limbs."""
    total = ExactSum()
    total.add_limbs(unpacked(limbs))
    return total
