"""The file of a pretrained encoder, made of the weights of a BERT.

Arrays have the names and shapes that they have in the library ``transformers`` (``BertModel``). What does not
change is added together: the vector of the one type of text goes into those of the positions, and the root by
which attention divides into the steps of queries.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase._core import encoder as core
from metaphrase.errors import InputError
from metaphrase.learning.piece_characters import character_table
from metaphrase.trained.pretrained_encoder import PretrainedShape

Weights = NDArray[np.float64]

UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
#: No step and no other number of a file may be larger (src/core/encoder/pretrained_file.hpp).
_LARGEST_STEP, _LARGEST = 1.0, 1000.0
_LARGEST_BYTE = 127
_MOST_PIECES, _LONGEST_PIECE = 1 << 20, 255
#: Four rows and 16 columns lie together, see src/core/base/panel_sums.hpp.
_PANEL, _ROWS = 16, 4


def pretrained_content(
    arrays: Mapping[str, ArrayLike],
    shape: PretrainedShape,
    *,
    pieces: Sequence[str],
    licence: str,
    about: str = "",
) -> bytes:
    """A file that :meth:`metaphrase.trained.pretrained_encoder.PretrainedEncoder.open` opens.

    ``pieces`` are the vocabulary, in the order of the rows of the embeddings; among them are ``[UNK]``,
    ``[CLS]`` and ``[SEP]``.
    """
    sizes = asdict(shape)
    if any(not 0 <= size < 1 << 32 for size in sizes.values()) or not core.computable(**sizes):
        raise _misfit(
            f"there is no encoder of {shape}",
            "The width and the inner width are multiples of 32 and at most 1024 and 2048, a head has a "
            "multiple of 16 numbers, at most 512, and there are 8 to 4096 positions.",
        )
    numbers = {piece: number for number, piece in enumerate(pieces)}
    for mark in (UNKNOWN, BEGIN, END):
        if mark not in numbers:
            raise _misfit(f"the vocabulary has no {mark}")
    if "" in numbers:
        raise _misfit("a piece is empty")
    find = _WeightFinder(arrays)
    width, inner = shape.width, shape.inner
    marks = (numbers[mark] for mark in (UNKNOWN, BEGIN, END))
    table = character_table()
    lengths, letters = _spelled(pieces)
    rows, steps = _quantised(find("embeddings.word_embeddings.weight", len(pieces), width))
    positions = find("embeddings.position_embeddings.weight", shape.positions, width)
    types = find("embeddings.token_type_embeddings.weight", 2, width)
    sections = [
        struct.pack("<8I", *sizes.values(), *marks),
        *(text.encode() for text in (licence, about)),
        *(lengths, letters),
        table.starts.astype("<u4").tobytes(),
        table.kinds.tobytes(),
        table.from_.astype("<u4").tobytes(),
        table.lengths.tobytes(),
        table.to.astype("<u4").tobytes(),
        _floats(steps, _LARGEST_STEP),
        rows.tobytes(),
        _floats(positions + types[0]),
        *_norm(find, "embeddings.LayerNorm", width),
    ]
    for number in range(shape.layers):
        layer = f"encoder.layer.{number}"
        sections += [
            *_parts(find, f"{layer}.attention.self", shape),
            *_matrix(*_linear(find, f"{layer}.attention.output.dense", width, width)),
            *_norm(find, f"{layer}.attention.output.LayerNorm", width),
            *_matrix(*_linear(find, f"{layer}.intermediate.dense", inner, width)),
            *_matrix(*_linear(find, f"{layer}.output.dense", width, inner)),
            *_norm(find, f"{layer}.output.LayerNorm", width),
        ]
    return core.pretrained_file(b"".join(map(_section, sections)))


class _WeightFinder:
    """Arrays by name, of the shape that they should have."""

    def __init__(self, arrays: Mapping[str, ArrayLike]) -> None:
        self._arrays = arrays

    def __call__(self, name: str, *expected: int) -> Weights:
        """The array, whose numbers are all in range."""
        if name not in self._arrays:
            raise _misfit(f"there is no {name}")
        found = np.asarray(self._arrays[name], dtype=np.float64)
        if found.shape != expected:
            raise _misfit(f"{name} has the shape {found.shape} where {expected} is expected")
        if not (np.abs(found) <= _LARGEST).all():
            raise _misfit(f"{name} has a number that is not finite, or beyond measure")
        return found


def _spelled(pieces: Sequence[str]) -> list[bytes]:
    """Lengths and letters."""
    texts = [piece.encode() for piece in pieces]
    if len(texts) > _MOST_PIECES or any(len(text) > _LONGEST_PIECE for text in texts):
        raise _misfit("there are too many pieces, or one is too long")
    if len(set(texts)) != len(texts):
        raise _misfit("a piece comes twice")
    return [bytes(map(len, texts)), b"".join(texts)]


def _linear(find: _WeightFinder, name: str, outputs: int, inputs: int) -> tuple[Weights, Weights]:
    return find(f"{name}.weight", outputs, inputs), find(f"{name}.bias", outputs)


def _parts(find: _WeightFinder, name: str, shape: PretrainedShape) -> list[bytes]:
    """Queries, keys and values as one matrix."""
    width = shape.width
    query, key, value = (
        _linear(find, f"{name}.{part}", width, width) for part in ("query", "key", "value")
    )
    root = (width / shape.heads) ** -0.5
    weights = np.concatenate([query[0] * root, key[0], value[0]])
    return _matrix(weights, np.concatenate([query[1] * root, key[1], value[1]]))


def _norm(find: _WeightFinder, name: str, width: int) -> list[bytes]:
    return [_floats(find(f"{name}.{part}", width)) for part in ("weight", "bias")]


def _matrix(weights: Weights, bias: Weights) -> list[bytes]:
    outputs, inputs = weights.shape
    whole, steps = _quantised(weights)
    panels = whole.reshape(outputs // _PANEL, _PANEL, inputs // _ROWS, _ROWS).transpose(0, 2, 1, 3)
    return [panels.tobytes(), _floats(steps, _LARGEST_STEP), _floats(bias)]


def _quantised(rows: Weights) -> tuple[NDArray[np.int8], Weights]:
    """Bytes, and what one unit of each row is worth; rows of zeros have a step as well."""
    largest = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-6)
    # As the reader will find it, so that units are counted in what they will be worth.
    steps = (largest / _LARGEST_BYTE).astype(np.float32).astype(np.float64)
    whole = np.clip(np.rint(rows / steps[:, None]), -_LARGEST_BYTE, _LARGEST_BYTE)
    return whole.astype(np.int8), steps


def _floats(values: Weights, largest: float = _LARGEST) -> bytes:
    if not (np.abs(values) <= largest).all():
        raise _misfit("a number is beyond measure once factors are folded into it")
    return values.astype("<f4").tobytes()


def _section(content: bytes) -> bytes:
    """With its length, padded."""
    return struct.pack("<I", len(content)) + content + bytes(-len(content) % 4)


def _misfit(
    reason: str, hint: str = "The names and shapes are those of BertModel in transformers."
) -> InputError:
    return InputError("MP696", f"The encoder cannot be written: {reason}.", hint=hint)
