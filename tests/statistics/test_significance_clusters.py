"""Clusters: the greedy rule of the WMT metrics task."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.statistics.clusters import significance_clusters


def matrix(size: int, significant: list[tuple[int, int]]) -> np.ndarray:
    p = np.full((size, size), 0.5)
    for better, worse in significant:
        p[better, worse] = 0.01
    return p


def test_whoever_is_worse_than_a_member_opens_the_next_cluster() -> None:
    clusters = significance_clusters([0.9, 0.8, 0.7, 0.6], matrix(4, [(0, 2), (2, 3)]))
    assert clusters.rank.tolist() == [1, 1, 2, 3]
    assert clusters.members() == ((0, 1), (2,), (3,))


def test_only_the_current_cluster_counts() -> None:
    # 2 opens a cluster; that 3 is worse than 0 then does not separate it from 2.
    clusters = significance_clusters([0.9, 0.8, 0.7, 0.6], matrix(4, [(0, 2), (0, 3), (1, 3)]))
    assert clusters.rank.tolist() == [1, 1, 2, 2]


def test_items_may_come_in_any_order() -> None:
    clusters = significance_clusters([0.6, 0.9, 0.7], matrix(3, [(1, 0), (1, 2)]))
    assert clusters.order.tolist() == [1, 2, 0]
    assert clusters.rank.tolist() == [2, 1, 2]


def test_without_significance_there_is_one_cluster() -> None:
    assert significance_clusters([1, 2, 3], np.full((3, 3), np.nan)).rank.tolist() == [1, 1, 1]


def test_undefined_scores_come_last_and_by_themselves() -> None:
    clusters = significance_clusters([np.nan, 0.5, np.nan], np.full((3, 3), np.nan))
    assert clusters.rank.tolist() == [2, 1, 2]


def test_nothing_has_no_cluster() -> None:
    assert significance_clusters([], np.empty((0, 0))).members() == ()


def test_the_level_itself_is_significant() -> None:
    p = np.full((2, 2), 0.05)
    assert significance_clusters([2, 1], p).rank.tolist() == [1, 2]
    assert significance_clusters([2, 1], p, level=0.04).rank.tolist() == [1, 1]


@given(st.integers(0, 1000), st.integers(1, 8))
def test_no_two_members_differ_and_ranks_follow_scores(seed: int, size: int) -> None:
    generator = np.random.default_rng(seed)
    scores, p = generator.random(size), generator.random((size, size)) ** 3
    clusters = significance_clusters(scores, p)
    assert (np.diff(clusters.rank[clusters.order]) >= 0).all()
    for members in clusters.members():
        for k, better in enumerate(members):
            for worse in members[k + 1 :]:
                assert p[better, worse] > 0.05


def test_wrong_input_is_a_coded_error() -> None:
    with pytest.raises(InputError, match="MP745"):
        significance_clusters([1, 2], np.zeros((3, 3)))
    with pytest.raises(OptionError, match="MP746"):
        significance_clusters([1, 2], np.zeros((2, 2)), level=0)
