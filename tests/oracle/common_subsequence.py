"""The longest common subsequence by the textbook's table."""

from __future__ import annotations

from collections.abc import Sequence


def common_subsequence(left: Sequence[object], right: Sequence[object]) -> int:
    # Of the rows of the table, only the last is kept; cell j is of the first j symbols of the right.
    row = [0] * (len(right) + 1)
    for symbol in left:
        above = row
        row = [0]
        for j, other in enumerate(right):
            row.append(above[j] + 1 if symbol == other else max(above[j + 1], row[j]))
    return row[-1]
