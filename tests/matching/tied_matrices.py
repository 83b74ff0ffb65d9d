"""Similarities of phrases among which several maps have the greatest sum, and maps as pairs."""

from __future__ import annotations

from hypothesis import strategies as st


def pairs_of(columns):
    return [(row, column) for row, column in enumerate(columns.tolist()) if column >= 0]


@st.composite
def tied_matrices(draw, size=5):
    rows, columns = draw(st.integers(1, size)), draw(st.integers(1, size))
    most = draw(st.integers(1, 4))
    cells = st.integers(0, most) if draw(st.booleans()) else st.sampled_from([0, 0, 0, 1, most])
    row = st.lists(cells, min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows)), most
