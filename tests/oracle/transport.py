"""The transportation problem, written down as a linear program and given to HiGHS."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array


def transport_optimum(
    edges: Sequence[tuple[int, int, float]], supply: Sequence[float], demand: Sequence[float]
) -> float:
    """max sum s w, w >= 0, row sums <= supply, column sums <= demand."""
    if not edges:
        return 0.0
    rows, columns, similarities = map(np.array, zip(*edges, strict=True))
    variables = np.arange(len(edges))
    ones = np.ones(2 * len(edges))
    constraints = coo_array(
        (
            ones,
            (np.concatenate([rows, len(supply) + columns]), np.concatenate([variables, variables])),
        ),
        shape=(len(supply) + len(demand), len(edges)),
    )
    solution = linprog(
        -similarities.astype(float),
        A_ub=constraints.tocsr(),
        b_ub=np.concatenate([supply, demand]),
        method="highs",
    )
    assert solution.status == 0, solution.message
    return float(-solution.fun)
