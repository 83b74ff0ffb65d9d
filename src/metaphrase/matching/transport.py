"""The transportation problem: the best way to match two weighted bags.

Given similarities s_ij >= 0 between the rows of one bag (weights a_i, the *supply*) and the columns
of another (weights b_j, the *demand*), find the plan w that solves the linear program

    maximise    sum_ij s_ij w_ij
    subject to  sum_j w_ij <= a_i  for every row i,
                sum_i w_ij <= b_j  for every column j,
                w_ij >= 0.

Weight may stay unmatched on both sides. The solver is exact (``src/core/bags/transport.hpp``): it
computes in integers, so that it needs neither tolerances nor a limit on iterations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import transport as _core
from metaphrase.arrays import FloatArray, Int32Array, Int64Array, one_line
from metaphrase.errors import InputError
from metaphrase.matching.checked_array import matrix, refusals, vector
from metaphrase.threads import check_threads

#: A dense matrix, or edges ``(rows, columns, values)``; what is not listed has similarity 0.
Similarities = ArrayLike | tuple[ArrayLike, ArrayLike, ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """An optimal plan: its ``value`` and, edge by edge, the positive flows that make it up."""

    value: float
    rows: Int32Array
    columns: Int32Array
    flow: FloatArray

    __repr__ = one_line


@dataclass(frozen=True, slots=True, eq=False)
class TransportProblems:
    """Many problems in flat arrays.

    Problem ``p`` has the edges ``edge_offsets[p]`` to ``edge_offsets[p + 1] - 1``: each joins a row
    and a column, counted from 0 within the problem. Its supply and demand are found likewise.
    """

    edge_offsets: Int64Array
    rows: Int32Array
    columns: Int32Array
    similarities: FloatArray
    supply_offsets: Int64Array
    supply: FloatArray
    demand_offsets: Int64Array
    demand: FloatArray

    __repr__ = one_line

    @classmethod
    def pack(
        cls, problems: Iterable[tuple[Similarities, ArrayLike, ArrayLike]]
    ) -> TransportProblems:
        """Concatenate ``(similarities, supply, demand)``, each as :func:`transport` takes them."""
        edges, supplies, demands = [], [], []
        for similarities, supply, demand in problems:
            supplies.append(vector(supply, np.float64, "supply"))
            demands.append(vector(demand, np.float64, "demand"))
            edges.append(_edges(similarities, len(supplies[-1]), len(demands[-1])))
        rows, columns, values = zip(*edges, strict=True) if edges else ((), (), ())
        return cls(
            edge_offsets=_offsets(rows),
            rows=np.concatenate([*rows, np.empty(0, np.int32)]),
            columns=np.concatenate([*columns, np.empty(0, np.int32)]),
            similarities=np.concatenate([*values, np.empty(0)]),
            supply_offsets=_offsets(supplies),
            supply=np.concatenate([*supplies, np.empty(0)]),
            demand_offsets=_offsets(demands),
            demand=np.concatenate([*demands, np.empty(0)]),
        )

    def __len__(self) -> int:
        return len(self.edge_offsets) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Solutions:
    """The optima, one a problem, and the flow of each edge if it was asked for."""

    values: FloatArray
    flow: FloatArray | None

    __repr__ = one_line


def transport(similarities: Similarities, supply: ArrayLike, demand: ArrayLike) -> Plan:
    """Solve one problem; the linear program is at the head of this module.

    >>> plan = transport([[1.0, 0.5], [0.5, 0.0]], supply=[1.0, 1.0], demand=[1.0, 1.0])
    >>> plan.value
    1.0
    """
    problems = TransportProblems.pack([(similarities, supply, demand)])
    solutions = transport_batch(problems, flows=True)
    assert solutions.flow is not None
    used = np.flatnonzero(solutions.flow)
    return Plan(
        value=float(solutions.values[0]),
        rows=problems.rows[used],
        columns=problems.columns[used],
        flow=solutions.flow[used],
    )


def transport_batch(
    problems: TransportProblems, *, threads: int = 1, flows: bool = False
) -> Solutions:
    """Solve many problems at once, the interpreter lock released."""
    arrays = (
        vector(problems.edge_offsets, np.int64, "edge_offsets"),
        vector(problems.rows, np.int32, "rows"),
        vector(problems.columns, np.int32, "columns"),
        vector(problems.similarities, np.float64, "similarities"),
        vector(problems.supply_offsets, np.int64, "supply_offsets"),
        vector(problems.supply, np.float64, "supply"),
        vector(problems.demand_offsets, np.int64, "demand_offsets"),
        vector(problems.demand, np.float64, "demand"),
    )
    with refusals():
        values, flow = _core.solve(_core.Problems(*arrays), check_threads(threads), bool(flows))
    return Solutions(values, flow)


def _edges(
    similarities: Similarities, rows: int, columns: int
) -> tuple[Int32Array, Int32Array, FloatArray]:
    if isinstance(similarities, tuple):
        if len(similarities) != 3:
            raise InputError("MP401", "Edges are a tuple of three arrays: rows, columns, values.")
        row, column, values = similarities
        return (
            vector(row, np.int32, "rows"),
            vector(column, np.int32, "columns"),
            vector(values, np.float64, "similarities"),
        )
    dense = matrix(similarities, np.float64, "similarities") if rows else np.empty((0, columns))
    if dense.shape != (rows, columns):
        raise InputError(
            "MP406",
            f"similarities are {dense.shape[0]} x {dense.shape[1]} for {rows} weights of supply "
            f"and {columns} of demand.",
        )
    row_index, column_index = np.nonzero(dense)
    return (
        row_index.astype(np.int32),
        column_index.astype(np.int32),
        dense[row_index, column_index],
    )


def _offsets(pieces: Iterable[Int32Array | FloatArray]) -> Int64Array:
    return np.cumsum([0, *map(len, pieces)], dtype=np.int64)
