"""Which segments are explained when not all of them can be."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.report.dataset.cells_to_explain import most_informative_cells, ranks

NAN = float("nan")


def test_the_worst_of_each_system_take_turns() -> None:
    # Every segment has the same score in both systems, so nothing is to be contrasted.
    scores = np.array([[0.3, 0.1, 0.2], [0.3, 0.1, 0.2]])
    assert most_informative_cells(scores, [], 4) == [1, 4, 2, 5]


def test_the_largest_difference_between_systems_comes_with_both_ends() -> None:
    scores = np.array([[0.0, 0.5, 0.9], [0.1, 0.5, 0.2]])
    chosen = most_informative_cells(scores, [], 4)
    # Turns: worst of the first system (0), the lowest (5) and the highest (2) of segment 2, whose difference
    # is largest; the worst of the second system (3) stands between them.
    assert chosen == [0, 5, 3, 2]


def test_a_cell_that_another_metric_ranks_otherwise_is_chosen_early() -> None:
    scores = np.array([[0.1, 0.2, 0.3, 0.4]])
    rival = np.array([[10.0, 20.0, 30.0, 1.0]])
    assert most_informative_cells(scores, [rival], 2) == [0, 3]


def test_a_rival_on_another_scale_that_ranks_alike_changes_nothing() -> None:
    scores = np.array([[0.1, 0.2, 0.3, 0.4]])
    assert most_informative_cells(scores, [100 * scores], 3) == most_informative_cells(
        scores, [], 3
    )


def test_what_has_no_score_is_never_chosen() -> None:
    scores = np.array([[NAN, 0.2], [0.4, NAN]])
    assert sorted(most_informative_cells(scores, [np.ones((2, 2))], 10)) == [1, 2]


def test_ties_share_their_mean_rank() -> None:
    assert ranks(np.array([[5.0, 1.0, 5.0, NAN]])).tolist()[0][:3] == [0.75, 0.0, 0.75]


@given(
    st.integers(1, 4).flatmap(
        lambda systems: st.lists(
            st.lists(st.integers(0, 5), min_size=systems, max_size=systems), min_size=1, max_size=8
        )
    ),
    st.integers(1, 40),
)
def test_so_many_cells_are_chosen_and_none_twice(table: list[list[int]], count: int) -> None:
    scores = np.array(table, dtype=np.float64).T
    chosen = most_informative_cells(scores, [-scores], count)
    assert len(chosen) == len(set(chosen)) == min(count, scores.size)
    assert chosen == most_informative_cells(scores, [-scores], scores.size)[:count]
