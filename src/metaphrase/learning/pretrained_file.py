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
from numpy.typing import ArrayLike

from metaphrase._core import encoder as core
from metaphrase.learning.encoder_sections import (
    WeightFinder,
    Weights,
    float_section,
    misfit,
    piece_sections,
    quantised_rows,
    section,
)
from metaphrase.learning.piece_characters import character_table
from metaphrase.trained.pretrained_encoder import PretrainedShape

UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
#: No step and no other number of a file may be larger (src/core/encoder/pretrained_file.hpp).
_LARGEST_STEP, _LARGEST = 1.0, 1000.0
_MOST_PIECES = 1 << 20
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
        raise misfit(
            f"there is no encoder of {shape}",
            "The width and the inner width are multiples of 32 and at most 1024 and 2048, a head has a "
            "multiple of 16 numbers, at most 512, and there are 8 to 4096 positions.",
        )
    numbers = {piece: number for number, piece in enumerate(pieces)}
    for mark in (UNKNOWN, BEGIN, END):
        if mark not in numbers:
            raise misfit(f"the vocabulary has no {mark}")
    if "" in numbers:
        raise misfit("a piece is empty")
    find = WeightFinder(arrays, _LARGEST)
    width, inner = shape.width, shape.inner
    marks = (numbers[mark] for mark in (UNKNOWN, BEGIN, END))
    table = character_table()
    lengths, letters, steps, rows = piece_sections(
        pieces,
        find("embeddings.word_embeddings.weight", len(pieces), width),
        most=_MOST_PIECES,
        largest_step=_LARGEST_STEP,
    )
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
        *(steps, rows),
        float_section(positions + types[0], _LARGEST),
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
    return core.pretrained_file(b"".join(map(section, sections)))


def _linear(find: WeightFinder, name: str, outputs: int, inputs: int) -> tuple[Weights, Weights]:
    return find(f"{name}.weight", outputs, inputs), find(f"{name}.bias", outputs)


def _parts(find: WeightFinder, name: str, shape: PretrainedShape) -> list[bytes]:
    """Queries, keys and values as one matrix."""
    width = shape.width
    query, key, value = (
        _linear(find, f"{name}.{part}", width, width) for part in ("query", "key", "value")
    )
    root = (width / shape.heads) ** -0.5
    weights = np.concatenate([query[0] * root, key[0], value[0]])
    return _matrix(weights, np.concatenate([query[1] * root, key[1], value[1]]))


def _norm(find: WeightFinder, name: str, width: int) -> list[bytes]:
    return [float_section(find(f"{name}.{part}", width), _LARGEST) for part in ("weight", "bias")]


def _matrix(weights: Weights, bias: Weights) -> list[bytes]:
    outputs, inputs = weights.shape
    whole, steps = quantised_rows(weights)
    panels = whole.reshape(outputs // _PANEL, _PANEL, inputs // _ROWS, _ROWS).transpose(0, 2, 1, 3)
    return [panels.tobytes(), float_section(steps, _LARGEST_STEP), float_section(bias, _LARGEST)]
