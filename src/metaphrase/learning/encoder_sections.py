"""Sections of the files of encoders: weights as bytes with steps, floats, the pieces of words."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase.errors import InputError

Weights = NDArray[np.float64]

_LARGEST_BYTE = 127
_LONGEST_PIECE = 255


class WeightFinder:
    """Arrays by name, of the shape that they should have."""

    def __init__(self, arrays: Mapping[str, ArrayLike], largest: float) -> None:
        self._arrays = arrays
        self._largest = largest

    def __call__(self, name: str, *expected: int) -> Weights:
        """The array, whose numbers are all in range."""
        if name not in self._arrays:
            raise misfit(f"there is no {name}")
        found = np.asarray(self._arrays[name], dtype=np.float64)
        if found.shape != expected:
            raise misfit(f"{name} has the shape {found.shape} where {expected} is expected")
        if not (np.abs(found) <= self._largest).all():
            raise misfit(f"{name} has a number that is not finite, or beyond measure")
        return found


def piece_sections(
    pieces: Sequence[str], rows: Weights, *, most: int, largest_step: float = 1e6
) -> list[bytes]:
    """Lengths, letters, steps and bytes of the pieces that are not empty."""
    kept = [number for number, piece in enumerate(pieces) if piece]
    texts = [pieces[number].encode() for number in kept]
    if len(texts) > most or any(len(text) > _LONGEST_PIECE for text in texts):
        raise misfit("there are too many pieces, or one is too long")
    if len(set(texts)) != len(texts):
        raise misfit("a piece comes twice")
    whole, steps = quantised_rows(rows[kept])
    return [
        bytes(map(len, texts)),
        b"".join(texts),
        float_section(steps, largest_step),
        whole.tobytes(),
    ]


def quantised_rows(rows: Weights) -> tuple[NDArray[np.int8], Weights]:
    """Bytes, and what one unit of each row is worth; rows of zeros have a step as well."""
    largest = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-6)
    # As the reader will find it, so that units are counted in what they will be worth.
    steps = (largest / _LARGEST_BYTE).astype(np.float32).astype(np.float64)
    whole = np.clip(np.rint(rows / steps[:, None]), -_LARGEST_BYTE, _LARGEST_BYTE)
    return whole.astype(np.int8), steps


def float_section(values: Weights, largest: float = 1e6) -> bytes:
    """No number of a file may be larger."""
    if not (np.abs(values) <= largest).all():
        raise misfit("a number is beyond measure once factors are folded into it")
    return values.astype("<f4").tobytes()


def section(content: bytes) -> bytes:
    """With its length, padded."""
    return struct.pack("<I", len(content)) + content + bytes(-len(content) % 4)


def misfit(
    reason: str, hint: str = "See metaphrase.learning.encoder_file and pretrained_file."
) -> InputError:
    """Weights that cannot be written."""
    return InputError("MP696", f"The encoder cannot be written: {reason}.", hint=hint)
