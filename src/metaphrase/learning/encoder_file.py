"""The file of an encoder, made of the weights of a trained network.

Arrays have the names and shapes that they have in ``training/encoder/network.py``:

=============================  ==========================================================
``words.vector.weight``        (width, dimension), for word vectors of length 1
``words.piece.weight``         (pieces, width)
``words.case.weight``          (4, width)
``near.weight``                (2 distance + 1, heads), from far before to far behind
``layers.N.before.weight``     (width): the gain of the norm before attention
``layers.N.attend.weight``     (3 width, width): queries, keys and values; and ``.bias``
``layers.N.join.weight``       (width, width); and ``.bias``
``layers.N.between.weight``    (width): the gain of the norm before words look at themselves
``layers.N.inner.weight``      (inner, width); and ``.bias``
``layers.N.outer.weight``      (width, inner); and ``.bias``
``norm.weight``                (width): the gain of the last norm
``head.weight``                (size + 2, width): the vector, importance and oddness; and ``.bias``
=============================  ==========================================================

Whatever is only a factor is folded into the steps of matrices: gains of norms, the root of a head's size
by which attention divides, and the constant by which words enter.
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
from metaphrase.trained.encoder import EncoderShape

#: Cases of a word (:func:`metaphrase.trained.encoder.case_of`).
_CASES = 4
#: No number of a file may be larger (src/core/encoder/encoder_file.hpp).
_LARGEST = 1e6
#: Two rows and 16 columns lie together, see src/core/base/panel_sums.hpp; rows are padded to eight.
_PANEL, _LANES = 16, 8
_MOST_PIECES = 1 << 16


def encoder_content(
    arrays: Mapping[str, ArrayLike],
    shape: EncoderShape,
    *,
    pieces: Sequence[str],
    vectors: str,
    licence: str,
    about: str = "",
    factor: float = 1.0,
) -> bytes:
    """A file that :meth:`metaphrase.trained.encoder.Encoder.open` opens.

    ``pieces`` are those of the rows of ``words.piece.weight``; an empty one stands for nothing and is left
    out. ``vectors`` is the fingerprint of the word vectors, and ``factor`` the constant that words are
    multiplied with as they enter.
    """
    sizes = asdict(shape)
    if any(not 0 <= size < 1 << 32 for size in sizes.values()) or not core.possible(**sizes):
        raise misfit(
            f"there is no encoder of {shape}",
            "The width and the inner width are multiples of 32 and at most 1024 and 2048, and a head "
            "has a multiple of 16 numbers, at most 512.",
        )
    find = WeightFinder(arrays, _LARGEST)
    width, inner = shape.width, shape.inner
    sections = [struct.pack("<7I", *sizes.values())]
    sections += [text.encode() for text in (vectors, licence, about)]
    sections += piece_sections(
        pieces, factor * find("words.piece.weight", len(pieces), width), most=_MOST_PIECES
    )
    sections.append(float_section(factor * find("words.case.weight", _CASES, width)))
    sections += _matrix(factor * find("words.vector.weight", width, shape.dimension))
    sections.append(float_section(find("near.weight", 2 * shape.distance + 1, shape.heads)))
    # Attention divides its scores by the root of a head's size.
    divided = np.ones(3 * width)
    divided[:width] = (width / shape.heads) ** -0.5
    for number in range(shape.layers):
        name = f"layers.{number}"
        for part, gain, rows, columns, scale in (
            ("attend", "before", 3 * width, width, divided),
            ("join", None, width, width, None),
            ("inner", "between", inner, width, None),
            ("outer", None, width, inner, None),
        ):
            weights = find(f"{name}.{part}.weight", rows, columns)
            bias = find(f"{name}.{part}.bias", rows)
            if gain is not None:
                weights = weights * find(f"{name}.{gain}.weight", columns)
            if scale is not None:
                weights, bias = weights * scale[:, None], bias * scale
            sections += _matrix(weights, bias)
    outputs = shape.size + 2
    head = find("head.weight", outputs, width) * find("norm.weight", width)
    sections += _matrix(head, find("head.bias", outputs))
    return core.file(b"".join(map(section, sections)))


def _matrix(weights: Weights, bias: Weights | None = None) -> list[bytes]:
    """A matrix with a row for each output, as panels: see src/core/encoder/byte_matrix.hpp."""
    outputs, inputs = weights.shape
    columns = -(-outputs // _PANEL) * _PANEL
    whole, steps = quantised_rows(weights)
    padded = np.zeros((columns, -(-inputs // _LANES) * _LANES), dtype=np.int8)
    padded[:outputs, :inputs] = whole
    panels = padded.reshape(columns // _PANEL, _PANEL, -1, 2).transpose(0, 2, 1, 3)
    of_columns = np.zeros((2, columns))
    of_columns[0, :outputs] = steps
    if bias is not None:
        of_columns[1, :outputs] = bias
    return [panels.tobytes(), *map(float_section, of_columns)]
