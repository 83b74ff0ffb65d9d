"""Makes cosines of vectors tell words apart: without what all words have in common.

Mu and Viswanath, All-but-the-Top (ICLR 2018): the mean and the first principal directions are taken away.
They are fitted on the rows given, which are those that ship: the rarest words of a collection, most of
them names, would draw the mean to themselves.
"""

from __future__ import annotations

import numpy as np
from training.vectors.glove import Vectors

DIRECTIONS = 2


def unit_rows(matrix: Vectors) -> Vectors:
    """Rows of length 1, the mean and the first two principal directions removed."""
    rows = matrix - matrix.mean(axis=0)
    _, directions = np.linalg.eigh(rows.T @ rows)
    first = directions[:, -DIRECTIONS:]
    rows -= rows @ first @ first.T
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
