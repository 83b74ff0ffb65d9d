"""How far apart the numbers of two outputs are, where their bytes differ."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from pathlib import Path


def numbers(value: object) -> Iterator[float]:
    """All numbers in a JSON value, in the order of the file."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from numbers(each)
    elif isinstance(value, float | int) and not isinstance(value, bool):
        yield float(value)


def units_apart(one: float, other: float) -> int:
    """How many doubles lie between two of them."""
    return abs(_place(one) - _place(other))


def _place(value: float) -> int:
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return bits if bits >= 0 else -(bits & (2**63 - 1))


def compare_folders(one: Path, other: Path) -> int:
    """Print what differs between two folders of outputs, and by how much; 1 if anything does."""
    differing = shared = 0
    for path in sorted(one.glob("*.json")):
        twin = other / path.name
        if not twin.exists():
            continue
        shared += 1
        if path.read_bytes() == twin.read_bytes():
            continue
        differing += 1
        pair = [list(numbers(json.loads(p.read_bytes()))) for p in (path, twin)]
        if len(pair[0]) != len(pair[1]):
            print(f"{path.stem}: there are {len(pair[0])} numbers and {len(pair[1])}")
            continue
        apart = [(a, b) for a, b in zip(*pair, strict=True) if a != b]
        units = max((units_apart(a, b) for a, b in apart), default=0)
        size = max((abs(a - b) for a, b in apart), default=math.nan)
        print(
            f"{path.stem}: {len(apart)} of {len(pair[0])} numbers, by {units} units in the last place"
            f" or {size:.2g} at most"
        )
    print(f"{shared - differing} of {shared} outputs are equal.")
    return 1 if differing else 0
