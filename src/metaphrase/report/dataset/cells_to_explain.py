"""Which segments say most about a metric's scores, if not all of them can be explained.

Three lists take turns until enough cells (a system's translation of a segment) are chosen:

- the worst segments of each system, one system after the other;
- the segments on which two systems differ most: of each, the lowest system, then the highest;
- the cells that the metric ranks otherwise than another metric, or people, do: largest difference of ranks.

Equal cells stand in the order of systems and segments, so that the same scores give the same choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray


def most_informative_cells(
    scores: FloatArray, rivals: Sequence[FloatArray], count: int
) -> list[int]:
    """At most ``count`` cells of ``scores``, as positions in the flattened matrix, most informative first.

    scores: (systems, segments), higher is better; cells that are NaN are never chosen
    rivals: what other metrics or people say about the same cells
    """
    lists = [_worst(scores), _contrasts(scores), _disagreements(scores, rivals)]
    chosen: dict[int, None] = {}
    turns: list[Iterator[int]] = [iter(cells.tolist()) for cells in lists]
    while turns and len(chosen) < count:
        for turn in list(turns):
            cell = next((cell for cell in turn if cell not in chosen), None)
            if cell is None:
                turns.remove(turn)
            elif len(chosen) < count:
                chosen[cell] = None
    return list(chosen)


def ranks(scores: FloatArray) -> FloatArray:
    """The rank of each cell among all, from 0 to 1; ties share their mean rank, NaN stays NaN."""
    known = ~np.isnan(scores)
    result = np.full(scores.shape, np.nan)
    _, place, size = np.unique(scores[known], return_inverse=True, return_counts=True)
    middle = np.cumsum(size) - (size + 1) / 2
    result[known] = (middle / max(int(known.sum()) - 1, 1))[place.ravel()]
    return result


def _worst(scores: FloatArray) -> NDArray[np.intp]:
    order = np.argsort(scores, axis=1, kind="stable")
    cells = order + np.arange(len(scores))[:, None] * scores.shape[1]
    flat = cells.T.ravel()
    return np.asarray(flat[~np.isnan(scores.ravel()[flat])])


def _contrasts(scores: FloatArray) -> NDArray[np.intp]:
    segments = scores.shape[1]
    known = np.flatnonzero(~np.isnan(scores).any(axis=0))
    lowest, highest = (pick(scores[:, known], axis=0) for pick in (np.argmin, np.argmax))
    spread = scores[highest, known] - scores[lowest, known]
    order = np.argsort(-spread, kind="stable")
    order = order[spread[order] > 0]
    pairs = np.stack([lowest[order], highest[order]], axis=1) * segments + known[order][:, None]
    return np.asarray(pairs.ravel())


def _disagreements(scores: FloatArray, rivals: Sequence[FloatArray]) -> NDArray[np.intp]:
    own = ranks(scores).ravel()
    largest = np.zeros(own.shape)
    for rival in rivals:
        difference = np.abs(own - ranks(rival).ravel())
        largest = np.fmax(largest, difference)  # what is NaN says nothing
    order = np.argsort(-largest, kind="stable")
    return order[(largest[order] > 0) & ~np.isnan(own[order])]
